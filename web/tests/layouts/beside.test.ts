import { expect, test } from 'vitest';
import { placeBeside, sharedArea } from '../../src/layouts/map/land/beside';

const ROOM = { width: 300, height: 200 };
const zone = { left: 100, top: 80, width: 40, height: 30 };
const wide = { width: 120, height: 20 };
const narrow = { width: 60, height: 40 };

test('a note stands beside its zone', () => {
  const box = placeBeside([wide, narrow], zone, [], ROOM);
  expect(sharedArea(box, zone)).toBe(0);
  expect([box.width, box.left]).toEqual([120, 60]);
  expect(box.top === 57 || box.top === 113).toBe(true);
});

test('a note covers no name and goes to the other side', () => {
  const above = { left: 90, top: 50, width: 80, height: 20 };
  const box = placeBeside([wide], zone, [above], ROOM);
  expect([sharedArea(box, above), sharedArea(box, zone)]).toEqual([0, 0]);
});

test('where one line has no room, a note has more lines', () => {
  const names = [
    { left: 0, top: 0, width: 300, height: 76 },
    { left: 0, top: 114, width: 300, height: 86 },
    { left: 0, top: 76, width: 30, height: 38 },
  ];
  const box = placeBeside(
    [
      { width: 170, height: 20 },
      { width: 60, height: 36 },
    ],
    zone,
    names,
    ROOM,
  );
  expect(box.width).toBe(60);
  expect(names.map((name) => sharedArea(box, name))).toEqual([0, 0, 0]);
});

test('where every place covers something, it covers least', () => {
  const whole = { left: 0, top: 0, width: 300, height: 200 };
  const box = placeBeside([wide, { width: 50, height: 10 }], zone, [whole], ROOM);
  expect(box.width).toBe(50);
});
