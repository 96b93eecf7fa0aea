// Deployments as text, and the player's own ones. A text has one letter for each place, in the order of the side's own
// view, so it means the same deployment for every side.

import { game } from '../protocol/api';
import { isList, isRecord, isText, read, write } from '../browser/storage';
import type { Arrange } from '../protocol/messages';

export interface OwnDeployment {
  name: string;
  text: string;
}

const KEY = 'gonfalon.deployments.';

const isOwn = (value: unknown): value is OwnDeployment => isRecord(value) && isText(value.name) && isText(value.text);

export function ownDeployments(variant: string): OwnDeployment[] {
  return read('localStorage', KEY + variant, isList, []).filter(isOwn);
}

export const keepDeployments = (variant: string, all: OwnDeployment[]): boolean =>
  write('localStorage', KEY + variant, all);

const LAST = 'gonfalon.last.';

/** Return the player's last deployment in a variant; empty for none. */
export const lastDeployment = (variant: string): string => read('localStorage', LAST + variant, isText, '');

export const keepLast = (variant: string, text: string): boolean => write('localStorage', LAST + variant, text);

/** Count the pieces of each face in an arrangement; the empty face stands for an empty place. */
export function army(arrange: Arrange): Map<string, number> {
  return new Map(arrange.pieces.map((piece) => [piece.face, piece.count]));
}

export function deploymentText(variant: string, arrange: Arrange, at: ReadonlyMap<string, string>): string {
  const letters = new Map(arrange.pieces.map((piece) => [piece.face, piece.letter]));
  return `${variant}:${arrange.places.map((place) => letters.get(at.get(place) ?? '') ?? '?').join('')}`;
}

export type Reading = { at: Map<string, string> } | { error: string; args: Record<string, unknown> };

/** Read a text: the deployment, or the reason why it does not fit (`deploy.error.*`). */
export function readDeployment(text: string, variant: string, arrange: Arrange): Reading {
  const bare = text.replace(/\s+/g, '');
  if (bare === '') return { error: 'empty', args: {} };
  const colon = bare.lastIndexOf(':');
  const of = colon < 0 ? variant : bare.slice(0, colon);
  if (of !== variant) return { error: 'variant', args: { other: of.slice(0, 40) } };
  const letters = [...bare.slice(colon + 1).replaceAll('/', '')];
  if (letters.length !== arrange.places.length) {
    return { error: 'length', args: { count: letters.length, wanted: arrange.places.length } };
  }
  return place(letters, arrange);
}

function place(letters: string[], arrange: Arrange): Reading {
  const faces = new Map(arrange.pieces.map((piece) => [piece.letter, piece.face]));
  const left = army(arrange);
  const at = new Map<string, string>();
  for (const [index, letter] of letters.entries()) {
    const face = faces.get(letter);
    if (face === undefined) return { error: 'letter', args: { letter, number: index + 1 } };
    const count = (left.get(face) ?? 0) - 1;
    if (count < 0) return face === '' ? { error: 'missing', args: {} } : { error: 'many', args: { face } };
    left.set(face, count);
    if (face !== '') at.set(arrange.places[index] as string, face);
  }
  return { at };
}

/** Return a deployment from the library, mirrored at random; null if the variant has none. */
export async function pickDeployment(variant: string, arrange: Arrange): Promise<Map<string, string> | null> {
  const { deployments } = await game(variant);
  const [draw = 0] = crypto.getRandomValues(new Uint32Array(1));
  const chosen = deployments[draw % Math.max(1, deployments.length)];
  if (!chosen) return null;
  const reading = readDeployment(chosen.text, variant, arrange);
  return 'at' in reading ? reading.at : null;
}
