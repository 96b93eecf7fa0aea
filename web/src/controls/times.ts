// Times of the player's own: what stands in the form's fields, and the time control that it makes.

import type { Line } from '../protocol/messages';
import type { Control } from '../words/time';

export type Kind = Control['kind'];

/** Kinds of time control in the form's order. */
export const KINDS: readonly Kind[] = ['bank', 'turn', 'correspondence', 'untimed'];
/** Kinds for matches without people by link: these players wait for nobody. */
export const KINDS_HERE: readonly Kind[] = ['bank', 'turn'];
/** Days that the server offers for a decision. */
export const DAYS = [1, 2, 3, 7] as const;

/** A number in the form. */
export interface Field {
  /** Setting of the time control, in seconds. */
  readonly name: 'bank' | 'increment' | 'delay' | 'longest' | 'deployment' | 'turn' | 'claim_after';
  /** Seconds of one unit of the field: minutes or seconds. */
  readonly unit: 1 | 60;
  /** Bounds in units; they lie within those of the server. */
  readonly least: number;
  readonly most: number;
  /** Whether 0 is allowed below `least`. */
  readonly zero?: boolean;
}

const DEPLOYMENT: Field = { name: 'deployment', unit: 60, least: 0.5, most: 180 };
/** Fields of each kind. Correspondence has a list of days instead. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  bank: [
    { name: 'bank', unit: 60, least: 0.5, most: 180 },
    { name: 'increment', unit: 1, least: 0, most: 180 },
    { name: 'delay', unit: 1, least: 0, most: 180 },
    { name: 'longest', unit: 1, least: 5, most: 10800, zero: true },
    DEPLOYMENT,
  ],
  turn: [{ name: 'turn', unit: 1, least: 5, most: 600 }, DEPLOYMENT],
  correspondence: [],
  untimed: [{ name: 'claim_after', unit: 60, least: 2, most: 1440, zero: true }],
};

/** Content of the form: numbers in the fields' units; null where no number stands. */
export type Typed = Record<Field['name'], number | null> & { days: number };

const USUAL: Typed = { bank: 15, increment: 0, delay: 0, longest: 0, deployment: 5, turn: 60, claim_after: 5, days: 3 };

/** Return the form's content for a time control, so that the player changes what they chose before. */
export function typedFrom(control: Control | null): Typed {
  const typed = { ...USUAL };
  if (!control) return typed;
  const settings = control as Partial<Record<Field['name'], number>>;
  for (const { name, unit } of FIELDS[control.kind]) typed[name] = (settings[name] ?? typed[name] ?? 0) / unit;
  if (control.kind === 'correspondence') typed.days = control.days;
  return typed;
}

export type Faults = Partial<Record<Field['name'], Line>>;

/** Return what is wrong in the fields of a kind. */
export function faultsOf(kind: Kind, typed: Typed): Faults {
  const faults: Faults = {};
  for (const field of FIELDS[kind]) {
    const fault = faultOf(field, typed);
    if (fault) faults[field.name] = fault;
  }
  return faults;
}

function faultOf({ name, least, most, zero }: Field, typed: Typed): Line | null {
  const value = typed[name];
  // Without a bank the delay is a fixed time for each decision.
  const free = zero === true || (name === 'bank' && (typed.delay ?? 0) > 0);
  const isWithin = value !== null && ((least <= value && value <= most) || (free && value === 0));
  if (!isWithin)
    return { code: free && least > 0 ? 'time.fault.range-zero' : 'time.fault.range', args: { least, most } };
  if (name === 'delay' && value > 0 && (typed.increment ?? 0) > 0) return { code: 'time.fault.either', args: {} };
  if (name === 'longest' && 0 < value && value <= (typed.delay ?? 0)) return { code: 'time.fault.longest', args: {} };
  return null;
}

/** Return the time control; null if a field has a fault. */
export function controlOf(kind: Kind, typed: Typed): Control | null {
  if (Object.keys(faultsOf(kind, typed)).length > 0) return null;
  if (kind === 'correspondence') return { kind, days: typed.days };
  const settings = FIELDS[kind].map(({ name, unit }) => [name, Math.round((typed[name] ?? 0) * unit)] as const);
  return { kind, ...Object.fromEntries(settings) } as Control;
}
