import { afterEach, expect, test, vi } from 'vitest';
import { curve, dearest, Study } from '../../src/replay/analysis.svelte';
import type { Judgement } from '../../src/protocol/messages';
import { settle } from '../make';

const judged = (step: number, best: number, chance: number): Judgement => ({
  step,
  best,
  chance,
  path: [],
  better: [],
  face: '',
  better_face: '',
  dropped: false,
});

/** Make a server that sends the given text piece by piece, and notices when the client leaves. */
function serve(): { send: (text: string) => void; end: () => void; left: () => boolean } {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let signal: AbortSignal | null | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    signal = init.signal;
    return Promise.resolve(new Response(body));
  });
  return {
    send: (text) => stream?.enqueue(new TextEncoder().encode(text)),
    end: () => stream?.close(),
    left: () => signal?.aborted ?? false,
  };
}

afterEach(() => vi.unstubAllGlobals());

test('the three that cost most are named, none that cost next to nothing', () => {
  const all = [
    judged(1, 0.5, 0.49),
    judged(3, 0.6, 0.2),
    judged(5, 0.6, 0.5),
    judged(7, 0.9, 0.1),
    judged(9, 0.5, 0.4),
  ];
  expect(dearest(all).map(({ step }) => step)).toEqual([7, 3, 5]);
  expect(dearest(all.slice(0, 1))).toEqual([]);
});

test('the mistakes can stand in the order of the time that they took', async () => {
  const server = serve();
  const study = new Study('m', (step) => ({ 3: 9000, 5: 20_000 })[step] ?? 0);
  void study.start('red');
  const all = [judged(3, 0.6, 0.2), judged(4, 0.5, 0.5), judged(5, 0.6, 0.5), judged(7, 0.9, 0.1)];
  server.send(`${JSON.stringify({ analysis: { side: 'red', seconds: 1, judged: all } })}\n`);
  server.end();
  await settle();
  expect(study.dearest.map(({ step }) => step)).toEqual([7, 3, 5]);
  study.order = 'time';
  expect(study.dearest.map(({ step }) => step)).toEqual([5, 3, 7]);
});

test('a chance of nothing lies at the foot of the curve, the end of the match at its right', () => {
  expect(curve([judged(4, 1, 1), judged(9, 0.5, 0)], 10, 100, 50)).toEqual([
    [50, 0],
    [100, 50],
  ]);
});

test('news are heard as they come, cut anywhere', async () => {
  const server = serve();
  const study = new Study('m');
  void study.start('red');
  server.send('{"done":1,"to');
  server.send('tal":4}\n{"done"');
  await settle();
  expect([study.running, study.done, study.total]).toEqual([true, 1, 4]);
  server.send(':0,"analysis":{"side":"red","seconds":0.2,"judged":[]}}\n');
  server.end();
  await settle();
  expect([study.running, study.analysis?.side]).toEqual([false, 'red']);
});

test('who stops leaves the server, and hears nothing more', async () => {
  const server = serve();
  const study = new Study('m');
  void study.start('red');
  server.send('{"done":1,"total":4}\n');
  await settle();
  study.stop();
  expect([study.running, server.left()]).toEqual([false, true]);
  server.send('{"line":{"code":"analysis-failed","args":{}}}\n');
  await settle();
  expect(study.failed).toBeNull();
});

test('news that end without an analysis are a failure', async () => {
  const server = serve();
  const study = new Study('m');
  void study.start('red');
  server.send('{"done":1,"total":4}\n');
  server.end();
  await settle();
  expect([study.running, study.failed?.code]).toEqual([false, 'analysis-failed']);
});
