// Outlines of the last act. The scene outlines moves; this module outlines the spaces that other events name.

import type { Event, Scene } from '../../protocol/messages';

/** Arguments that name spaces to outline, by event code. */
export type Outlines = Readonly<Record<string, readonly string[]>>;

/** Return the scene with outlines around the spaces of the newest events, except spaces with other tints. */
export function outline(scene: Scene, events: readonly Event[], outlines: Outlines): Scene {
  const known = new Set(scene.tints.map(({ place }) => place));
  const named = events.flatMap(({ code, args = {} }) => (outlines[code] ?? []).map((name) => args[name]));
  const places = [...new Set(named)].filter((place) => typeof place === 'string' && !known.has(place)) as string[];
  return places.length === 0 ? scene : { ...scene, tints: [...scene.tints, ...places.map(acted)] };
}

/** Return the scene with marked spaces: `struck` affects the viewer, `advised` belongs to a hint, `waiting` belongs to
 * a choice that is not confirmed, `pencil` belongs to the dialog for pencil marks.
 */
export const marked = (
  scene: Scene,
  kind: 'struck' | 'advised' | 'waiting' | 'pencil',
  places: readonly string[] = [],
): Scene =>
  places.length === 0 ? scene : { ...scene, tints: [...scene.tints, ...places.map((place) => ({ place, kind }))] };

const acted = (place: string) => ({ place, kind: 'to' });
