import { expect, test } from 'vitest';
import { askChanges, PAUSES_MS, signed } from '../../src/match/end/changes';
import type { MatchRatings } from '../../src/protocol/messages';

const after = { rating: 1476, deviation: 320, provisional: true, matches: 1 };
const told: MatchRatings = {
  rated: true,
  seats: [{ player: 0, before: { ...after, rating: 1500, matches: 0 }, after }],
};

function asking(answers: readonly (MatchRatings | Error)[]) {
  const pauses: number[] = [];
  let asked = 0;
  const ask = () => {
    const answer = answers[Math.min(asked++, answers.length - 1)] as MatchRatings | Error;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { ask, pauses, pause: (ms: number) => Promise.resolve(pauses.push(ms)) };
}

test('the page asks again until the changes are there', async () => {
  const { ask, pauses, pause } = asking([{ rated: true, seats: [] }, new Error('away'), told]);
  expect(await askChanges(ask, pause, () => false)).toEqual(told.seats);
  expect(pauses).toEqual(PAUSES_MS.slice(0, 2));
});

test('the page stops asking after a while, and for another match', async () => {
  const never = asking([{ rated: false, seats: [] }]);
  expect(await askChanges(never.ask, never.pause, () => false)).toEqual([]);
  expect(never.pauses).toEqual(PAUSES_MS);
  const gone = asking([{ rated: true, seats: [] }, told]);
  expect(await askChanges(gone.ask, gone.pause, () => true)).toEqual([]);
});

test('changes have a sign', () => {
  expect([signed(24), signed(-24), signed(0)]).toEqual(['+24', '–24', '+0']);
});
