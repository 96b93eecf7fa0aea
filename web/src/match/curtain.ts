// The curtain between players at one device.

import type { MatchInfo, Scene } from '../protocol/messages';

/** Return whether the server must know of the curtain: while it is down, the clocks of this device stand still. By
 * correspondence they do not.
 */
export const stopsClocks = (clock: MatchInfo['clock'] | undefined): boolean =>
  clock?.kind === 'bank' || clock?.kind === 'turn';

/** Return whether the next player may see the screen, because it shows no pieces and nothing to place. */
export const hidesNothing = ({ arrange, tokens, trays }: Scene): boolean =>
  arrange == null && tokens.length === 0 && trays.every(({ items }) => items.every(({ face }) => face === ''));
