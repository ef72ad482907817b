/** Whether a front answers, asked the way a client would. */

import { get } from "node:http";

/** Longest wait for one answer, in milliseconds. */
const ANSWER_MS_MAX = 2000;

/** Pause between questions, in milliseconds. */
const ASK_EVERY_MS = 15;

/**
 * Asks a URL until it answers 200.
 *
 * @param msMax Gives up after this many milliseconds, or when `stop` is aborted.
 * @returns whether it did.
 */
export async function answersWithin(url: string, msMax: number, stop?: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + msMax;
  while (performance.now() < endMs && !stop?.aborted) {
    if (await answers(url)) return true;
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  return false;
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { timeout: ANSWER_MS_MAX, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}
