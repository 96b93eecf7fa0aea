"""Compiled matches of the quick policy, for fitting its weights (`tools/data/cardgame_weights.py`)."""

from gonfalon.engine.compiled.jit import Numbers, Records, entry
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play import weights as w
from gonfalon.games.cardgame.play.features import fill_features, stage_of
from gonfalon.games.cardgame.play.rollout import go
from gonfalon.games.cardgame.rules import next_actor


@entry
def practise(
    batch: Records, rules: Records, p: Numbers, other: Numbers, box: Numbers, counter: Numbers, notes: Numbers
) -> int:
    """Plays the match of row 0 to its end, red with weights `p`, blue with `other`. Fills `notes`, float64 (turns, 2 *
    FEATURES), with the features at the start of each turn (red's minus blue's), then with the same numbers times the
    stage. Returns the number of filled rows.
    """
    r, s = rules[0], batch[0]
    kept, turn = 0, 0
    while s.phase != g.OVER:
        if s.turn != turn and s.phase == g.ACT and kept < len(notes):
            turn = s.turn
            fill_features(s, 0, box, 0)
            fill_features(s, 1, box, w.FEATURES)
            stage = stage_of(s, r)
            for k in range(w.FEATURES):
                notes[kept, k] = box[k] - box[w.FEATURES + k]
                notes[kept, w.FEATURES + k] = stage * notes[kept, k]
            kept += 1
        red = next_actor(s, r) == 0
        if red:
            go(s, r, p, box, counter)
        else:
            go(s, r, other, box, counter)
    return kept
