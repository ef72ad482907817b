/** A binary min-heap by a given order: O(log n) push and pop, no removal from the middle. */
export class BinaryHeap<Item> {
  readonly #isBefore: (left: Item, right: Item) => boolean;
  readonly #items: Item[] = [];

  /** @param isBefore A strict order; the item before all others comes out first. */
  constructor(isBefore: (left: Item, right: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The first item, left in place. */
  peek(): Item | undefined {
    return this.#items[0];
  }

  /** Adds one item. */
  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(item, items[parent] as Item)) break;
      items[at] = items[parent] as Item;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the first item out. */
  pop(): Item | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#isBefore(items[child + 1] as Item, items[child] as Item)) child++;
      if (!this.#isBefore(items[child] as Item, last)) break;
      items[at] = items[child] as Item;
      at = child;
    }
    items[at] = last;
    return first;
  }

  /** Drops every item `isKept` says false of. O(n). */
  retain(isKept: (item: Item) => boolean): void {
    const kept = this.#items.filter(isKept);
    this.#items.length = 0;
    for (const item of kept) this.push(item);
  }
}
