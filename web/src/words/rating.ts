// Ratings as numbers.

/** Return a rating as a number, with a question mark while it is provisional: `1512?`. */
export const ratingNumber = (shown: { rating?: number | null; provisional?: boolean }): string =>
  `${shown.rating}${shown.provisional ? '?' : ''}`;
