// The sound of an update for one side: the sound of its most important event.

import type { Cue } from '../../browser/sound';
import type { Event, Scene, Update } from '../../protocol/messages';
import type { Fallen } from '../../board/stage';

/** Status of a match that is over, in every family. An empty `to_act` does not mean the end: chance may draw. */
export const OVER = 'over';

/** Return the cue of an update; empty for none. `side`: this seat's side, empty for a spectator. */
export function cueOf(update: Update, before: Scene, after: Scene, side: string, fallen: Fallen): Cue | '' {
  if (update.draft || update.by === '') return '';
  if (before.status.code !== OVER && after.status.code === OVER) return 'end';
  const battle = update.events.findLast(({ code }) => code in fallen);
  if (battle) return battleCue(battle, update.by, side, fallen);
  const due = (scene: Scene): boolean => scene.started && scene.to_act.includes(side);
  if (side !== '' && due(after) && !due(before)) return 'turn';
  return before.started ? 'move' : '';
}

function battleCue({ code, args = {} }: Event, by: string, side: string, fallen: Fallen): Cue {
  const losers = fallen[code] ?? [];
  // With more than two sides, the event names the other one.
  const concerned = side !== '' && (by === side || (args.other ?? side) === side);
  if (losers.length > 1 || !concerned) return losers.length > 1 ? 'drawn' : 'move';
  return losers.includes(by === side ? 'attacker' : 'defender') ? 'lost' : 'won';
}
