import { expect, test } from 'vitest';
import { clocksAt, type TimedStep } from '../../src/replay/clocks';

test('the clocks are those after the last step that has some', () => {
  const steps: TimedStep[] = [{}, { clocks: { red: 900 } }, { clocks: {} }, { clocks: { red: 900, blue: 800 } }];
  expect([0, 1, 2, 3, 4].map((at) => clocksAt(steps, at))).toEqual([
    {},
    {},
    { red: 900 },
    { red: 900 },
    { red: 900, blue: 800 },
  ]);
});
