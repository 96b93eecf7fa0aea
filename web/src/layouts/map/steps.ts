// Steps that only maps have: drawn cards, faces to guess from, and whole territories.

import type { OwnSteps } from '../../board/layout';
import type { Choice, Scene } from '../../protocol/messages';

const GUESS = 'guess.';
const TERRITORY = 'pick';
/** Status codes while players choose territories. */
export const DRAFT = ['draft', 'drafting'];
const NO_CARD = 'do.no-card';

/** Whether the player chooses territories instead of zones. */
export const picksTerritories = (choices: readonly Choice[]): boolean => choices.some(({ verb }) => verb === TERRITORY);

/** Return the face that a step guesses. */
export const guessOf = (id: string): string | undefined => (id.startsWith(GUESS) ? id.slice(GUESS.length) : undefined);

/** Return the card that a step plays. */
export const cardOf = (id: string, { trays }: Scene): string | undefined =>
  trays.flatMap(({ kind, items }) => (kind === 'cards' ? items : [])).find((item) => item.id === id)?.face;

export const steps: Omit<OwnSteps, 'Offer'> = {
  has: (id, scene) => guessOf(id) !== undefined || cardOf(id, scene) !== undefined,

  name(id, { scene, board, choices }, { faceName, spaceName }) {
    const card = scene ? cardOf(id, scene) : undefined;
    if (card !== undefined) return faceName(card);
    const face = guessOf(id);
    if (face !== undefined) return faceName(face);
    if (!picksTerritories(choices)) return undefined;
    const zone = board?.spaces.find((space) => space.id === id)?.zone;
    return board?.regions?.find((region) => region.id === zone)?.name ?? spaceName(id);
  },

  hint(id, scene) {
    const card = cardOf(id, scene);
    return card === undefined ? undefined : `card.${card}.text`;
  },
  // The label of this button already says what it does.
  atOnce: new Set([NO_CARD]),
};
