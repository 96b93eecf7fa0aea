import { expect, test } from 'vitest';
import { goTo, momentOf } from '../../src/replay/moment';
import type { Playback } from '../../src/replay/playback.svelte';

function sit() {
  const playback = {
    observer: 'everything',
    at: 7,
    observers: ['red', 'everything'],
    go: (at: number) => (playback.at = at),
  };
  return playback as unknown as Playback;
}

test('an address names a moment, and leads back to it', () => {
  const playback = sit();
  expect(momentOf(playback)).toBe('#everything/7');
  goTo(playback, '#red/3');
  expect([playback.observer, playback.at]).toEqual(['red', 3]);
});

test('what it does not name stays', () => {
  const moments = ['', '#', '#red', '#red/', '#red/x', '#<b>/3', '#red/3/4', '#-1'].map((hash) => {
    const playback = sit();
    goTo(playback, hash);
    return momentOf(playback);
  });
  expect(new Set(moments)).toEqual(new Set(['#everything/7']));
  const playback = sit();
  goTo(playback, '#nobody/2');
  expect(momentOf(playback)).toBe('#everything/2');
});
