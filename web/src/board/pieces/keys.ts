// Which element shows which token. A piece that was placed comes to stand under an id of its own, in the same place: it
// is the same element, so that it need not be made anew.

import type { Token } from '../../protocol/messages';

/** A piece that is being placed has no id yet. */
export const placedId = (place: string): string => `place:${place}`;

export class TokenKeys {
  private known = new Map<string, string>();

  /** The key of each token, by id; each is given once. */
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
