/**
 * Response headers formatted once and used many times.
 *
 * Writing eight headers one by one costs more than the rest of a small answer, so a block keeps
 * them as one string: the first header's name, and its value with all further header lines behind
 * CR LF. Whoever builds a block answers for its text: printable ASCII, nothing unchecked from a request.
 */

/** Header lines ready to be written. Immutable. */
export class HeaderBlock {
  /** Name of the first header. */
  readonly name: string;
  /** Value of the first header, then `\r\nName: value` for each further one. */
  readonly value: string;

  private constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
  }

  /** @param headers At least one pair. @throws RangeError for a value that is not printable ASCII. */
  static of(...headers: readonly (readonly [name: string, value: string])[]): HeaderBlock {
    const [first, ...rest] = headers;
    if (first === undefined) throw new RangeError("a header block needs at least one header");
    let text = checked(first[1]);
    for (const [name, value] of rest) text += `\r\n${name}: ${checked(value)}`;
    return new HeaderBlock(first[0], text);
  }

  /** @returns A block with one more header. */
  with(name: string, value: string): HeaderBlock {
    return new HeaderBlock(this.name, `${this.value}\r\n${name}: ${checked(value)}`);
  }

  /** @returns Name and value of each header, for libraries that write them one by one. */
  *pairs(): Generator<[name: string, value: string]> {
    const [first, ...rest] = this.value.split("\r\n");
    yield [this.name, first ?? ""];
    for (const line of rest) {
      const colon = line.indexOf(": ");
      yield [line.slice(0, colon), line.slice(colon + 2)];
    }
  }
}

function checked(value: string): string {
  if (!/^[\x20-\x7e]*$/.test(value)) throw new RangeError("a header value must be printable ASCII");
  return value;
}
