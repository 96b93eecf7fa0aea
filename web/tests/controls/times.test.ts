import { expect, test } from 'vitest';
import { controlOf, faultsOf, FIELDS, KINDS, typedFrom } from '../../src/controls/times';
import control from '../../../src/gonfalon/server/clock/control.py?raw';

const usual = typedFrom(null);

test('the form makes a time control in seconds', () => {
  const typed = { ...usual, bank: 7.5, delay: 3, longest: 120 };
  const wanted = { kind: 'bank', bank: 450, increment: 0, delay: 3, longest: 120, deployment: 300 };
  expect(controlOf('bank', typed)).toEqual(wanted);
  expect(controlOf('turn', usual)).toEqual({ kind: 'turn', turn: 60, deployment: 300 });
  expect(controlOf('correspondence', usual)).toEqual({ kind: 'correspondence', days: 3 });
  expect(controlOf('untimed', { ...usual, claim_after: 0 })).toEqual({ kind: 'untimed', claim_after: 0 });
});

test('the form begins with what was chosen before', () => {
  for (const kind of KINDS) {
    const made = controlOf(kind, { ...usual, bank: 3, increment: 2, turn: 45, claim_after: 10, days: 7 });
    expect(controlOf(kind, typedFrom(made))).toEqual(made);
  }
});

test('the fault of an impossible time is named at its field', () => {
  const fault = (kind: 'bank' | 'turn' | 'untimed', changes: Partial<typeof usual>) => {
    const typed = { ...usual, ...changes };
    expect(controlOf(kind, typed)).toBeNull();
    return Object.entries(faultsOf(kind, typed)).map(([name, line]) => [name, line.code]);
  };
  expect(fault('bank', { bank: 181 })).toEqual([['bank', 'time.fault.range']]);
  expect(fault('bank', { bank: 0 })).toEqual([['bank', 'time.fault.range']]);
  expect(fault('bank', { bank: null })).toEqual([['bank', 'time.fault.range']]);
  expect(fault('bank', { bank: -1, delay: 5 })).toEqual([['bank', 'time.fault.range-zero']]);
  expect(fault('bank', { increment: 3, delay: 3 })).toEqual([['delay', 'time.fault.either']]);
  expect(fault('bank', { longest: 4 })).toEqual([['longest', 'time.fault.range-zero']]);
  expect(fault('bank', { delay: 30, longest: 30 })).toEqual([['longest', 'time.fault.longest']]);
  expect(fault('turn', { turn: 4, deployment: 0 }).map(([name]) => name)).toEqual(['turn', 'deployment']);
  expect(fault('untimed', { claim_after: 1 })).toEqual([['claim_after', 'time.fault.range-zero']]);
  expect(controlOf('bank', { ...usual, bank: 0, delay: 20 })).not.toBeNull();
});

test('the bounds of the form lie within those of the server', () => {
  const number = (text = '') => text.split('*').reduce((product, factor) => product * Number(factor), 1);
  for (const { name, unit, least, most, zero } of Object.values(FIELDS).flat()) {
    const constant = ['increment', 'delay'].includes(name) ? 'EXTRA' : name.toUpperCase();
    const [, low, high] = new RegExp(`^${constant}: Bounds = \\(([^,]+), ([^)]+)\\)`, 'm').exec(control) ?? [];
    expect(least * unit, name).toBeGreaterThanOrEqual(number(low));
    expect(most * unit, name).toBe(number(high));
    expect(zero ?? least === 0, name).toBe(
      control.includes(`"${name}", control.${name}, ${constant}, zero=True`) || least === 0,
    );
  }
});
