import { expect, test } from 'vitest';
import {
  expose,
  fights,
  gather,
  hit,
  lean,
  animate,
  raise,
  reveal,
  see,
  seeHand,
  seeNothing,
  usePower,
  type Movements,
  type Stage,
} from '../../src/board/stage';
import type { Event } from '../../src/protocol/messages';
import { event, scene, token } from '../make';

const MOVEMENTS: Movements = {
  lean,
  sword: usePower(),
  apple: usePower('flag_space', 'flag'),
  expose,
  reveal,
  see,
  seeHand,
  seeNothing,
  hit,
  raise,
  gather,
  ...fights({ won: ['defender'], both: ['attacker', 'defender'], lostHidden: ['attacker'] }),
};
const SCENE = scene([token('r', 'a1'), token('b', 'a2', 'blue'), token('s', 'b1')]);

/** Play events. Return the last stage and the whole duration. */
async function played(...events: Event[]): Promise<{ last: Partial<Stage>; stages: Stage[]; ms: number }> {
  const stages: Stage[] = [];
  let ms = 0;
  const wait = async (time: number) => void (ms += time);
  await animate(MOVEMENTS, events, SCENE, (stage) => stages.push(stage), wait);
  return { last: stages.at(-1) ?? {}, stages, ms };
}

const attack = event('lean', { side: 'red', from: 'a1', to: 'a2' });
const faces = { attacker_face: 'miner', defender_face: 'bomb', space: 'a2' };

test('events without an act move nothing', async () => {
  expect(await played(event('unheard-of'))).toEqual({ last: {}, stages: [], ms: 0 });
});

test('in a battle the attacker leans, both are shown, the loser falls', async () => {
  const won = event('won', faces);
  const { last, stages } = await played(attack, won);
  expect(stages.map(({ falling }) => falling)).toEqual([[], [], ['b']]);
  expect(stages.map(({ said }) => said)).toEqual([attack, attack, won]);
  expect(last).toMatchObject({ lean: { r: 'a2' }, faces: { r: 'miner', b: 'bomb' } });
});

test('both may fall', async () => {
  expect((await played(attack, event('both', faces))).last.falling).toEqual(['r', 'b']);
});

test('a defender that stays hidden is not shown', async () => {
  const { last } = await played(attack, event('lostHidden', { attacker_face: 'miner', space: 'a2' }));
  expect(last).toMatchObject({ faces: { r: 'miner' }, falling: ['r'] });
});

test('a battle whose pieces the viewer is not told of moves nothing', async () => {
  expect((await played(event('won', { space: 'a2' }))).stages).toEqual([]);
});

test('a power is said and stands to be read, and the piece that fights by it stands out', async () => {
  const sword = event('sword', { space: 'b1' });
  const { last, ms } = await played(sword);
  expect(last).toMatchObject({ held: ['s'], raised: [], said: sword });
  expect(ms).toBeGreaterThan(1000);
});

test('the piece that a power comes from is shown with it', async () => {
  const { last } = await played(event('apple', { flag_space: 'a2', space: 'b1' }));
  expect(last).toMatchObject({ held: ['s'], raised: ['b'], faces: { b: 'flag' } });
});

test('a piece that a power shows rises, though its own side sees no other face', async () => {
  const { last } = await played(event('expose', { space: 'a2', face: 'spy' }));
  expect(last).toMatchObject({ raised: ['b'], faces: { b: 'spy' } });
});

test('a battle of a power is fought, said, and its fighter stands back', async () => {
  const won = event('won', faces);
  const { last, stages } = await played(event('sword', { space: 'b1' }), won);
  expect(stages.map(({ lean }) => lean)).toContainEqual({ s: 'a2' });
  expect(last).toMatchObject({ faces: { s: 'miner', b: 'bomb' }, falling: ['b'], lean: {}, said: won });
});

test('a piece is shown, and one that is hit falls', async () => {
  expect((await played(event('reveal', { space: 'a2', face: 'spy' }))).last.faces).toEqual({ b: 'spy' });
  expect((await played(event('hit', { space: 'a2', face: 'spy' }))).last).toMatchObject({ falling: ['b'] });
  expect((await played(event('reveal', { space: 'c3', face: 'spy' }))).stages).toEqual([]);
});

test('what the viewer alone is shown stays to be read', async () => {
  const shown = await played(event('reveal', { space: 'a2', face: 'spy' }));
  const seen = await played(event('see', { space: 'a2', face: 'spy' }));
  expect(seen.ms).toBeGreaterThan(shown.ms + 1000);
  expect((await played(event('seeNothing'))).ms).toBeGreaterThan(1000);
});

test('a hand is shown card by card', async () => {
  const card = (face: string) => event('seeHand', { side: 'blue', face });
  expect((await played(card('spy'), card('flag'))).last.hands).toEqual({ blue: ['spy', 'flag'] });
});

test('pieces that are looked at are raised, by either way of naming them', async () => {
  expect((await played(event('raise', { first_space: 'a2', second_space: 'c9' }))).last.raised).toEqual(['b']);
  expect((await played(event('raise', { spaces: ['a1', 'b1'] }))).last.raised).toEqual(['r', 's']);
});

test('a side takes up all its pieces', async () => {
  expect((await played(event('gather', { side: 'red' }))).last.gathered).toEqual(['r', 's']);
});
