// The player's choice of matches in the lobby's lists.

/** `variant`: empty for all games. `pool`: empty for rated and casual matches. */
export interface Choice {
  variant: string;
  pool: '' | 'rated' | 'casual';
}

export const fits = ({ variant, pool }: Choice, match: { variant: string; rated?: boolean }): boolean =>
  (variant === '' || variant === match.variant) && (pool === '' || (pool === 'rated') === (match.rated ?? false));
