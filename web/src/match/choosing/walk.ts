// Walks along the paths of choices, for pointer, keyboard and screen reader alike.

import type { Choice } from '../../protocol/messages';

const starts = (path: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((step, index) => path[index] === step);

/** Return the IDs that can follow `prefix`. */
export function nextSteps(choices: readonly Choice[], prefix: readonly string[]): Set<string> {
  const steps = new Set<string>();
  for (const { path } of choices) {
    if (path.length > prefix.length && starts(path, prefix)) steps.add(path[prefix.length] as string);
  }
  return steps;
}

/** Return the choice that `path` completes, if any. */
export function completed(choices: readonly Choice[], path: readonly string[]): Choice | undefined {
  return choices.find((choice) => choice.path.length === path.length && starts(choice.path, path));
}
