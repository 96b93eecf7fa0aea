import { describe, expect, test, vi } from 'vitest';
import { chooseLanguage, loadCatalogues, type Catalogues } from '../../src/words/catalogues';
import type { PieceNames } from '../../src/protocol/messages';
import { regional } from '../../src/words/language.svelte';
import { Names } from '../../src/words/names.svelte';
import { Grammar } from '../../src/words/wording';
import { Words } from '../../src/words/words.svelte';
import { ENGLISH, event, squares, words } from '../make';

const CATALOGUES: Catalogues = {
  language: 'en',
  all: {
    'agents.own': '{name}, of this server',
    'side.red': 'Red',
    'side.blue': 'Blue',
    'status.act': 'Choose',
    'board.empty': 'empty',
    'board.empty.table': 'gap',
    'event.moved': '{side}: {from} to {to}.',
    'event.won': '{attacker_face} takes {faces} on {space}.',
    'event.drew': '{side} draws {cards}.',
    'event.picked': '{other} chooses {territory}.',
    'region.near': 'Borders {territories}.',
    'region.borders': '{territory} borders {territories}.',
    'log.ranked': '{name} ({rank})',
    'log.of': '{side}: {words}',
    'log.own': 'You: {words}',
    'log.repeated': '{words} ×{count}.',
    'event.took-back': '{side} took a move back.',
    'event.took-back.you': 'You took a move back.',
    'refusal.off': 'No {thing}.',
    'score.cards': '{count} cards',
    'score.cards.one': '1 card',
    'settings.table': '{set}, {language}',
  },
  families: new Map<string, Record<string, string>>([
    [
      'cards',
      {
        'status.act': 'Choose a card',
        'event.saw': '{space:Name}: {face}.',
        'space.b1': "Blue's first card",
        'space.b1.blue': 'your first card',
      },
    ],
    ['board', {}],
  ]),
  grammar: new Grammar('en', {}),
};
const table = (title: string, language: string, names: Record<string, string>, genders = {}): PieceNames => ({
  title,
  language,
  names,
  genders,
});
const TABLES = {
  en: table('Ranks', 'English', { scout: 'Scout', captain: 'Captain', blitz: 'Blitz' }),
  de: table('Ränge', 'Deutsch', { scout: 'Aufklärer' }, { scout: 'm' }),
  'old.de': table('Old set', '', { scout: 'Späher' }),
};

function made(chosen = ''): Words {
  const names = new Names(
    () => 'en',
    () => chosen,
  );
  names.tables = TABLES;
  return new Words(() => CATALOGUES, names);
}

describe('messages', () => {
  const { t, has } = made();

  test('a missing one shows its code, a missing argument its name', () => {
    expect(t('no.such')).toBe('no.such');
    expect(has('no.such')).toBe(false);
    expect(t('refusal.off')).toBe('No {thing}.');
    expect(t('refusal.off', { thing: 0 })).toBe('No 0.');
  });

  test('an argument is worded by its name', () => {
    expect(t('event.moved', { side: 'red', from: 'a1', to: 'a2' })).toBe('Red: a1 to a2.');
    expect(t('event.won', { attacker_face: 'captain', faces: ['scout', 'spy'], space: 'a1' })).toBe(
      'Captain (6) takes Scout and spy on a1.',
    );
    expect(t('event.drew', { side: 'blue', cards: ['blitz', 'scout'] })).toBe('Blue draws Blitz and Scout.');
    expect(t('event.picked', { other: 'red', territory: 'kf' })).toBe('Red chooses kf.');
    expect(t('event.picked', { other: 'me', territory: 'kf' })).toBe('me chooses kf.');
  });

  test('of a count, the variant for its number is said', () => {
    expect([0, 1, 2].map((count) => t('score.cards', { count }))).toEqual(['0 cards', '1 card', '2 cards']);
  });
});

describe('what is spoken of', () => {
  const board = { ...squares(1, 1), layout: 'table' };
  const named = { ...board, spaces: [{ id: 'a1', name: 'Lookout', place: [0, 0] as [number, number] }] };

  test('families go by their names', () => {
    expect(ENGLISH.families.size).toBeGreaterThan(0);
    for (const family of ENGLISH.families.keys()) expect(ENGLISH.all).toHaveProperty([`family.${family}`]);
  });

  test("the words of a match's own family come first", () => {
    expect(made().t('status.act')).toBe('Choose');
    expect(
      made()
        .about(() => ({ family: 'cards' }))
        .t('status.act'),
    ).toBe('Choose a card');
    expect(
      made()
        .about(() => ({ family: 'board' }))
        .t('status.act'),
    ).toBe('Choose');
  });

  test('so do its words for places', () => {
    const cards = made().about(() => ({ family: 'cards', board }));
    expect(cards.t('event.moved', { side: 'red', from: 'b1', to: 'a1' })).toBe("Red: Blue's first card to a1.");
    expect(cards.spaceName('b1', 'b1')).toBe("Blue's first card");
    expect(made().spaceName('b1', 'b1')).toBe('b1');
  });

  test('and others for places of the side that reads, which may begin a sentence', () => {
    const seat = (side: string) => made().about(() => ({ family: 'cards', board, seat: side }));
    expect(seat('blue').spaceName('b1')).toBe('your first card');
    expect(seat('red').spaceName('b1')).toBe("Blue's first card");
    expect(seat('blue').event({ code: 'saw', args: { space: 'b1', face: 'scout' } })).toBe('Your first card: Scout.');
  });

  test('what happens in every family is said to the side that did it', () => {
    const seat = (side: string) => made().about(() => ({ family: 'cards', seat: side }));
    const back = { code: 'took-back', args: { side: 'red' } };
    expect(['red', 'blue', ''].map((side) => seat(side).event(back))).toEqual([
      'You took a move back.',
      'Red took a move back.',
      'Red took a move back.',
    ]);
  });

  test('a layout may have its own', () => {
    expect(
      made()
        .about(() => ({ board }))
        .t('board.empty'),
    ).toBe('gap');
    expect(
      made()
        .about(() => ({ board: squares(1, 1) }))
        .t('board.empty'),
    ).toBe('empty');
  });

  test('spaces and regions go by their names', () => {
    const region = { lines: [], place: [0, 0] as [number, number], size: 1, tone: 0 };
    const regions = [
      { ...region, id: 'kf', name: 'Keyfort' },
      { ...region, id: 'qu', name: 'Quarl' },
    ];
    const words = made().about(() => ({ board: { ...named, regions } }));
    expect(words.spaceName('a1')).toBe('Lookout');
    expect(words.spaceName('z9')).toBe('z9');
    expect(words.t('event.picked', { other: 'red', territory: 'kf' })).toBe('Red chooses Keyfort.');
    expect(words.t('region.near', { territories: ['kf', 'x'] })).toBe('Borders Keyfort and x.');
    expect(words.t('region.borders', { territory: 'kf', territories: ['qu', 'or'] })).toBe(
      'Keyfort borders Quarl and or.',
    );
  });

  test('two stand side by side', () => {
    const words = made();
    const [one, other] = [words.about(() => ({ family: 'cards' })), words.about(() => ({ family: 'board' }))];
    expect([one.t('status.act'), other.t('status.act')]).toEqual(['Choose a card', 'Choose']);
  });
});

describe('names', () => {
  test('the chosen table comes first, then the English one', () => {
    expect(made('de').faceName('scout')).toBe('Aufklärer');
    expect(made('de').faceName('captain')).toBe('Captain');
    expect(made('none').faceName('spy')).toBe('spy');
  });

  test('a table goes by its title and its language', () => {
    const words = made();
    expect(words.names.list()).toEqual(['de', 'en', 'old.de']);
    expect(words.names.list().map(words.tableName)).toEqual(['Deutsch', 'English', 'Old set, Deutsch']);
  });

  test('genders are of use to their own language only', () => {
    const named = (language: string, chosen: string) => {
      const names = new Names(
        () => language,
        () => chosen,
      );
      names.tables = TABLES;
      return names.find('scout');
    };
    expect(named('de', '')).toEqual({ text: 'Aufklärer', gender: 'm' });
    expect(named('en', 'de')).toEqual({ text: 'Aufklärer', gender: '' });
  });

  test('a computer player without words is one of this server, by its own name', () => {
    expect(made().agentTitle('deep')).toBe('deep, of this server');
  });
});

test('the same telling several times in a row is said once', () => {
  const draw = (side: string) => event('drew', { side, cards: ['scout'] });
  expect(made().tellings([draw('red'), draw('red'), draw('blue'), draw('red')])).toEqual([
    'Red draws Scout ×2.',
    'Blue draws Scout.',
    'Red draws Scout.',
  ]);
});

test('what differs only in the card or piece that it names is told as one', () => {
  const { tellings } = words({ family: 'conquest', seat: 'blue' });
  const draw = (card: string, side = 'red') => event('drew', { side, card });
  const mixed = [draw('regroup'), draw('reinforcements'), draw('regroup'), draw('blitz')];
  expect(tellings(mixed)).toEqual(['Red draws Regroup ×2, Reinforcements, and Blitz.']);
  expect(tellings(mixed.map(({ args }) => draw(String(args?.card), 'blue')))).toEqual([
    'You draw Regroup ×2, Reinforcements, and Blitz.',
  ]);
  expect(tellings([draw('blitz'), draw('blitz'), draw('regroup', 'blue')])).toEqual([
    'Red draws Blitz ×2.',
    'You draw Regroup.',
  ]);
  const cards = words({ family: 'cardgame', seat: 'red' });
  const piece = (face: string) => event('drew', { side: 'red', face });
  expect(cards.tellings([piece('bomb'), piece('bomb'), piece('scout')])).toEqual(['You draw: Bomb ×2 and Scout.']);
});

test('where else something differs, each is told by itself', () => {
  const { tellings } = words({ family: 'conquest' });
  const saw = (face: string, space: string) => event('saw', { face, other: 'blue', space });
  expect(tellings([saw('king', 'e1'), saw('spy', 'e2')])).toHaveLength(2);
});

test('how a battle ended is said with whose attack it was, unless the event names both', () => {
  const won = { code: 'won', args: { side: 'red', attacker_face: 'scout', faces: ['captain'], space: 'a1' } };
  const seat = (side: string) => made().about(() => ({ family: 'board', seat: side }));
  expect(seat('blue').battle(won)).toBe('Red: Scout (2) takes Captain on a1.');
  expect(seat('red').battle(won)).toBe('You: Scout (2) takes Captain on a1.');
  expect(seat('blue').battle({ ...won, args: { ...won.args, other: 'blue' } })).toBe('Scout (2) takes Captain on a1.');
});

test("a language is written as in the reader's country", () => {
  expect(regional('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(regional('fr', ['de-AT', 'en-GB'])).toBe('fr');
});

test('a language tag that the browser refuses leaves the plain language', () => {
  vi.stubGlobal('navigator', { languages: ['en-US@posix'] });
  expect(words().date(0)).toContain('1970');
  expect(['de_DE@euro', 'fr.utf8', 'C'].map((tag) => chooseLanguage([tag]))).toEqual(['de', 'fr', 'en']);
});

describe('the reader', () => {
  const EVENT = /^event\.[a-z-]+$/;
  /** Events that the side they name never gets. */
  const OTHERS = /-hidden$|^event\.saw-(hand|empty)$/;

  test.each([...ENGLISH.families.keys()])('is "you" in every event of %s', (family) => {
    const about = words().about(() => ({ family, seat: 'red' }));
    const codes = Object.keys({ ...ENGLISH.families.get(family) }).filter((code) => EVENT.test(code));
    for (const code of codes.filter((each) => !OTHERS.test(each))) {
      const named = (args: Record<string, string>): string => about.event({ code: code.slice(6), args });
      expect([code, named({ side: 'red', other: 'blue' })]).not.toContainEqual(expect.stringContaining('Red'));
      expect([code, named({ side: 'blue', other: 'red' })]).not.toContainEqual(expect.stringContaining('Red'));
    }
    expect(codes.length).toBeGreaterThan(5);
  });

  test('is "you" in statuses, refusals and lists of sides', () => {
    const about = words().about(() => ({ family: 'conquest', seat: 'red' }));
    expect(about.line('status', { code: 'drawing', args: { side: 'red' } })).toBe('You draw cards');
    expect(about.line('status', { code: 'drawing', args: { side: 'blue' } })).toBe('Blue draws cards');
    expect(about.refusal({ code: 'taken', args: { side: 'red', territory: 'Kf' } })).toMatch(/^You have chosen/);
    expect(about.line('headline', { code: 'choosing', args: { sides: ['red', 'blue'] } })).toBe(
      'Next to choose: you and Blue.',
    );
  });
});

test('messages about players say names, messages about pieces say colours', () => {
  const players = { red: '', blue: 'Ada' };
  const own = words({ family: 'grid', seat: 'red', players });
  expect(own.t('draw.offered', { side: 'blue' })).toBe('Ada offers a draw.');
  expect(own.t('claim.now', { side: 'blue' })).toBe('Ada has been away too long.');
  expect(own.t('status.turn', { side: 'blue' })).toBe('Ada to move');
  expect(own.t('rematch.offered', { side: ['blue'] })).toBe('Ada asks for a rematch.');
  expect(own.t('tray.lost', { side: 'blue' })).toBe('Blue: lost');
  expect(own.t('draw.offered', { side: 'red' })).toBe('Red offers a draw.');
  const watching = words({ family: 'grid', players });
  expect(watching.t('result.won', { side: 'blue' })).toBe('Ada (Blue) wins.');
  const many = words({ seat: 'red', players: { ...players, green: 'Bo' } });
  expect(many.t('draw.offered-all', { sides: ['blue', 'green'] })).toBe('Ada (Blue) and Bo (Green) offer a draw.');
});

test('a name from right to left does not reorder the sentence around it', () => {
  const own = words({ seat: 'red', players: { red: '', blue: '\u05d9\u05d5\u05e0\u05d4' } });
  expect(own.t('draw.offered', { side: 'blue' })).toBe('\u2068\u05d9\u05d5\u05e0\u05d4\u2069 offers a draw.');
});

test('a mistake in a record is told in the language of the page, with the refusal of the rules', async () => {
  const german = await loadCatalogues('de');
  const own = new Words(
    () => german,
    new Names(() => 'de'),
    () => ({}),
  );
  const why = { code: 'refusal.not-now', args: {} };
  const illegal = { code: 'text.illegal', args: { line: 9, text: 'd4-d9', why } };
  const told = own.refusal({ code: 'bad-record', args: { detail: 'line 9: ...', why: illegal } });
  expect(told).toMatch(/^Diese Aufzeichnung lässt sich nicht lesen\. Zeile 9: „d4-d9“ ist nicht erlaubt\. \S/);
  expect(told).not.toMatch(/refusal\.|text\.|\{/);
});
