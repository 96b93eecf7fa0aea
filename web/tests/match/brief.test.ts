import { describe, expect, test } from 'vitest';
import { brief, weightiest } from '../../src/match/news/brief';

const NEWS = {
  kept: ['You: Miner (3) falls to Captain (6) on b6.'],
  all: ['Blue attacks from f2 to g2.', 'Spy (1) and Spy (1) both fall on g2.', 'The Shroud returns a Scout to e8.'],
  plain: ['Blue: Spy (1) and Spy (1) both fall on g2.', 'The Shroud returns a Scout to e8.'],
  battle: 'Blue: Spy (1) and Spy (1) both fall on g2.',
};
const [fight = '', shroud = ''] = NEWS.plain;

test('all that there is room for is said, the newest before what one did oneself', () => {
  expect(brief(NEWS, 200)).toBe([...NEWS.kept, ...NEWS.all].join(' '));
  expect(brief(NEWS, 130)).toBe([...NEWS.kept, fight, shroud].join(' '));
  expect(brief(NEWS, 100)).toBe(NEWS.all.join(' '));
  expect(brief(NEWS, 80)).toBe(`${fight} ${shroud}`);
});

test('where there is room for one sentence only, it is the battle', () => {
  expect(brief(NEWS, 60)).toBe(`${fight} …`);
  expect(brief({ kept: [], all: ['One.', 'A longer one.'], plain: ['One.', 'A longer one.'] }, 14)).toBe(
    '… A longer one.',
  );
});

test('of many, the first and the last that fit', () => {
  const plain = ['The Sword attacks two.', 'One is shown.', 'Another is shown.', 'One falls.'];
  expect(brief({ kept: [], all: plain, plain }, 40)).toBe('The Sword attacks two. … One falls.');
});

describe('where events are weighed', () => {
  const events = ['Blue plays Blitz.', 'Green moves.', 'You lose your Flag.', 'Moves: 3.'];
  const [blitz = '', moves = '', flag = '', left = ''] = events;
  const ranked = [flag, blitz, moves, left];
  const say = (most: number, kept: string[] = []): string =>
    weightiest({ events, ranked, kept }, (some) => [...some], most);

  test('the weightiest are said, the oldest first', () => {
    expect(say(100)).toBe(events.join(' '));
    expect(say(52)).toBe(`${blitz} ${moves} ${flag} …`);
    expect(say(40)).toBe(`${blitz} ${flag} …`);
    expect(say(4)).toBe(`${flag} …`);
  });

  test('the dots come first where only older events are left out', () => {
    const newest = [flag, left, moves, blitz];
    expect(weightiest({ events, ranked: newest, kept: [] }, (some) => [...some], 45)).toBe(
      `… ${moves} ${flag} ${left}`,
    );
  });

  test('what one did oneself comes first and is dropped first', () => {
    expect(say(100, ['You: a battle.'])).toBe(['You: a battle.', ...events].join(' '));
    expect(say(65, ['You: a battle.'])).toBe(events.join(' '));
  });
});
