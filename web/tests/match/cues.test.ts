import { expect, test } from 'vitest';
import { cueOf } from '../../src/match/updates/cues';
import { event, scene, update } from '../make';

const FALLEN = { won: ['defender'], lost: ['attacker'], both: ['attacker', 'defender'] } as const;
const due = (...sides: string[]) => scene([], { to_act: sides });
const cue = (by: string, code: string, side = 'red', args = {}): string =>
  cueOf(update(1, by, [event('moved'), event(code, args)]), due('red'), due('blue'), side, FALLEN);

test('a battle is heard as it went for the own side', () => {
  expect([cue('red', 'won'), cue('red', 'lost'), cue('red', 'both')]).toEqual(['won', 'lost', 'drawn']);
  expect([cue('blue', 'won'), cue('blue', 'lost')]).toEqual(['lost', 'won']);
  expect([cue('blue', 'won', 'red', { other: 'green' }), cue('blue', 'won', '')]).toEqual(['move', 'move']);
});

test('a turn that comes, a move, the end; nothing for chance and drafts', () => {
  const one = update(1, 'blue', [event('moved')]);
  expect(cueOf(one, due('blue'), due('red'), 'red', FALLEN)).toBe('turn');
  expect(cueOf(one, due('blue'), due('red'), '', FALLEN)).toBe('move');
  expect(cueOf(one, due('blue'), due(), 'red', FALLEN)).toBe('move');
  const over = scene([], { status: { code: 'over', args: {} } });
  expect(cueOf(one, due('blue'), over, 'red', FALLEN)).toBe('end');
  expect(cueOf({ ...one, draft: true }, due('blue'), due('red'), 'red', FALLEN)).toBe('');
  expect(cueOf({ ...one, by: '' }, due('blue'), due('red'), 'red', FALLEN)).toBe('');
});
