import { expect, test } from 'vitest';
import type { Emphasis } from '../../src/board/emphasis';
import { byTurns, sideOfTurn, Telling } from '../../src/match/news/telling.svelte';
import { event, scene, update } from '../make';

const RULES: Emphasis = { placed: 'placed', onTheWay: ['aimed'], small: [], idle: [], lasting: ['battle'] };
const codes = (events: readonly { code: string }[]): string => events.map(({ code }) => code).join(' ');
const told = (telling: Telling): string[] => telling.log.map(({ by, events }) => `${by || 'chance'}: ${codes(events)}`);
const make = (): Telling => new Telling({ emphasis: RULES, side: 'red' });

test('each decision is an entry of the log, with the number of its turn', () => {
  const telling = make();
  telling.add(update(1, 'red', [event('ready')]), scene([], { started: false, turn: 0 }));
  telling.add(update(2, 'red', [event('moved')]), scene([], { turn: 0 }));
  telling.add(update(3, 'blue', [event('moved')]), scene([], { turn: 1 }));
  expect(told(telling)).toEqual(['red: ready', 'red: moved', 'blue: moved']);
  expect(telling.log.map(({ turn }) => turn)).toEqual([0, 1, 2]);
});

test('what chance does in a row is one entry', () => {
  const telling = make();
  for (const [seq, by, code] of [
    [1, 'red', 'moved'],
    [2, '', 'drew'],
    [3, '', 'shuffled'],
    [4, 'blue', 'moved'],
  ] as const)
    telling.add(update(seq, by, [event(code)]), scene());
  expect(told(telling)).toEqual(['red: moved', 'chance: drew shuffled', 'blue: moved']);
});

test('a draft and a silent update leave no entry', () => {
  const telling = make();
  telling.add(update(1, 'red', [event('chosen')], { draft: true }), scene());
  telling.add(update(2, 'red', []), scene());
  expect(telling.log).toEqual([]);
  expect(codes(telling.latest)).toBe('chosen');
});

test('what is done on the way to a choice is told and not kept', () => {
  const telling = make();
  expect(codes(telling.add(update(1, 'red', [event('aimed'), event('hit')]), scene()))).toBe('aimed hit');
  expect(told(telling)).toEqual(['red: hit']);
});

test('what a side does in several decisions stands together', () => {
  const telling = make();
  telling.add(update(1, 'red', [event('card')]), scene());
  telling.add(update(2, '', [event('drew')]), scene());
  telling.add(update(3, 'red', [event('moved')]), scene());
  expect(codes(telling.latest)).toBe('card drew moved');
  telling.add(update(4, 'blue', [event('moved')]), scene());
  expect(codes(telling.latest)).toBe('moved');
});

test('each turn is told anew, though the same side acts again', () => {
  const telling = make();
  telling.add(update(1, 'red', [event('ready')]), scene([], { started: false }));
  telling.add(update(2, '', [event('start')]), scene([], { started: false }));
  telling.add(update(3, 'red', [event('moved')]), scene());
  expect(codes(telling.latest)).toBe('moved');
});

test('what comes again is forgotten first', () => {
  const telling = make();
  for (const seq of [1, 2, 3]) telling.add(update(seq, 'red', [event('moved')]), scene());
  telling.rewind(2);
  expect(telling.log.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('the live region says events and then the status, and keeps the newest lines', () => {
  const telling = make();
  telling.say([event('moved')], { code: 'turn', args: {} });
  expect(telling.spoken.map(({ prefix, lines }) => `${prefix}.${lines[0]?.code}`)).toEqual([
    'event.moved',
    'status.turn',
  ]);
  for (let index = 0; index < 20; index += 1) telling.say([event('moved')]);
  expect(telling.spoken).toHaveLength(12);
  expect(new Set(telling.spoken.map(({ key }) => key)).size).toBe(12);
});

test('how an own act ended stays until one acts again, whoever acts meanwhile', () => {
  const telling = make();
  const act = (seq: number, by: string, ...does: string[]): string => {
    telling.add(
      update(
        seq,
        by,
        does.map((code) => event(code)),
      ),
      scene(),
    );
    return codes(telling.lasting);
  };
  expect(act(1, 'red', 'attacked', 'battle')).toBe('');
  expect(act(2, 'blue', 'moved')).toBe('battle');
  expect(act(3, 'green', 'battle')).toBe('battle');
  expect(act(4, 'red', 'moved')).toBe('');
  expect(act(5, 'blue', 'battle')).toBe('');
});

const MAP: Emphasis = { ...RULES, byTurns: true, small: ['turn'], weigh: ({ code }) => (code === 'battle' ? 0 : 1) };

test('where a turn holds many acts, the result of the last one is known until the turn ends', () => {
  const telling = new Telling({ emphasis: MAP, side: 'red' });
  let turn = 0;
  const fresh = (by: string, ...told: string[]): string => {
    const events = told.map((code) => event(code));
    const before = scene([], { turn });
    if (told.includes('end')) turn += 1;
    telling.add(update(1, by, events), before, scene([], { turn }));
    return codes(telling.fresh);
  };
  expect(fresh('red', 'moved', 'battle')).toBe('moved battle');
  expect(fresh('red', 'card')).toBe('card');
  expect(fresh('', 'drew')).toBe('card drew');
  expect(codes(telling.latest)).toBe('moved battle card drew');
  expect(fresh('red', 'end')).toBe('end');
  expect(fresh('blue', 'moved')).toBe('moved');
  expect(fresh('blue', 'battle')).toBe('battle');
  expect(fresh('blue', 'moved', 'end')).toBe('');
  expect(fresh('', 'drew')).toBe('');
});

test('where turns are told, the live region says a turn of another side once, in order of time', () => {
  const telling = new Telling({ emphasis: MAP, side: 'red' });
  const now = (turn: number, due: string) => scene([], { turn, to_act: [due], status: { code: due, args: {} } });
  telling.tell([event('card')], now(1, 'blue'), now(1, 'blue'));
  telling.tell([event('moved'), event('battle'), event('turn')], now(1, 'blue'), now(2, 'green'));
  telling.tell([event('moved')], now(2, 'green'), now(3, 'red'));
  telling.tell([event('moved')], now(3, 'red'), now(3, 'red'));
  const said = telling.spoken.map(({ prefix, lines }) => `${prefix}: ${codes(lines)}`);
  expect(said).toEqual(['event: card moved battle', 'event: moved', 'status: red', 'event: moved', 'status: red']);
});

test('where turns are told, what chance does for a side stands with what that side does', () => {
  const telling = new Telling({ emphasis: MAP, side: 'red' });
  const add = (seq: number, by: string, turn: number, code: string): string => {
    telling.add(update(seq, by, [event(code)]), scene([], { turn }));
    return codes(telling.latest);
  };
  expect(add(1, 'blue', 1, 'moved')).toBe('moved');
  expect(add(2, '', 2, 'drew')).toBe('drew');
  expect(add(3, 'green', 2, 'card')).toBe('drew card');
  telling.add(update(4, '', [event('drew', { side: 'red' })]), scene([], { turn: 3 }));
  expect(codes(telling.latest)).toBe('drew card drew');
});

test('the log puts together what belongs to one turn', () => {
  const entry = (seq: number, by: string, turn: number) => ({ seq, by, turn, events: [event(`e${seq}`)] });
  const log = [entry(1, 'red', 0), entry(2, 'red', 0), entry(3, '', 1), entry(4, 'red', 1), entry(5, 'blue', 2)];
  expect(byTurns(log).map(({ by, events }) => `${by}: ${codes(events)}`)).toEqual([
    'red: e1',
    'red: e2',
    'red: e3 e4',
    'blue: e5',
  ]);
});

test('a turn that has only begun belongs to the side that draws', () => {
  const drew = { seq: 1, by: '', turn: 1, events: [event('shuffled'), event('drew', { side: 'blue', card: 'blitz' })] };
  expect(sideOfTurn(drew)).toBe('blue');
  expect(sideOfTurn({ ...drew, by: 'red' })).toBe('red');
  expect(sideOfTurn({ ...drew, events: [] })).toBe('');
});
