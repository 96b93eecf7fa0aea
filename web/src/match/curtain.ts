// The curtain between players at one device.

import type { Scene } from '../protocol/messages';

/** Return whether the next player may see the screen, because it shows no pieces and nothing to place. */
export const hidesNothing = ({ arrange, tokens, trays }: Scene): boolean =>
  arrange == null && tokens.length === 0 && trays.every(({ items }) => items.every(({ face }) => face === ''));
