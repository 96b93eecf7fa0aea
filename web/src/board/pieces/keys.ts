// Keys of the elements for tokens. At the start of play each placed piece gets a new ID. Its element keeps the old key,
// so that the browser need not make a new element.

import type { Token } from '../../protocol/messages';

/** ID of a piece that is being placed. */
export const placedId = (place: string): string => `place:${place}`;

export class TokenKeys {
  private known = new Map<string, string>();

  /** Return the key of each token by ID. No two tokens have the same key. */
  keep(tokens: readonly Token[]): ReadonlyMap<string, string> {
    const ids = new Set(tokens.map(({ id }) => id));
    const keys = new Map<string, string>();
    const given = new Set<string>();
    for (const { id, place } of tokens) {
      const before = placedId(place);
      let key = this.known.get(id) ?? (ids.has(before) ? id : (this.known.get(before) ?? id));
      while (given.has(key)) key += "'";
      given.add(key);
      keys.set(id, key);
    }
    this.known = keys;
    return keys;
  }
}
