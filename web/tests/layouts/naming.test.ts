import { expect, test } from 'vitest';
import { regionLabel } from '../../src/layouts/map/naming';
import type { Region } from '../../src/protocol/messages';
import { words } from '../make';

test('a territory is described by name, city and owner', () => {
  const label = (region: Partial<Region>, hold: string, seat = 'red'): string =>
    regionLabel(words({ family: 'conquest' }), { name: 'Keyfort', ...region } as Region, hold, seat);
  expect(label({ tower: [0, 0] }, 'held.blue')).toBe('Keyfort, a city, held by Blue');
  expect(label({}, '')).toBe('Keyfort, free');
  expect(label({}, 'held.red')).not.toBe(label({}, 'held.red', 'blue'));
});
