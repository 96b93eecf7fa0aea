// Calls whoever has his page out of sight when it becomes his turn.

import type { MatchSight } from './sight.svelte';

/** Until the function that it returns is called. What calls is loaded only for those who want it. */
export function callWhenDue(sight: MatchSight, words: string): () => void {
  let stop = (): void => {};
  let over = false;
  void import('../notify').then(({ Herald }) => {
    if (over) return;
    const herald = new Herald(sight.id);
    let due = sight.myTurn;
    const end = $effect.root(() => {
      $effect(() => {
        const now = sight.myTurn && sight.ending === null;
        if (now && !due) herald.tell(words);
        if (!now) herald.end();
        due = now;
      });
    });
    stop = () => {
      end();
      herald.close();
    };
  });
  return () => {
    over = true;
    stop();
  };
}
