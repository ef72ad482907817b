/** The requests of a read load, the same for every generator. */

export interface RequestSet {
  readonly name: string;
  /** Root the paths hang on, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly method: "GET" | "POST";
  /** One path per request; used in turn. */
  readonly paths: readonly string[];
  /** For POST: one body per path. */
  readonly bodies?: readonly string[];
}
