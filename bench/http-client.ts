/** A small keep-alive HTTP client for loads that need another body each time. */

import { Agent, request } from "node:http";

export interface ClientAnswer {
  readonly status: number;
  readonly body: string;
}

const shared = new Agent({ keepAlive: true, maxSockets: 256 });

/** @throws the socket's error. */
export function post(
  url: string,
  type: string,
  body: Uint8Array,
  agent: Agent = shared,
): Promise<ClientAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, "content-length": body.length };
    const call = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** An agent of its own connections. */
export function connections(count: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: count });
}
