import { expect, test, vi } from 'vitest';
import { ApiError, lineOf, game, openRecord } from '../../src/protocol/api';

const answer = (status: number, body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })),
  );

async function failure(): Promise<unknown> {
  return game('a/b').catch(lineOf);
}

test('an answer is handed on', async () => {
  answer(200, { id: 'x' });
  expect(await game('a/b')).toEqual({ id: 'x' });
  expect(fetch).toHaveBeenCalledWith('/api/games/a%2Fb', {});
});

test('what is sent is sent as JSON', async () => {
  answer(201, {});
  await openRecord('text');
  expect(vi.mocked(fetch).mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"text":"text"}' });
});

test("a refusal is the server's own line", async () => {
  answer(404, { line: { code: 'no-match' } });
  expect(await failure()).toEqual({ code: 'no-match', args: {} });
});

test('another answer, and none, have lines too', async () => {
  answer(502, '<html>');
  expect(await failure()).toEqual({ code: 'no-server', args: { status: 502 } });
  answer(418, '<html>');
  expect(await failure()).toEqual({ code: 'failed', args: { status: 418 } });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await failure()).toEqual({ code: 'no-server', args: {} });
  await expect(game('x')).rejects.toBeInstanceOf(ApiError);
  expect(lineOf(new Error('odd'))).toEqual({ code: 'failed', args: { status: 'Error: odd' } });
});
