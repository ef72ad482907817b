/** The page at /spec: lists the operations of the description and tries those that take no body. */

/** Self-contained; loads nothing but the description beside it. */
export const SPEC_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ledger Node: the interface</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre, input { font: 13px/1.4 ui-monospace, monospace }
summary { cursor: pointer; padding: .3rem 0 } pre { background: #f4f4f4; padding: .6rem; overflow: auto; max-height: 24rem }
label { display: block; margin: .2rem 0 } input { width: 24rem }
</style></head><body>
<h1>Ledger Node</h1>
<p>The description behind this page: <a href="/v1/spec.json">spec.json</a>, <a href="/v1/spec.yaml">spec.yaml</a>.</p>
<div id="operations"></div>
<script>
const put = (parent, tag, text) => { const e = document.createElement(tag); if (text) e.textContent = text; parent.append(e); return e; };
const show = (root, method, path, operation) => {
  const box = put(root, "details");
  const head = put(box, "summary");
  put(head, "code", method.toUpperCase() + " /v1" + path);
  head.append(" " + operation.summary);
  if (method !== "get") { put(box, "pre", JSON.stringify(operation.requestBody ?? {}, null, 1)); return; }
  const inputs = operation.parameters.map((parameter) => {
    const label = put(box, "label", parameter.name + " ");
    const input = put(label, "input");
    input.placeholder = parameter.description ?? "";
    return { parameter, input };
  });
  const answer = document.createElement("pre");
  put(box, "button", "Try").onclick = async () => {
    let target = "/v1" + (path === "/" ? "" : path);
    const query = new URLSearchParams();
    for (const { parameter, input } of inputs) {
      if (parameter.in === "path") target = target.replace("{" + parameter.name + "}", encodeURIComponent(input.value));
      else if (input.value !== "") query.set(parameter.name, input.value);
    }
    const response = await fetch(target + (query.size ? "?" + query : ""));
    const text = await response.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 1); } catch {}
    answer.textContent = response.status + "\\n" + shown;
  };
  box.append(answer);
};
fetch("/v1/spec.json").then((response) => response.json()).then((spec) => {
  const root = document.getElementById("operations");
  for (const [path, methods] of Object.entries(spec.paths))
    for (const [method, operation] of Object.entries(methods)) show(root, method, path, operation);
});
</script></body></html>
`;
