// Times in words and digits: time controls, clocks, deadlines.

import type { Line, MatchInfo } from '../protocol/messages';
import type { Words } from './words.svelte';

export type Control = NonNullable<MatchInfo['clock']>;

/** Whether a match has clocks. */
export const isTimed = (clock: MatchInfo['clock'] | undefined): boolean => clock != null && clock.kind !== 'untimed';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Seconds from which a time that is no whole number of minutes is said in minutes and seconds. */
const LONG = 3 * MINUTE;

/** Say what the time control means for the players; empty for a match without one. */
export function timeLine(t: Words['t'], clock: MatchInfo['clock'] | undefined): string {
  switch (clock?.kind) {
    case undefined:
      return '';
    case 'untimed':
      return untimedLine(t, clock.claim_after ?? 0);
    case 'bank':
      return [bankLine(t, clock), longestLine(t, clock.longest), deploymentLine(t, clock.deployment)]
        .filter((line) => line !== '')
        .join(' ');
    case 'turn':
      return `${t('time.turn.text', { time: duration(t, clock.turn) })} ${deploymentLine(t, clock.deployment)}`;
    case 'correspondence':
      return t('time.correspondence.text', { count: clock.days });
  }
}

function untimedLine(t: Words['t'], seconds: number): string {
  const minutes = Math.round(seconds / MINUTE);
  return minutes > 0 ? t('time.live.text', { minutes }) : t('time.open.text');
}

function bankLine(t: Words['t'], { bank, increment = 0, delay = 0 }: Extract<Control, { kind: 'bank' }>): string {
  const time = duration(t, bank);
  const extra = duration(t, increment || delay);
  if (increment > 0) return t('time.increment.text', { time, extra });
  if (delay === 0) return t('time.bank.text', { time });
  return bank > 0 ? t('time.delay.text', { time, extra }) : t('time.delay-only.text', { extra });
}

const longestLine = (t: Words['t'], longest = 0): string =>
  longest > 0 ? t('time.longest.text', { longest: duration(t, longest) }) : '';

/** Defaults of the server's time controls, for settings that a control leaves out. */
const DEPLOYMENT = 300;
const deploymentLine = (t: Words['t'], deployment = DEPLOYMENT): string =>
  t('time.deployment.text', { deployment: duration(t, deployment) });

/** Write a setting: `15 min`, `90 s`, `7 min 30 s`. */
export function duration(t: Words['t'], seconds: number): string {
  if (seconds > 0 && seconds % MINUTE === 0) return t('time.minutes', { minutes: seconds / MINUTE });
  if (seconds < LONG) return t('time.seconds', { seconds });
  return t('time.minutes-seconds', { minutes: Math.floor(seconds / MINUTE), seconds: seconds % MINUTE });
}

/** Write a number of seconds as `4:05`. */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, '0')}`;

/** Milliseconds below which a clock shows tenths of a second. */
export const TENTHS_MS = 10_000;

/** Write the time of a clock: `14:32`, `1:02:03`, `0:09.4`. Begun seconds do not count, as on the clocks of chess. */
export function clockTime(ms: number): string {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  if (left < TENTHS_MS) return `0:0${seconds}.${Math.floor((left % 1000) / 100)}`;
  if (seconds < HOUR) return minutesAndSeconds(seconds);
  return `${Math.floor(seconds / HOUR)}:${minutesAndSeconds(seconds % HOUR).padStart(5, '0')}`;
}

/** Return the days and hours of a time as a line: `2 days 4 h`, `3 days`. A begun hour counts as a whole one, so that
 * three days are still three days a moment later.
 */
function daysLine(seconds: number): Line {
  const all = Math.ceil(seconds / HOUR);
  const [count, hours] = [Math.floor(all / 24), all % 24];
  return hours === 0 ? { code: 'time.days', args: { count } } : { code: 'time.days-hours', args: { count, hours } };
}

/** Whether a time is said in days: a day, even if its first minute has begun, or more. */
const inDays = (seconds: number): boolean => seconds > DAY - MINUTE;

/** Return a time as a line to speak: `14 min 32 s`. */
export function spokenTime(ms: number): Line {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (inDays(seconds)) return daysLine(seconds);
  if (seconds >= HOUR) return { code: 'time.hours-minutes', args: { hours, minutes } };
  if (seconds < MINUTE) return { code: 'time.seconds', args: { seconds } };
  const rest = seconds % MINUTE;
  return rest === 0
    ? { code: 'time.minutes', args: { minutes } }
    : { code: 'time.minutes-seconds', args: { minutes, seconds: rest } };
}

/** Say how long it is until a deadline: `3 days`, `2 days 4 h`, `4 h 12 min`, `12 min`, `0:45`. */
export function untilWords(t: Words['t'], ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (inDays(seconds)) {
    const { code, args } = daysLine(seconds);
    return t(code, args);
  }
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (seconds >= HOUR) return t('time.hours-minutes', { hours, minutes });
  return seconds >= MINUTE ? t('time.minutes', { minutes }) : minutesAndSeconds(seconds);
}
