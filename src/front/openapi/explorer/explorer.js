/**
 * The explorer page: lists the operations of the description, shows one, and tries it against this
 * node. It knows nothing of the interface that the description does not say.
 */

import { element, resolved, schemaName, schemaTree, shownBody } from "./render.js";

const JSON_TYPE = "application/json";

/** The page is below the interface's root, under whatever prefix it is reached by. */
const root = new URL(".", location.href);
const description = await load();
const operations = listed(description);

const list = document.getElementById("operations");
const filter = document.getElementById("filter");
const main = document.getElementById("operation");

document.getElementById("about").textContent =
  `${description.info.summary} Version ${description.info.version}, OpenAPI ${description.openapi}.`;
filter.addEventListener("input", showList);
addEventListener("hashchange", showChosen);
showList();
showChosen();

async function load() {
  const response = await fetch(new URL("spec.json", root));
  if (!response.ok) throw new Error(`the description could not be loaded: ${response.status}`);
  return response.json();
}

function listed({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  );
}

function chosen() {
  const id = location.hash.slice(1);
  return operations.find(({ operationId }) => operationId === id) ?? operations[0];
}

function showList() {
  const words = filter.value.toLowerCase().split(/\s+/);
  const isWanted = ({ method, path, summary, operationId }) =>
    words.every((word) => `${method} ${path} ${summary} ${operationId}`.toLowerCase().includes(word));
  list.replaceChildren();
  for (const { name } of description.tags) {
    const group = operations.filter((operation) => operation.tags.includes(name) && isWanted(operation));
    if (group.length === 0) continue;
    list.append(element("h2", { textContent: name }));
    for (const { operationId, method, path, summary } of group) {
      list.append(
        element(
          "a",
          {
            href: `#${operationId}`,
            title: `/v1${path}`,
            "aria-current": operationId === chosen().operationId,
          },
          [
            element("span", { className: "method", textContent: method }),
            element("span", { textContent: summary }),
          ],
        ),
      );
    }
  }
  if (list.childElementCount === 0)
    list.append(element("p", { className: "faint", textContent: "None matches." }));
}

function showChosen() {
  const operation = chosen();
  for (const link of list.querySelectorAll("a")) {
    link.setAttribute("aria-current", String(link.hash === `#${operation.operationId}`));
  }
  document.title = `${operation.summary}: Ledger Node`;
  main.replaceChildren(
    element("h2", { textContent: operation.summary }),
    element("span", { className: "path" }, [
      element("span", { className: "method", textContent: `${operation.method} ` }),
      `${root.pathname.replace(/\/$/, "")}${operation.path}`,
    ]),
    element("div", { textContent: operation.description ?? "" }),
    ...tryForm(operation),
    ...answersOf(operation),
  );
  scrollTo(0, 0);
}

/** The form, and the place of the answer below it. */
function tryForm(operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    parameter,
    input: inputFor(parameter),
  }));
  const body = operation.requestBody === undefined ? undefined : bodyEditor(operation.requestBody);
  const accept = acceptChoice(operation);
  const send = element("button", { type: "submit", textContent: "Send" });
  const answer = element("div", { id: "answer" });
  const form = element("form", { noValidate: true });
  if (parameters.length > 0) {
    form.append(element("h3", { textContent: "Parameters" }), parameterTable(parameters));
  }
  if (body !== undefined) {
    form.append(
      element("h3", {}, ["Body ", element("span", { className: "faint", textContent: JSON_TYPE })]),
      body,
      schemaTree(description, operation.requestBody.content[JSON_TYPE].schema),
    );
  }
  form.append(element("div", { className: "send" }, accept === undefined ? [send] : [send, accept]));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    answer.replaceChildren(element("p", { className: "faint", textContent: "Waiting for the answer…" }));
    answer.replaceChildren(...(await tried(requestOf(operation, parameters, body, accept))));
    send.disabled = false;
  });
  return [form, answer];
}

function inputFor({ name, required, schema, example }) {
  const { type, default: fallback } = resolved(description, schema);
  if (type === "boolean") {
    const choices = ["", "true", "false"].map((value) => element("option", { value, textContent: value }));
    return element("select", { name, "aria-label": name }, choices);
  }
  return element("input", {
    className: "value",
    name,
    "aria-label": name,
    value: required && example !== undefined ? String(example) : "",
    placeholder: required ? "required" : String(fallback ?? ""),
    spellcheck: false,
    autocomplete: "off",
  });
}

function parameterTable(parameters) {
  return element("table", {}, [
    element(
      "tbody",
      {},
      parameters.map(({ parameter, input }) =>
        element("tr", {}, [
          element("th", { scope: "row" }, [
            element("code", { textContent: parameter.name }),
            element("div", {
              className: "faint",
              textContent: `${parameter.in}, ${schemaName(parameter.schema)}`,
            }),
          ]),
          element("td", {}, [
            input,
            element("div", { className: "faint", textContent: parameter.description ?? "" }),
          ]),
        ]),
      ),
    ),
  ]);
}

function bodyEditor({ content }) {
  const { example } = content[JSON_TYPE];
  return element("textarea", {
    className: "value",
    name: "body",
    "aria-label": "Request body",
    spellcheck: false,
    value: example === undefined ? "" : JSON.stringify(example, null, 2),
  });
}

/** Which form the answer shall have, where there is a choice. */
function acceptChoice({ responses }) {
  const types = Object.keys(successOf(responses).content ?? {});
  if (types.length === 0) return undefined;
  const choices = types.map((value) => element("option", { value, textContent: value }));
  return element("select", { name: "accept", "aria-label": "Answer as" }, choices);
}

function successOf(responses) {
  return Object.entries(responses).find(([status]) => status.startsWith("2"))[1];
}

function requestOf({ method, path }, parameters, body, accept) {
  const query = new URLSearchParams();
  let below = path;
  for (const { parameter, input } of parameters) {
    if (parameter.in === "path")
      below = below.replace(`{${parameter.name}}`, () => encodeURIComponent(input.value));
    else if (input.value !== "") query.set(parameter.name, input.value);
  }
  const url = new URL(`${root.pathname}${below.slice(1)}`, root);
  url.search = query.toString();
  const headers = {};
  if (accept !== undefined) headers.Accept = accept.value;
  if (body !== undefined) headers["Content-Type"] = JSON_TYPE;
  return { url, init: { method, headers, ...(body === undefined ? {} : { body: body.value }) } };
}

async function tried({ url, init }) {
  const startedMs = performance.now();
  try {
    const response = await fetch(url, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const tookMs = performance.now() - startedMs;
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    return [
      element("h3", { textContent: "Answer" }),
      element("p", {}, [
        element("span", {
          className: `status ${response.ok ? "good" : "bad"}`,
          textContent: `${response.status} ${response.statusText}`,
        }),
        element("span", {
          className: "faint",
          textContent: ` ${bytes.length} bytes in ${tookMs.toFixed(1)} ms`,
        }),
      ]),
      element("pre", {
        id: "answer-body",
        textContent: shownBody(response.headers.get("content-type") ?? "", bytes),
      }),
      element("details", {}, [
        element("summary", { textContent: "Headers" }),
        element("pre", { textContent: headers }),
      ]),
      element("details", {}, [
        element("summary", { textContent: "The same with curl" }),
        element("pre", { textContent: curlOf(url, init) }),
      ]),
    ];
  } catch (error) {
    return [
      element("p", {
        className: "status bad",
        textContent: `The node could not be reached: ${error.message}`,
      }),
    ];
  }
}

function curlOf(url, { headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [
    "curl",
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ];
  if (body !== undefined) parts.push(`-d ${quoted(body)}`);
  return [...parts, quoted(url.href)].join(" ");
}

function answersOf({ responses }) {
  const rows = Object.entries(responses).map(([status, { description: meaning, content = {} }]) => {
    const schema = content[JSON_TYPE]?.schema;
    const isSuccess = status.startsWith("2");
    const shape =
      !isSuccess || schema === undefined
        ? []
        : [element("code", { textContent: schemaName(schema) }), schemaTree(description, schema)];
    return element("tr", {}, [
      element("th", { scope: "row" }, [
        element("span", { className: `status ${isSuccess ? "good" : "bad"}`, textContent: status }),
      ]),
      element("td", {}, [element("div", { textContent: meaning }), ...shape]),
    ]);
  });
  return [
    element("h3", { textContent: "Possible answers" }),
    element("table", {}, [element("tbody", {}, rows)]),
  ];
}
