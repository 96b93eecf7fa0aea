import { beforeEach, expect, test } from 'vitest';
import { LastMoment } from '../../src/placing/lastmoment';
import { settle } from '../make';

const at = new Map<string, string>();
let asked: Record<string, string>[] = [];
let sent: [string, string][][] = [];
const deployer = {
  at: at as never,
  get complete() {
    return at.size === 2;
  },
  set(found: ReadonlyMap<string, string>) {
    at.clear();
    for (const [place, face] of found) at.set(place, face);
  },
};

function made(): LastMoment {
  const suggest = (placed: Record<string, string>) => {
    asked.push(placed);
    return Promise.resolve(new Map(Object.entries({ a1: 'flag', b1: 'spy', ...placed })));
  };
  return new LastMoment(deployer, { suggest }, () => sent.push([...at]));
}

beforeEach(() => {
  at.clear();
  [asked, sent] = [[], []];
});

test('a complete arrangement is sent shortly before the end, once', () => {
  deployer.set(new Map([['a1', 'spy'], ['b1', 'flag']])); // prettier-ignore
  const last = made();
  for (const left of [Infinity, 6000, 4000, 1600, 1400, 1300, 0]) last.check(left);
  expect(sent).toEqual([[['a1', 'spy'], ['b1', 'flag']]]); // prettier-ignore
  expect(asked).toEqual([]);
});

test('what is missing is asked for in time, around what lies', async () => {
  at.set('b1', 'miner');
  const last = made();
  last.check(6000);
  expect(asked).toEqual([]);
  last.check(4900);
  last.check(4800);
  await settle();
  expect(asked).toEqual([{ b1: 'miner' }]);
  expect(at.size).toBe(1);
  at.set('b1', 'scout');
  last.check(1600);
  await settle();
  expect(asked).toHaveLength(2);
  expect(sent).toEqual([]);
  last.check(1400);
  expect(sent.map((each) => Object.fromEntries(each))).toEqual([{ a1: 'flag', b1: 'scout' }]);
});

test('after the end nothing is sent', () => {
  deployer.set(new Map([['a1', 'spy'], ['b1', 'flag']])); // prettier-ignore
  made().check(0);
  expect(sent).toEqual([]);
});
