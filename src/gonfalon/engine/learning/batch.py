"""Many matches of one game in arrays, changed in place: for learning, search and counting."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Refusal
from gonfalon.engine.game import Game, IllegalActionError, State, UnknownObserverError
from gonfalon.engine.learning.observation import Form, Planes, check_mask
from gonfalon.engine.learning.starts import Deploy, make_starts
from gonfalon.engine.learning.threads import Part, Threads
from gonfalon.engine.view import as_bytes, copy_rows, zero_rows

STARTS = 256
"""Number of started matches from which `reset` draws if it deploys."""
Rows = NDArray[np.bool_] | NDArray[np.int64] | Sequence[int]
"""Rows of a batch: a mask of all rows, or row numbers."""


class Legal(NamedTuple):
    """The legal actions of all rows, one list after another."""

    actions: NDArray[np.int32]
    """Ascending in each row."""
    offsets: NDArray[np.int64]
    """Row i has `actions[offsets[i] : offsets[i + 1]]`; shape (n + 1,)."""


class Batch:
    """`count` matches of `game`, with draws of chance made as soon as they are due.

    In each row one player acts at a time: of several who may act, such as those who deploy at the same moment, the
    first in the order of the seats. A match that is over begins anew at the next `step`, whose action for this row is
    ignored (as with NEXT_STEP in Gymnasium), unless `autoreset` is false.

    Each row has a random stream of its own. So the same seed gives the same matches on any number of threads. `threads`
    of them share the rows; the batch itself must be used by one thread at a time, and not in a process that `fork`
    made.

    Attributes, to read only: `game`; `states`, the records, shape (n,); `to_act`, the player to act in each row, or who
    acted last if the match is over; `done`, whether it is over; `returns` by row and player, zeros until the end. They
    change in place, so keep copies.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        threads: int = 1,
        seed: int = 0,
        deploy: Deploy = "actions",
        autoreset: bool = True,
    ) -> None:
        """`deploy`: how matches begin; see `reset`. Raises ValueError for a count or a number of threads below 1."""
        count, threads = index(count), index(threads)
        if count < 1:
            raise ValueError(f"a batch has at least one match, not {count}")
        if threads < 1:
            raise ValueError(f"a batch has at least one thread, not {threads}")
        self.game = game
        self.autoreset = autoreset
        self.states: State = zero_rows(game.initial_state().dtype, count)
        """All states, shape (n,). Change them only by the methods of the batch."""
        self.counters = np.random.default_rng(seed).integers(0, 2**63, (count, 1)).astype(np.uint64)
        """State of each row's random stream, uint64 (n, 1). It is no part of the states, so a copied state cannot
        predict draws.
        """
        self.to_act = np.zeros(count, np.int32)
        """The player to act in each row; in a match that is over, the player who acted last. Shape (n,)."""
        self.done = np.zeros(count, np.bool_)
        """Whether each match is over, shape (n,)."""
        self.returns = np.zeros((count, game.info.players), np.float32)
        """Returns of the matches that are over, by player; zeros for the others. Shape (n, players)."""
        self._seed = seed
        self._threads = Threads(game, count, threads)
        self.deploy: Deploy = deploy
        """Beginning of later matches; `reset` changes it."""
        self._starts: dict[Deploy, State] = {}
        self._form = game.form()
        self._kernels = game.kernels
        self._lists = game.kernels.list_rows(count)
        self._counts = np.zeros(count, np.int32)
        self.reset()

    def __len__(self) -> int:
        return len(self.states)

    # ---- beginning

    def reset(self, rows: Rows | int | None = None, *, deploy: Deploy | None = None) -> None:
        """Begin new matches in some rows, by default in all. `deploy`: how pieces are placed, for these and all later
        matches of the batch. `actions`: by the players' actions; `sensible` and `uniform`: as in
        `Game.sensible_deployment` and `Game.random_deployment`, drawn from a pool of started matches that is made once
        (territories are chosen and cards are dealt there too). Raises IndexError for a missing row.
        """
        wanted = self._mask(rows)
        deploy = deploy or self.deploy
        self._find_starts(deploy)
        self.deploy = deploy
        self._begin(wanted)

    def _begin(self, wanted: NDArray[np.bool_]) -> None:
        chosen = np.flatnonzero(wanted)
        if not len(chosen):
            return
        starts = self._find_starts(self.deploy)
        draws = self.counters[chosen, 0] % np.uint64(len(starts))
        as_bytes(self.states)[chosen] = as_bytes(starts)[draws]
        self.counters[chosen] += np.uint64(1)
        self.done[chosen] = False
        self.returns[chosen] = 0
        self._settle(wanted)

    def _find_starts(self, deploy: Deploy) -> State:
        if deploy not in self._starts:
            self._starts[deploy] = make_starts(self.game, deploy, STARTS, np.random.default_rng(self._seed))
        return self._starts[deploy]

    # ---- looking

    @property
    def due(self) -> NDArray[np.bool_]:
        """Whether each row waits for an action of a player, shape (n,)."""
        return self._counts > 0

    def legal(self) -> Legal:
        """Return the legal actions of the player to act in each row; no action for a match that is over."""
        offsets = np.zeros(len(self) + 1, np.int64)
        np.cumsum(self._counts, out=offsets[1:])
        actions = np.zeros(offsets[-1], np.int32)
        self._kernels.join_lists(self._lists, self._counts, actions)
        return Legal(actions, offsets)

    def masks(self, out: NDArray[np.bool_] | None = None, form: Form | None = None) -> NDArray[np.bool_]:
        """Return which action ids are legal in each row, shape (n, actions of the form). `out`: written and
        returned.
        """
        form = self._check_form(form)
        shape = (len(self), form.actions)
        masks = np.zeros(shape, np.bool_) if out is None else check_mask(out, *shape)
        ids = form.ids
        self._threads.run(
            lambda part: self._kernels.mask_rows(
                part.first, part.last, self.to_act, self._lists, self._counts, ids, masks
            )
        )
        return masks

    def observe(
        self, out: Planes | None = None, form: Form | None = None, players: NDArray[np.int32] | None = None
    ) -> Planes:
        """Return the observation of the player to act in each row, shape (n, planes, rows, columns).

        `out`: written and returned. `players`: the player to observe for in each row, int32 (n,).
        """
        form = self._check_form(form)
        planes = form.make_buffer(len(self)) if out is None else form.check_buffer(out, len(self))
        observers = self.to_act if players is None else self._check_players(players)
        flat = planes.reshape(len(self), *form.flat[1:])

        def observe_part(part: Part) -> None:
            self._kernels.observe_rows(
                self.states,
                *part.arguments,
                observers,
                self.to_act,
                self._lists,
                self._counts,
                part.views,
                form.records,
                flat,
            )

        self._threads.run(observe_part, least=0)
        return planes

    def state(self, i: int) -> State:
        """Return a copy of row `i`, shape (1,), for use with the game. Raises IndexError for a missing row."""
        i = self._row(i)
        return copy_rows(self.states[i : i + 1])

    # ---- acting

    def step(
        self, actions: NDArray[Any] | Sequence[int], form: Form | None = None, *, rows: Rows | None = None
    ) -> None:
        """Apply an action of the player to act in each row, and the draws that follow. Rows whose match was over before
        ignore their action, and begin anew if the batch resets them.

        `actions`: whole numbers, shape (n,), ids of the form. `rows`: only these rows; nothing happens in the others.
        Raises `IllegalActionError` for the first illegal action, and TypeError, ValueError or IndexError for unsuitable
        arrays; then no row has changed.
        """
        among = self._mask(rows)
        wanted, over = among & self.due, among & self.done
        chosen = self._check_actions(actions, wanted, form)
        self._threads.run(
            lambda part: self._kernels.act_rows(
                self.states, *part.arguments, wanted, chosen, self.counters, self.to_act, self._lists, self._counts
            )
        )
        self._note_ends()
        if self.autoreset:
            self._begin(over)

    def play_randomly(self, most: int) -> int:
        """Play up to `most` actions in each row: the players uniformly at random, chance by its probabilities. Return
        the number of actions played in all rows, including chance. Matches that end stay over.
        """
        if index(most) < 0:
            raise ValueError(f"at least 0 actions are played, not {most}")
        played = self._threads.run(
            lambda part: self._kernels.play_rows(self.states, *part.arguments, self.counters, index(most)), least=0
        )
        self._settle(np.ones(len(self), np.bool_))
        self._note_ends()
        return sum(played)

    def _check_actions(
        self, actions: NDArray[Any] | Sequence[int], wanted: NDArray[np.bool_], form: Form | None
    ) -> NDArray[np.int32]:
        """Return the actions as ids of the game, after all checks of those in the rows `wanted`."""
        given = np.asarray(actions)
        if given.shape != (len(self),):
            raise ValueError(f"a batch of {len(self)} matches needs as many actions, not the shape {given.shape}")
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        form = self._check_form(form)
        strange = wanted & ((given < 0) | (given >= form.actions))
        if strange.any():
            self._refuse(int(np.flatnonzero(strange)[0]), int(given[strange][0]))
        if form is not self._form:
            given = form.games[self.to_act, np.where(wanted, given, 0)]
        chosen = np.ascontiguousarray(given, np.int32)
        found = self._threads.run(
            lambda part: self._kernels.find_illegal(part.first, part.last, wanted, chosen, self._lists, self._counts)
        )
        if bad := [i for i in found if i >= 0]:
            self._refuse(bad[0], int(chosen[bad[0]]))
        return chosen

    def _refuse(self, i: int, action: int) -> None:
        player = int(self.to_act[i])
        refusal = self.game.explain(self.state(i), player, action) or Refusal("unknown-action")
        error = IllegalActionError(refusal, player, action)
        error.add_note(f"in row {i} of the batch")
        raise error

    def _note_ends(self) -> None:
        """Write down which matches have ended, and their returns."""
        for i in np.flatnonzero((self._counts == 0) & ~self.done).tolist():
            outcome = self.game.outcome(self.states[i : i + 1])
            assert outcome is not None, "a row without legal actions is over"
            self.done[i] = True
            self.returns[i] = outcome.returns

    # ---- parts

    def __getitem__(self, rows: slice | NDArray[Any] | Sequence[int]) -> Batch:
        """Return a new batch with copies of some rows, on one thread. `state` returns a single one."""
        chosen = np.arange(len(self))[rows]
        if not chosen.ndim:
            raise TypeError(
                f"a part of a batch has several rows: batch[{chosen} : {chosen + 1}], or batch.state({chosen})"
            )
        arrays = {name: array[chosen] if array.shape else array for name, array in self.save().items()}
        return _restore(self.game, len(chosen), {**self._options, "threads": 1}, self.deploy, arrays)

    def save(self) -> dict[str, NDArray[Any]]:
        """Return copies of everything that a batch of the same game needs to go on: arrays by name."""
        return {
            "ruleset": np.array(self.game.info.ruleset.name),
            "states": as_bytes(self.states).copy(),
            "counters": self.counters.copy(),
            "to_act": self.to_act.copy(),
        }

    def load(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what `save` of a batch with as many rows returned. The content of the states is not checked, so it
        must come from `save`. Raises ValueError for other arrays.
        """
        name = self.game.info.ruleset.name
        if str(arrays.get("ruleset")) != name:
            raise ValueError(f"ruleset: these arrays are of {arrays.get('ruleset')}, not of {name}")
        for key, array in self.save().items():
            if key not in arrays or arrays[key].shape != array.shape or arrays[key].dtype != array.dtype:
                raise ValueError(f"{key}: not from a batch of {len(self)} matches of {name}")
        as_bytes(self.states)[:] = arrays["states"]
        self.counters[:] = arrays["counters"]
        self.to_act[:] = arrays["to_act"]
        self.done[:] = False
        self.returns[:] = 0
        self._settle(np.ones(len(self), np.bool_))
        self._note_ends()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a batch as its arrays, with threads of its own."""
        return _restore, (self.game, len(self), self._options, self.deploy, self.save())

    @property
    def _options(self) -> dict[str, Any]:
        return {"threads": self._threads.count, "seed": self._seed, "autoreset": self.autoreset}

    def close(self) -> None:
        """End the threads. A closed batch cannot be used any more."""
        self._threads.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- helpers

    def _settle(self, wanted: NDArray[np.bool_]) -> None:
        """Make the draws that are due in some rows, and list the legal actions there."""
        self._threads.run(
            lambda part: self._kernels.settle_rows(
                self.states, *part.arguments, wanted, self.counters, self.to_act, self._lists, self._counts
            )
        )

    def _row(self, i: int) -> int:
        """Return `i` as an int, checked because a kernel with a wrong row number would access other memory."""
        i = index(i)
        if not 0 <= i < len(self):
            raise IndexError(f"no match {i}; there are 0 to {len(self) - 1}")
        return i

    def _mask(self, rows: Rows | int | None) -> NDArray[np.bool_]:
        wanted = np.zeros(len(self), np.bool_)
        if rows is None:
            wanted[:] = True
        elif isinstance(rows, np.ndarray) and rows.dtype == np.bool_:
            if rows.shape != wanted.shape:
                raise IndexError(f"a mask of {len(self)} matches has as many entries, not the shape {rows.shape}")
            wanted[rows] = True
        else:
            for i in np.atleast_1d(np.asarray(rows)).tolist():
                wanted[self._row(i)] = True
        return wanted

    def _check_form(self, form: Form | None) -> Form:
        return self._form if form is None else form.check(self._form.ruleset)

    def _check_players(self, players: NDArray[Any]) -> NDArray[np.int32]:
        given = np.asarray(players)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(f"players are whole numbers, one for each of the {len(self)} matches")
        if ((given < 0) | (given >= self.game.info.players)).any():
            raise UnknownObserverError(f"there are the players 0 to {self.game.info.players - 1}")
        return np.ascontiguousarray(given, np.int32)


def _restore(game: Game, count: int, options: dict[str, Any], deploy: Deploy, arrays: dict[str, NDArray[Any]]) -> Batch:
    """Return the batch of these arrays. It makes started matches only when it needs them."""
    batch = Batch(game, count, **options)
    batch.load(arrays)
    batch.deploy = deploy
    return batch
