// Settings of this browser.

import { matchesMedia } from './features';
import { isRecord, read, write } from './storage';

const KEY = 'gonfalon.settings';
const CHOICES = {
  theme: ['auto', 'light', 'dark'],
  confirm: ['auto', 'on', 'off'],
  motion: ['auto', 'reduced'],
  pace: ['brisk', 'calm', 'at-once'],
  sound: ['on', 'off'],
  vibration: ['off', 'on'],
  hints: ['on', 'off'],
  pencil: ['on', 'off'],
  tally: ['on', 'off'],
  notify: ['off', 'on'],
} as const;

export type Theme = (typeof CHOICES.theme)[number];
export type Confirm = (typeof CHOICES.confirm)[number];
export type Motion = (typeof CHOICES.motion)[number];
export type Switched = 'on' | 'off';
export type Pace = (typeof CHOICES.pace)[number];

/** Maximum length of a name that the server accepts. */
export const MOST_LETTERS = 24;

interface Settings {
  /** The player's name, as other players see it; empty: none. */
  name: string;
  theme: Theme;
  confirm: Confirm;
  motion: Motion;
  /** Pause before the opponent's move. */
  pace: Pace;
  sound: Switched;
  vibration: Switched;
  /** Whether hints for newcomers are shown. */
  hints: Switched;
  /** Whether the page shows pencil marks on hidden pieces, and the remaining pieces of other players. Without both, the
   * player plays from memory.
   */
  pencil: Switched;
  tally: Switched;
  /** Whether the page notifies the player of their turn while it is hidden. */
  notify: Switched;
  /** Language of the page; empty: the browser's. */
  language: string;
  /** Table of piece names, as in `/api/names`; empty: the language's own table. */
  names: string;
}

function load(): Settings {
  const stored = read('localStorage', KEY, isRecord, {});
  const pick = <K extends keyof typeof CHOICES>(key: K): (typeof CHOICES)[K][number] => {
    const options: readonly (typeof CHOICES)[K][number][] = CHOICES[key];
    return options.find((option) => option === stored[key]) ?? options[0];
  };
  return {
    name: typeof stored.name === 'string' ? stored.name.slice(0, MOST_LETTERS) : '',
    theme: pick('theme'),
    confirm: pick('confirm'),
    motion: pick('motion'),
    pace: pick('pace'),
    sound: pick('sound'),
    vibration: pick('vibration'),
    hints: pick('hints'),
    pencil: pick('pencil'),
    tally: pick('tally'),
    notify: pick('notify'),
    language: typeof stored.language === 'string' ? stored.language : '',
    names: typeof stored.names === 'string' ? stored.names : '',
  };
}

export const settings = $state<Settings>(load());
export const options = CHOICES;

export function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  write('localStorage', KEY, $state.snapshot(settings));
  show();
}

/** Put theme and motion on the document's root for the style sheet. */
export function show(): void {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.motion = reducedMotion() ? 'reduced' : 'full';
}

export function reducedMotion(): boolean {
  return settings.motion === 'reduced' || matchesMedia('(prefers-reduced-motion: reduce)');
}

const isSmall = (): boolean => matchesMedia('(max-width: 600px), (max-height: 500px)');

/** Return whether a move needs a second press. The setting decides; by default, only small screens ask for it. */
export const confirmsMoves = (): boolean => (settings.confirm === 'auto' ? isSmall() : settings.confirm === 'on');

/** Return whether to offer the switch for the second press: if it is needed here, or the player has set it. */
export const mayConfirm = (): boolean => settings.confirm !== 'auto' || isSmall();

/** Switch the second press on or off. */
export function switchConfirming(): void {
  set('confirm', confirmsMoves() ? 'off' : isSmall() ? 'auto' : 'on');
}
