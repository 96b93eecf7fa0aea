import { beforeEach, expect, test, vi } from 'vitest';
import type { Choice, Hint, MatchInfo } from '../../src/protocol/messages';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});

const MOVE: Hint = { code: 'move', verbs: ['move', 'attack'] };
const ATTACK: Hint = { code: 'attack', verbs: ['attack'] };
const LOOK: Hint = { code: 'moved' };
const RUNS: Hint = { code: 'runs', on: ['a1', 'b1'], verbs: ['move'] };
const go = (verb: string, ...path: string[]): Choice => ({ id: 1, verb, path });

async function guide(...hints: Hint[]) {
  const { Guiding, guideAgain, PICTURES } = await import('../../src/match/help/guiding.svelte');
  const { set } = await import('../../src/browser/settings.svelte');
  const now = { info: { family: 'grid' } as MatchInfo, ending: null };
  const choosing = { path: [] as string[], ready: true };
  const guiding = new Guiding(now, choosing);
  guiding.offer(hints);
  return { guiding, now, choosing, set, guideAgain, PICTURES };
}

test('one hint is said at a time, each until it is put away', async () => {
  const { guiding } = await guide(MOVE, ATTACK);
  expect(guiding.said?.code).toBe('move');
  guiding.dismiss();
  expect(guiding.said?.code).toBe('attack');
  guiding.dismiss();
  expect(guiding.said).toBeNull();
});

test('what is about a space is said while that is chosen, before all else', async () => {
  expect((await guide(MOVE, RUNS)).guiding.said?.code).toBe('move');
  const { guiding, choosing } = await guide(MOVE, RUNS);
  choosing.path = ['b1'];
  expect(guiding.said?.code).toBe('runs');
});

test('a hint is followed by what it speaks of, said or not, and by nothing else', async () => {
  const { guiding } = await guide(MOVE, ATTACK, RUNS);
  guiding.follow(go('move', 'c1', 'c2'));
  expect(guiding.said?.code).toBe('attack');
  guiding.follow(go('move', 'c2', 'c3'));
  expect(guiding.said?.code).toBe('attack');
  guiding.follow(go('attack', 'c2', 'c3'));
  expect(guiding.said).toBeNull();
  expect(localStorage.getItem('gonfalon.hints')).not.toContain('runs');
});

test('one without verbs is followed by any decision, once it was said', async () => {
  const { guiding } = await guide(ATTACK, LOOK);
  guiding.follow(go('move', 'c1', 'c2'));
  guiding.dismiss();
  expect(guiding.said?.code).toBe('moved');
  guiding.follow();
  expect(guiding.said).toBeNull();
});

test('what is known stays known after a reload, in its own family', async () => {
  const first = await guide(MOVE);
  first.guiding.dismiss();
  vi.resetModules();
  const second = await guide(MOVE);
  expect(second.guiding.said).toBeNull();
  vi.resetModules();
  const other = await guide(MOVE);
  other.now.info = { family: 'conquest' } as MatchInfo;
  expect(other.guiding.said?.code).toBe('move');
});

test('nothing is said while nothing can be chosen, nor when hints are off, and all again on demand', async () => {
  const waiting = await guide(MOVE);
  waiting.choosing.ready = false;
  expect(waiting.guiding.said).toBeNull();
  const { guiding, set, guideAgain, PICTURES } = await guide(MOVE, ATTACK);
  guiding.dismiss();
  guiding.learnOwn(PICTURES);
  set('hints', 'off');
  expect(guiding.said).toBeNull();
  guideAgain();
  expect(guiding.said?.code).toBe('move');
  expect(guiding.lacksOwn(PICTURES)).toBe(false);
});

test('a storage that holds something else is no reason to be silent', async () => {
  localStorage.setItem('gonfalon.hints', '{"a": 1}');
  expect((await guide(MOVE)).guiding.said?.code).toBe('move');
});

test('no hints are wanted once all of the family are known, or when they are off', async () => {
  const { guiding, set, guideAgain } = await guide(MOVE, ATTACK);
  expect(guiding.shows(['move', 'attack'])).toBe(true);
  guiding.dismiss();
  expect(guiding.shows(['move', 'attack'])).toBe(true);
  guiding.dismiss();
  expect(guiding.shows(['move', 'attack'])).toBe(false);
  guideAgain();
  expect(guiding.shows(['move', 'attack'])).toBe(true);
  set('hints', 'off');
  expect(guiding.shows(['move', 'attack'])).toBe(false);
});
