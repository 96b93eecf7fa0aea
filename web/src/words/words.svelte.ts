// All words of the page: messages with their arguments, names of pieces and of spaces.

import { createContext } from 'svelte';
import { formatDate, languages } from '../browser/features';
import type { Catalogues } from './catalogues';
import { glyph } from './glyphs';
import { runsOf, type Run } from './joining';
import { regional } from './language.svelte';
import type { Board, Event, Line } from '../protocol/messages';
import type { Names } from './names.svelte';
import { ownText } from './own.svelte';
import { fill, isolate, type Grammar, type Name, type Catalogue } from './wording';

export type Args = Record<string, unknown>;

/** Subject of the words. It selects one of several messages for one code. */
export interface Subject {
  /** Family whose messages come first, because two families may use one code differently. */
  family?: string;
  /** Board with the names of spaces and regions. Its layout may have its own words: `code.layout` comes before `code`.
   */
  board?: Board | null;
  /** Names of the players by side; empty for a player without a name and for a computer player. */
  players?: Readonly<Record<string, string>>;
  /** Side of the reader: the catalogue may address the reader's own events directly. */
  seat?: string;
}

/** Codes of messages about players. They say the name of a side's player; messages about pieces say the colour. */
const OF_PLAYERS = new RegExp(
  [
    /^(?:analysis|await|claim|clock|draw|end|invite|rematch|result|status|turns)\./,
    /^event\.(?:claimed|out-of-time|ready|resigned|starts?|took-back|won)(?:\.|$)/,
    /^(?:headline\.choosing|outcome\.rating|refusal\.guest-acted)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Title and text of a game. No catalogue has those of a variant of the server's own. */
const OF_GAME = /^game\.(.+)\.(title|text)$/;

export class Words {
  private readonly own = $derived.by((): Catalogue => this.spoken().families.get(this.subject().family ?? '') ?? {});
  private readonly spaces = $derived.by(() => namesOf(this.subject().board?.spaces));
  private readonly regions = $derived.by(() => namesOf(this.subject().board?.regions));

  constructor(
    private readonly spoken: () => Catalogues,
    readonly names: Names,
    private readonly subject: () => Subject = () => ({}),
  ) {}

  /** Return words for one match or game. */
  about(subject: () => Subject): Words {
    return new Words(this.spoken, this.names, subject);
  }

  get language(): string {
    return this.spoken().language;
  }

  private get grammar(): Grammar {
    return this.spoken().grammar;
  }

  /** Return the message `code` with its arguments. A `count` selects a variant (`code.one`). For a missing message,
   * return its code, so that somebody notices it.
   */
  readonly t = (code: string, args: Args = {}): string => {
    const text = this.find(code, args.count);
    if (text === undefined) {
      const [, variant, kind = ''] = OF_GAME.exec(code) ?? [];
      return variant === undefined ? code : ownText(variant, kind, this.language);
    }
    return fill(text, (name, form) => (name in args ? this.word(name, args[name], form, code) : undefined));
  };

  readonly has = (code: string): boolean => this.find(code) !== undefined;

  /** Return a message. If the reader is the other side, use `<code>.on-you`; if the reader is the acting side,
   * `<code>.you`; otherwise the plain message. The family's messages come before the common ones.
   */
  readonly said = (code: string, args: Args = {}): string => {
    const { seat = '' } = this.subject();
    const to = seat === '' ? '' : args.other === seat ? '.on-you' : args.side === seat ? '.you' : '';
    const addressed = code in this.own ? code + to in this.own : this.has(code + to);
    return this.t(addressed ? code + to : code, this.withReader(args));
  };

  readonly line = (prefix: string, { code, args }: Event): string => this.said(`${prefix}.${code}`, args);

  readonly refusal = (said: Line): string => this.line('refusal', said);

  readonly event = ({ code, args }: Event): string => this.said(`event.${code}`, args);

  /** Return the arguments with the reader as "you" in a list of sides. */
  private withReader(args: Args): Args {
    const { seat = '' } = this.subject();
    const { sides } = args;
    return Array.isArray(sides) ? { ...args, sides: sides.map((side) => (side === seat ? 'you' : side)) } : args;
  }

  /** Return the result of a battle in words, with the attacker if the event does not name the sides. */
  readonly battle = (event: Event): string => {
    const { side, other } = event.args ?? {};
    const words = this.event(event);
    if (side === undefined || other !== undefined) return words;
    return this.t(side === this.subject().seat ? 'log.own' : 'log.of', { side, words });
  };

  /** Return events in words, one sentence each. Equal events, and events that differ only in a name, share a sentence:
   * "You draw Blitz ×2 and Regroup."
   */
  readonly tellings = (events: readonly Event[]): string[] => {
    const told: { words: string; count: number }[] = [];
    for (const { event, count, named } of runsOf(events)) {
      const words = this.event(named ? { ...event, args: { ...event.args, [named.key]: this.counted(named) } } : event);
      const before = told.at(-1);
      if (before?.words === words) before.count += count;
      else told.push({ words, count });
    }
    const repeated = (words: string, count: number) =>
      this.t('log.repeated', { words: words.replace(/\.$/, ''), count });
    return told.map(({ words, count }) => (count > 1 ? repeated(words, count) : words));
  };

  /** Return names with their counts. A single name stays a name, so that it can be declined. */
  private readonly counted = ({ counts }: Required<Run>['named']): string[] =>
    [...counts].map(([name, count]) => (count > 1 ? this.t('log.many', { card: name, count }) : name));

  readonly list = (items: readonly string[]): string => this.grammar.list(items);

  readonly sideName = (side: string): string => this.t(`side.${side}`);

  /** Name the player of a side. Only a reader who plays against one other needs no colour to know who that is. */
  readonly playerName = (side: string): string => {
    const { players = {}, seat = '' } = this.subject();
    const name = players[side] ?? '';
    if (name === '') return this.sideName(side);
    const alone = seat !== '' && Object.keys(players).length === 2;
    return alone ? isolate(name) : this.t('player.named', { name: isolate(name), side });
  };

  /** Name a space. A family may have words for spaces without a name, such as "Red's third card", or "your third card"
   * for the reader's own.
   */
  readonly spaceName = (id: string, name = this.spaces.get(id) ?? id): string =>
    this.own[`space.${id}.${this.subject().seat ?? ''}`] ?? this.own[`space.${id}`] ?? name;

  readonly faceName = (face: string): string => this.nameOf(face).text;

  /** Return the pieces that the family describes, in its order. */
  readonly pieces = (): string[] => Object.keys(this.own).flatMap((code) => /^piece\.([a-z-]+)$/.exec(code)?.[1] ?? []);

  /** Return the codes of all hints for newcomers that the match may give. */
  readonly hintCodes = (): readonly string[] => this.subject().board?.hints ?? [];

  /** Return all these hints. */
  readonly hints = (): string[] => this.hintCodes().map((code) => this.t(`hint.${code}`));

  /** Describe a piece in a few words: "Miner, 3: beats lower ranks and defuses Bombs". `side`: the piece's side; empty
   * for the reader's own.
   */
  readonly pieceLine = (face: string, variant: string, side = ''): string => {
    const { numeral } = glyph(face);
    const name = side === '' ? this.faceName(face) : this.t('board.whose', { side, face });
    const called = numeral === '' ? name : this.t('about.ranked', { name, rank: numeral });
    const does = this.pieceDoes(face, variant);
    return does === '' ? called : this.t('about.piece', { name: called, does });
  };

  /** Describe a piece's abilities; a variant may add some. */
  readonly pieceDoes = (face: string, variant: string): string =>
    this.find(`piece.${face}.${variant}`) ?? this.find(`piece.${face}`) ?? '';

  /** Name a computer player. One without words is the operator's own: say so beside its name. */
  readonly agentTitle = (name: string): string =>
    this.isAgent(name) ? this.t(`agent.${name}.title`) : this.t('agents.own', { name });

  /** Whether a name is that of a computer player of ours. No person can have such a name. */
  readonly isAgent = (name: string): boolean => this.has(`agent.${name}.title`);

  /** Name a table of names by its title. The plain table of a language has the language's name. */
  readonly tableName = (table: string): string => {
    const { tables } = this.names;
    const code = table.split('.').at(-1) ?? table;
    const language = tables[code]?.language || code;
    return table.includes('.') ? this.t('settings.table', { set: tables[table]?.title || table, language }) : language;
  };

  readonly date = (seconds: number): string =>
    formatDate(new Date(seconds * 1000), [regional(this.language, languages()), this.language]);

  private find(code: string, count?: unknown): string | undefined {
    const look = (each: string): string | undefined => this.own[each] ?? this.spoken().all[each];
    const plural = typeof count === 'number' ? this.grammar.plural(count) : '';
    const counted = (each: string): string | undefined =>
      (plural === '' ? undefined : look(`${each}.${plural}`)) ?? look(each);
    const { layout } = this.subject().board ?? {};
    return (layout === undefined ? undefined : counted(`${code}.${layout}`)) ?? counted(code);
  }

  private nameOf(face: string): Name {
    return this.names.find(face) ?? { text: this.spoken().all[`face.${face}`] ?? face, gender: '' };
  }

  /** Name a fighter with its rank: "Captain (6)". */
  private rankedName(face: string): Name {
    const { text, gender } = this.nameOf(face);
    const rank = glyph(face).numeral;
    return { text: rank === '' ? text : this.t('log.ranked', { name: text, rank }), gender };
  }

  /** Return a side's colour as a name; in a message about players, the player's name. */
  private ownerName(side: string, code: string): Name {
    if (this.subject().players?.[side] && OF_PLAYERS.test(code)) return { text: this.playerName(side), gender: '' };
    return { text: this.sideName(side), gender: this.spoken().all[`gender.${side}`] ?? '' };
  }

  /** Put an argument into words. Its name decides how: `side`, `face`, `space` and names that end in them, `card`,
   * `territory`.
   */
  private word(name: string, value: unknown, form: string, code: string): string {
    if (isLine(value)) return this.said(value.code, value.args);
    if (Array.isArray(value)) return this.list(value.map((each) => this.word(singular(name), each, form, code)));
    if (typeof value === 'number') return this.grammar.number(value);
    return this.grammar.decline(this.nameArgument(name, String(value), code), form);
  }

  private nameArgument(name: string, text: string, code: string): Name {
    if (name === 'side' || name.endsWith('_side') || (name === 'other' && this.has(`side.${text}`)))
      return this.ownerName(text, code);
    if (name === 'face' || name === 'card') return this.nameOf(text);
    if (name.endsWith('_face')) return this.rankedName(text);
    if (name === 'territory') return { text: this.regions.get(text) ?? text, gender: '' };
    if (name === 'space' || name === 'from' || name === 'to' || name.endsWith('_space'))
      return { text: this.spaceName(text), gender: '' };
    return { text, gender: '' };
  }
}

/** Whether an argument is a message of its own. */
const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';

/** Return the singular of an argument's name: `spaces`, `territories`. */
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

const namesOf = (named: readonly { id: string; name: string }[] = []): Map<string, string> =>
  new Map(named.map(({ id, name }) => [id, name]));

/** Words for the components of a screen; the component that shows a match provides them. */
export const [useWords, provideWords] = createContext<Words>();
