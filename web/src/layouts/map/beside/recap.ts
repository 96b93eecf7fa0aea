// The turns of other players since the viewer's last decision. Events that affect the viewer are kept apart from the
// rest.

import type { Recap, Recalled } from '../../../board/layout';
import type { LogEntry } from '../../../board/notes/log';
import type { Event, Scene } from '../../../protocol/messages';
import { isLoss, isOwnFlag, matters, weigh } from '../weights';

/** Return the turns to recall; empty if there is nothing to tell. */
export function recall(log: readonly LogEntry[], seat: string, scene: Scene): Recap {
  const last = log.findLastIndex(({ by }) => by === seat);
  const own = new Set(scene.tokens.filter(({ side }) => side === seat).map(({ place }) => place));
  const turns: Recalled[] = [];
  const places = new Set<string>();
  for (const { by, events } of scene.started && last >= 0 ? log.slice(last + 1) : []) {
    if (by === '' || by === seat) continue;
    let turn = turns.at(-1);
    if (turn?.side !== by) turns.push((turn = { side: by, own: [], rest: [] }));
    for (const event of events) sort(event, seat, own, turn, places);
  }
  const told = turns.filter(({ own, rest }) => own.length + rest.length > 0);
  const done = told.flatMap((turn) => turn.own).toSorted((one, other) => weigh(one, seat) - weigh(other, seat));
  return { turns: told, events: [...done, ...told.flatMap(({ rest }) => rest)], places: [...places] };
}

/** Add an event to its list if it is worth telling, and note the zones in which it affects the viewer. */
function sort(event: Event, seat: string, own: ReadonlySet<string>, turn: Recalled, places: Set<string>): void {
  const { code, args = {} } = event;
  const seen = code === 'looked' && Array.isArray(args.spaces) ? args.spaces.filter((space) => own.has(space)) : [];
  if (seen.length > 0) {
    turn.own.push({ code, args: { ...args, other: seat, spaces: seen } });
    for (const space of seen) places.add(space);
  } else if (isLoss(event, seat) || isOwnFlag(event, seat) || isAimed(event, seat, own)) {
    turn.own.push(event);
    if (typeof args.space === 'string') places.add(args.space);
  } else if (matters(event)) turn.rest.push(event);
}

/** Return whether the event is a guess about one of the viewer's units, or the result of such a guess. */
const isAimed = ({ code, args = {} }: Event, seat: string, own: ReadonlySet<string>): boolean =>
  (code === 'guessed' && args.other === seat) || (code === 'missed' && own.has(String(args.space)));
