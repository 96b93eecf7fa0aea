import jsQR from 'jsqr';
import { expect, test } from 'vitest';
import { drawCode, EDGE, makeCode } from '../../src/match/people/code';

const LINK = 'https://play.example.org/match/3kq0n5x7w2?language=en#invite.Zk3mV9aXw0_-QkLrT5yB8cN1dF6gH2jS';

/** Return the text that a camera reads from modules of this many pixels. */
function scan(modules: boolean[][], scale = 4): string | undefined {
  const size = (modules.length + 2 * EDGE) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let at = 0; at < size * size; at += 1) {
    const [y, x] = [Math.floor(at / size / scale) - EDGE, Math.floor((at % size) / scale) - EDGE];
    if (modules[y]?.[x]) pixels.set([0, 0, 0], at * 4);
  }
  return jsQR(pixels, size, size)?.data;
}

test('a camera reads the link from its code', () => {
  expect(scan(makeCode(LINK))).toBe(LINK);
});

test('the outline has each dark module once', () => {
  const modules = makeCode(LINK);
  expect(drawCode(modules).match(/M/g)).toHaveLength(modules.flat().filter(Boolean).length);
  expect(drawCode([[false, true]])).toBe(`M${EDGE + 1} ${EDGE}h1v1h-1z`);
});
