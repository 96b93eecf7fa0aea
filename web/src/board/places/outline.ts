// Outlines of the last act. A move has its own in the scene; what is no move is outlined by the spaces its events name.

import type { Event, Scene } from '../../protocol/messages';

/** By the code of an event: its arguments that name the spaces to be outlined. */
export type Outlines = Readonly<Record<string, readonly string[]>>;

/** The scene with the spaces of the newest events outlined that nothing is said of yet. */
export function outline(scene: Scene, events: readonly Event[], outlines: Outlines): Scene {
  const known = new Set(scene.tints.map(({ place }) => place));
  const named = events.flatMap(({ code, args = {} }) => (outlines[code] ?? []).map((name) => args[name]));
  const places = [...new Set(named)].filter((place) => typeof place === 'string' && !known.has(place)) as string[];
  return places.length === 0 ? scene : { ...scene, tints: [...scene.tints, ...places.map(acted)] };
}

/** The scene with spaces of one's own marked: `struck`, something was done to the viewer there; `advised`, a hint names
 * them; `waiting`, of a choice that is not confirmed yet.
 */
export const marked = (scene: Scene, kind: 'struck' | 'advised' | 'waiting', places: readonly string[] = []): Scene =>
  places.length === 0 ? scene : { ...scene, tints: [...scene.tints, ...places.map((place) => ({ place, kind }))] };

const acted = (place: string) => ({ place, kind: 'to' });
