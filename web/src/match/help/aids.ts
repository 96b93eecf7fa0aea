// References in a match: ranks, keys and hints.

export const AIDS = ['ranks', 'keys', 'hints'] as const;
/** Open reference; empty: none. */
export type Aid = (typeof AIDS)[number] | '';
