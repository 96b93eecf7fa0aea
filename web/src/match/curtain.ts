// Whether the next person at one device has to be kept from seeing anything.

import type { Scene } from '../protocol/messages';

/** Nothing lies anywhere yet, and nothing is to be placed: who looks sees no more than all others. */
export const hidesNothing = ({ arrange, tokens, trays }: Scene): boolean =>
  arrange == null && tokens.length === 0 && trays.every(({ items }) => items.every(({ face }) => face === ''));
