/**
 * Finds out, before any child starts, whether a port is free.
 *
 * Fronts share their port with each other, so a forgotten node would share it too and answer every
 * other request. The check binds exclusively: it fails if anyone listens, sharing or not.
 */

import { createServer } from "node:net";
import { NodeError } from "../errors/index.js";

/** A port to be checked, and how the operator would choose another. */
export interface PortClaim {
  readonly host: string;
  /** 0 asks for any free port. */
  readonly port: number;
  /** Name of the flag. */
  readonly flag: string;
}

/**
 * Binds the port and lets it go again.
 *
 * @returns the port; for 0, one that was free a moment ago.
 * @throws NodeError `port_in_use` or `listen_failed`, in one sentence.
 */
export function checkPort(claim: PortClaim): Promise<number> {
  const { host, port, flag } = claim;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (cause: NodeJS.ErrnoException) => {
      if (cause.code === "EADDRINUSE") {
        const sentence = `Port ${port} on ${host} is in use; ${flag} chooses another.`;
        reject(new NodeError("port_in_use", sentence, { cause }));
      } else {
        const sentence = `Port ${port} on ${host} cannot be listened on (${cause.code ?? cause.message}).`;
        reject(new NodeError("listen_failed", sentence, { cause }));
      }
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === "object" && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

/**
 * Checks several ports; those asked for as 0 come out different from each other.
 *
 * @throws NodeError as {@link checkPort}, or `config_invalid` if two claims name one port.
 */
export async function checkPorts(claims: readonly PortClaim[]): Promise<number[]> {
  const found: number[] = [];
  for (const claim of claims) {
    let port = await checkPort(claim);
    for (let attempt = 0; claim.port === 0 && found.includes(port) && attempt < 100; attempt++) {
      port = await checkPort(claim);
    }
    const twin = claims[found.indexOf(port)];
    if (twin !== undefined) {
      throw new NodeError("config_invalid", `${twin.flag} and ${claim.flag} name the same port, ${port}.`);
    }
    found.push(port);
  }
  return found;
}
