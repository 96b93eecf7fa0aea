import { expect, test } from 'vitest';
import { clocksAt } from '../../src/replay/clocks';

test('the clocks are those after the last step that has some', () => {
  const told = [{}, { red: 900 }, {}, { red: 900, blue: 800 }] as Record<string, number>[];
  const steps = told.map((clocks) => ({ clocks }));
  const found = [0, 1, 2, 3, 4].map((at) => clocksAt(steps, at));
  expect(found).toEqual([{}, {}, { red: 900 }, { red: 900 }, { red: 900, blue: 800 }]);
});
