import { expect, test } from 'vitest';
import { STILL } from '../../src/board/stage';
import { Turns } from '../../src/match/updates/turns.svelte';
import type { Scene } from '../../src/protocol/messages';
import { event, scene, settle, token, update } from '../make';

const at = (turn: number, place: string): Scene => scene([token('1', place)], { turn });

/** Make two turns: Blue's, with a draw and then two acts, and Green's, with one act. */
function two() {
  const played: string[] = [];
  const turns = new Turns({
    play: async (events) => void played.push(events.map(({ code }) => code).join()),
    pause: async () => {},
    rest: async () => {},
  });
  turns.add(update(1, '', [event('drew')]), at(1, 'a'), at(1, 'a'));
  turns.add(update(2, 'blue', [event('card')]), at(1, 'a'), at(1, 'b'));
  turns.add(update(3, 'blue', [event('moved')]), at(1, 'b'), at(2, 'c'));
  turns.add(update(4, 'green', [event('moved')]), at(2, 'c'), at(3, 'd'));
  return { turns, played };
}

test('what a side does in its turn, and what chance did for it, is one turn', () => {
  const { turns } = two();
  expect(turns.shown.map(({ side, steps }) => [side, steps.length])).toEqual([
    ['blue', 3],
    ['green', 1],
  ]);
});

test('before play there are no turns, and drafts are none', () => {
  const { turns } = two();
  turns.add(update(5, 'red', [event('aimed')], { draft: true }), at(3, 'd'), at(3, 'e'));
  turns.add(update(6, 'red', []), scene([], { started: false }), scene());
  expect(turns.shown).toHaveLength(2);
});

test('the turn before is shown again as it was, and the one before that', async () => {
  const { turns, played } = two();
  turns.back();
  expect([turns.again?.side, turns.scene?.tokens[0]?.place]).toEqual(['green', 'c']);
  await settle();
  expect(turns.scene?.tokens[0]?.place).toBe('d');
  turns.back();
  await settle();
  expect([turns.again?.side, turns.scene?.tokens[0]?.place, turns.canGoBack]).toEqual(['blue', 'c', false]);
  expect(played).toEqual(['moved', 'drew', 'card', 'moved']);
  turns.back();
  expect(turns.again?.side).toBe('blue');
});

test('in a turn shown again, the line on a battle stays to be read', async () => {
  const rests: (string | undefined)[] = [];
  const turns = new Turns({
    play: async (events, _scene, show) => show({ ...STILL, said: events[0] }),
    pause: async () => {},
    rest: async () => void rests.push(`${turns.stage.said?.code} ${turns.scene?.tokens[0]?.place}`),
  });
  turns.add(update(1, 'blue', [event('battle-won')]), at(1, 'a'), at(2, 'b'));
  turns.back();
  await settle();
  expect(rests).toEqual(['battle-won b']);
  expect(turns.stage).toBe(STILL);
});

test('forward leads to the match as it stands, and whoever waits for that goes on', async () => {
  const { turns } = two();
  turns.back();
  turns.back();
  let over = false;
  void turns.over?.then(() => (over = true));
  turns.forward();
  await settle();
  expect([turns.again?.side, over]).toEqual(['green', false]);
  turns.forward();
  await settle();
  expect([turns.again, turns.scene, over]).toEqual([null, null, true]);
});

test('what comes again is forgotten first, and nobody looks at it any more', () => {
  const { turns } = two();
  turns.back();
  turns.rewind(2);
  expect(turns.again).toBeNull();
  expect(turns.shown.map(({ side, steps }) => [side, steps.length])).toEqual([['blue', 2]]);
});
