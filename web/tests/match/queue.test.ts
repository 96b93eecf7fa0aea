import { expect, test } from 'vitest';
import { PLAIN } from '../../src/board/emphasis';
import { UpdateQueue, type Shown, type UpdateListener } from '../../src/match/updates/queue.svelte';
import type { Screen } from '../../src/match/updates/screen';
import { STILL, type Play } from '../../src/board/stage';
import type { Now, Update } from '../../src/protocol/messages';
import { event, scene, settle, token, update } from '../make';

const now = (seq: number): Now => ({ seq, scene: scene([token('1', 'a1')]), choices: [], draft: false, hints: [] });
const moved = (seq: number, place: string, by = 'red'): Update =>
  update(seq, by, [event('moved')], { patch: { tokens: [token('1', place)] } });

interface Changes extends Partial<Screen> {
  side?: string;
  byTurns?: boolean;
  /** Resolves when the player no longer looks back. */
  over?: Promise<void>;
}

/** Return a queue and the log of its work: `play 3`, `show 3` (fresh) or `catch up on 3`, `caught up`. */
function watched(seen?: number, { side = 'red', byTurns = false, over, ...changes }: Changes = {}) {
  const done: string[] = [];
  let playing = 0;
  let rested = 0;
  const screen: Screen = {
    play: async () => void (done.push('play'), (playing += 1)),
    pause: async () => {},
    answerPause: () => 700,
    rest: async (ms) => void (done.push('rest'), (rested = ms)),
    drawn: async () => {},
    ...changes,
  };
  const listener: UpdateListener = {
    onApplied: ({ seq }, _before, _after, fresh) => void done.push(`${fresh ? 'show' : 'catch up on'} ${seq}`),
    onCaughtUp: () => void done.push('caught up'),
  };
  const emphasis = { ...PLAIN, byTurns, lasting: ['taken'] };
  const match: Shown = { scene: null, stage: STILL, shown: 0, busy: true, lingers: false, side, emphasis };
  const queue = new UpdateQueue(match, { over: over ?? null }, screen, listener, seen);
  return { queue, match, done, played: () => playing, rested: () => rested };
}

const place = (match: Shown): string | undefined => match.scene?.tokens[0]?.place;

test('a match without a past can be played at once', async () => {
  const { queue, match, done } = watched();
  expect(match.busy).toBe(true);
  queue.start(now(0), 0);
  await settle();
  expect(done).toEqual(['caught up']);
  expect(match.busy).toBe(false);
});

test('the past is shown at once, when all of it has come', async () => {
  const { queue, match, done } = watched();
  queue.start(now(0), 2);
  queue.push(moved(1, 'a2'));
  await settle();
  expect(done).toEqual([]);
  expect(place(match)).toBe('a1');
  queue.push(moved(2, 'a3'));
  await settle();
  expect(done).toEqual(['catch up on 1', 'catch up on 2', 'caught up']);
  expect([place(match), match.shown, match.busy]).toEqual(['a3', 2, false]);
});

test('what this side has not been shown yet is played, though it is past', async () => {
  const { queue, done } = watched(1);
  queue.start(now(0), 2);
  queue.push(moved(1, 'a2'));
  queue.push(moved(2, 'a3'));
  await settle();
  expect(done).toEqual(['catch up on 1', 'play', 'show 2']);
});

test('new updates are played one after the other', async () => {
  const { queue, match, done } = watched();
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  queue.push(moved(2, 'a3'));
  expect(match.busy).toBe(true);
  await settle();
  expect(done).toEqual(['caught up', 'play', 'show 1', 'play', 'show 2']);
});

test('a draft is not played', async () => {
  const { queue, done } = watched();
  queue.start(now(0), 0);
  queue.push({ ...moved(1, 'a2'), draft: true });
  await settle();
  expect(done).toEqual(['caught up', 'show 1']);
});

test('with very many waiting, they are not played; what chance adds does not count', async () => {
  const { queue, match, played } = watched();
  queue.start(now(0), 0);
  for (let seq = 1; seq <= 40; seq += 1) queue.push(moved(seq, 'a2'));
  await settle();
  expect(played()).toBeLessThan(40);
  expect(match.shown).toBe(40);
  const chance = watched();
  chance.queue.start(now(0), 0);
  for (let seq = 1; seq <= 40; seq += 1) chance.queue.push(moved(seq, 'a2', ''));
  await settle();
  expect(chance.played()).toBe(40);
});

test('with four waiting, waits are shorter', async () => {
  const waits: number[] = [];
  const { queue } = watched(undefined, {
    play: (_events, _scene, _show, wait) => wait(100),
    pause: async (ms) => void waits.push(ms),
  });
  queue.start(now(0), 0);
  for (let seq = 1; seq <= 6; seq += 1) queue.push(update(seq, 'red', [event('turn')]));
  await settle();
  expect(waits).toEqual([100, 45, 100, 100, 100, 100]);
});

test('a new connection replaces the scene, and an update under way is dropped for its repetition', async () => {
  let go = (): void => {};
  const { queue, match, done } = watched(undefined, { play: () => new Promise((resolve) => (go = resolve)) });
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  queue.start({ ...now(1), scene: scene([token('1', 'a2')]) }, 1);
  go();
  await settle();
  expect(done).toEqual(['caught up']);
  expect([match.shown, place(match), match.busy]).toEqual([1, 'a2', false]);
  queue.push(moved(2, 'a3'));
  go();
  await settle();
  expect(done).toEqual(['caught up', 'show 2']);
});

test('what was hidden is uncovered after the last update', async () => {
  const { queue, match } = watched();
  queue.start(now(0), 1);
  queue.uncover({ tokens: [token('1', 'a1', 'red', 'flag')] });
  await settle();
  expect(match.scene?.tokens[0]?.face).toBe('');
  queue.push(moved(1, 'a2'));
  await settle();
  expect(match.scene?.tokens[0]?.face).toBe('flag');
});

test('the stage is still again when an update has been applied', async () => {
  const raised = { ...STILL, raised: ['1'] };
  const stages: unknown[] = [];
  const { queue, match } = watched(undefined, {
    play: async (_events, _scene, show) => void (show(raised), stages.push(match.stage)),
  });
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  await settle();
  expect(stages).toEqual([raised]);
  expect(match.stage).toBe(STILL);
});

test('nothing is shown after it was closed', async () => {
  const { queue, done } = watched();
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  queue.push(moved(2, 'a3'));
  queue.close();
  await settle();
  expect(done).toEqual(['caught up', 'play']);
});

test('the result of an own act stands before the answer comes, also where chance follows it', async () => {
  const { queue, done, rested } = watched();
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2', 'red'));
  queue.push(moved(2, 'a3', ''));
  queue.push(moved(3, 'a4', 'blue'));
  queue.push(moved(4, 'a5', 'blue'));
  queue.push(moved(5, 'a6', 'red'));
  await settle();
  expect(done.slice(1).filter((each) => each !== 'play')).toEqual([
    'show 1',
    'show 2',
    'rest',
    'show 3',
    'show 4',
    'show 5',
  ]);
  expect(rested()).toBeGreaterThan(500);
  expect(rested()).toBeLessThanOrEqual(700);
});

test('who only looks on waits for nobody, nor does who wants no wait, nor who has much to see', async () => {
  const both = [moved(1, 'a2', 'red'), moved(2, 'a3', 'blue')];
  const many = Array.from({ length: 40 }, (_, index) => moved(index + 2, 'a3', 'blue'));
  for (const [updates, changes] of [
    [both, { side: '' }],
    [both, { answerPause: () => 0 }],
    [[both[0] as Update, ...many], {}],
  ] as const) {
    const { queue, match, done } = watched(undefined, changes);
    queue.start(now(0), 0);
    updates.forEach((each) => queue.push(each));
    await settle();
    expect(match.shown).toBe(updates.length);
    expect(done).not.toContain('rest');
  }
});

const inTurn = (seq: number, by: string, turn: number): Update =>
  update(seq, by, [event('moved')], { patch: { rest: { turn } } as Update['patch'] });

test('where turns are told, what a turn of another side brought stands before the next one', async () => {
  const { queue, done } = watched(undefined, { byTurns: true });
  queue.start(now(0), 0);
  queue.push(inTurn(1, 'blue', 0));
  queue.push(inTurn(2, 'blue', 1));
  queue.push(inTurn(3, '', 1));
  queue.push(inTurn(4, 'green', 2));
  await settle();
  const shown = ['show 1', 'rest', 'show 2', 'rest', 'show 3', 'show 4'];
  expect(done.slice(1).filter((each) => each !== 'play')).toEqual(shown);
});

/** Return a queue in which each update is a battle that ends in the event `taken`. */
function fought(changes: Changes = {}) {
  const said = event('taken');
  const rests: { ms: number; words?: string }[] = [];
  const watch = watched(undefined, {
    play: async (_events, _scene, show) => show({ ...STILL, said }),
    rest: async (ms) => void rests.push({ ms, words: watch.match.stage.said?.code }),
    drawn: async () => void words.push(watch.match.stage.said?.code ?? `after ${watch.match.shown}`),
    ...changes,
  });
  const words: string[] = [];
  watch.queue.start(now(0), 0);
  return { ...watch, rests, words };
}

test("the result of another side's battle stays for a second before the next act", async () => {
  const { queue, rests } = fought();
  queue.push(moved(1, 'a2', 'blue'));
  queue.push(moved(2, 'a3', 'green'));
  await settle();
  expect(rests).toHaveLength(1);
  expect(rests[0]?.ms).toBeGreaterThan(900);
  expect(rests[0]?.ms).toBeLessThanOrEqual(1000);
});

test("the player's own act does not wait for that, nor does a player who wants no pauses", async () => {
  for (const [changes, by] of [
    [{}, 'red'],
    [{ answerPause: () => 0 }, 'green'],
  ] as const) {
    const { queue, match, rests } = fought(changes);
    queue.push(moved(1, 'a2', 'blue'));
    queue.push(moved(2, 'a3', by));
    await settle();
    expect([match.shown, rests]).toEqual([2, []]);
  }
});

test('where turns are told, the line on the last battle stays before the words on the whole turn', async () => {
  const { queue, match, rests } = fought({ byTurns: true });
  queue.push(update(1, 'blue', [], { patch: { rest: { turn: 1, to_act: ['red'] } } as Update['patch'] }));
  await settle();
  expect(rests).toMatchObject([{ words: 'taken' }]);
  expect(match.stage).toBe(STILL);
});

test('no older words appear between the line on a battle and the words on the update', async () => {
  const { queue, words } = fought();
  queue.push(moved(1, 'a2', 'blue'));
  await settle();
  expect(words).toEqual(['taken', 'after 1']);
});

test('until chance has drawn for the next side, the turn before goes on standing', async () => {
  const { queue, match } = watched(undefined, { byTurns: true });
  const dueIn = (seq: number, by: string, toAct: string[]): Update =>
    update(seq, by, [event('moved')], { patch: { rest: { turn: 1, to_act: toAct } } as Update['patch'] });
  queue.start(now(0), 0);
  queue.push(dueIn(1, 'blue', []));
  await settle();
  expect([match.lingers, match.busy]).toEqual([true, false]);
  queue.push(dueIn(2, '', ['red']));
  await settle();
  expect([match.lingers, match.busy]).toEqual([false, false]);
});

test('a new connection shows the match as it is, whatever stood before', async () => {
  const { queue, match } = watched(undefined, { byTurns: true });
  queue.start(now(0), 0);
  queue.push(update(1, 'blue', [event('moved')], { patch: { rest: { turn: 1, to_act: [] } } as Update['patch'] }));
  await settle();
  expect(match.lingers).toBe(true);
  queue.start(now(2), 2);
  expect(match.lingers).toBe(false);
});

test('what others do can be skipped, until this side is due', async () => {
  const { queue, match, done, played } = watched(undefined, { byTurns: true, rest: () => new Promise(() => {}) });
  queue.start(now(0), 0);
  queue.push(inTurn(1, 'blue', 1));
  queue.push(inTurn(2, 'green', 2));
  const due = update(3, 'green', [], { patch: { rest: { turn: 3, to_act: ['red'] } } as Update['patch'] });
  await settle();
  expect([match.lingers, match.shown]).toEqual([true, 1]);
  queue.skip();
  await settle();
  expect(match.shown).toBe(2);
  queue.push(due);
  queue.push(inTurn(4, 'red', 4));
  await settle();
  expect([match.shown, played()]).toEqual([4, 2]);
  expect(done.filter((each) => each === 'play')).toHaveLength(2);
});

test('nothing new is shown while somebody looks back', async () => {
  let end = (): void => {};
  const { queue, match } = watched(undefined, { over: new Promise((done) => (end = done)) });
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  await settle();
  expect(match.shown).toBe(0);
  end();
  await settle();
  expect(match.shown).toBe(1);
});

test('a movement can be hastened to its end, but not what stands after it, nor the next one', async () => {
  const never = () => new Promise<void>(() => {});
  const play: Play = async (_events, _scene, show, wait) => {
    show({ ...STILL, falling: ['1'] });
    await wait(1000);
    await wait(1000);
  };
  const { queue, match, done } = watched(undefined, { play, pause: never, rest: never });
  queue.start(now(0), 0);
  expect(queue.hasten()).toBe(false);
  queue.push(moved(1, 'a2'));
  queue.push(moved(2, 'a3', 'blue'));
  await settle();
  expect([match.shown, match.stage.falling]).toEqual([0, ['1']]);
  expect(queue.hasten()).toBe(true);
  await settle();
  expect(done).toEqual(['caught up', 'show 1']);
  expect([place(match), queue.hasten()]).toEqual(['a2', false]);
});

test('the next movement takes its time again', async () => {
  const play: Play = async (_events, _scene, _show, wait) => wait(1000);
  const { queue, match } = watched(undefined, { play, pause: () => new Promise(() => {}), answerPause: () => 0 });
  queue.start(now(0), 0);
  queue.push(update(1, 'red', []));
  queue.push(update(2, 'blue', []));
  await settle();
  queue.hasten();
  await settle();
  expect(match.shown).toBe(1);
  queue.hasten();
  await settle();
  expect(match.shown).toBe(2);
});

test('the board is drawn before what is said of it, and that before the next update', async () => {
  const { queue, match, done } = watched(undefined, { drawn: async () => void done.push('drawn') });
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  await settle();
  expect(done).toEqual(['caught up', 'play', 'drawn', 'show 1', 'drawn']);
  expect(match.busy).toBe(false);
});

test('who has to decide can choose before the pause after the last update is over', async () => {
  for (const next of ['red', 'blue']) {
    const { queue, match } = watched(undefined, { pause: () => new Promise(() => {}) });
    queue.start(now(0), 0);
    const patch = { tokens: [token('1', 'a2')], rest: { to_act: [next] } } as Update['patch'];
    queue.push(update(1, 'blue', [event('moved')], { patch }));
    await settle();
    expect(place(match)).toBe('a2');
    expect(match.busy).toBe(next === 'blue');
  }
});

test('an update whose line broke before it was told of comes again', async () => {
  let draw = (): void => {};
  const { queue, match, done } = watched(undefined, { drawn: () => new Promise((resolve) => (draw = resolve)) });
  queue.start(now(0), 0);
  queue.push(moved(1, 'a2'));
  await settle();
  expect([place(match), match.shown]).toEqual(['a2', 0]);
  queue.start(now(0), 0);
  draw();
  await settle();
  expect(done).toEqual(['caught up', 'play']);
  expect([place(match), match.shown, match.busy]).toEqual(['a1', 0, false]);
});
