"""The priority lock lets the most urgent caller in first."""

from __future__ import annotations

import asyncio

from gonfalon.server.workers.priority_lock import PriorityLock, Urgency


async def pass_all(lock: PriorityLock, waiting: list[tuple[str, Urgency]], cancelled: str = "") -> str:
    """Return the order in which the callers hold the lock. All arrive while another task holds it; then the caller
    named `cancelled` is cancelled.
    """
    order = ""

    async def go(name: str, urgency: Urgency) -> None:
        nonlocal order
        async with lock.hold(urgency):
            order += name
            await asyncio.sleep(0)

    async with lock.hold(Urgency.NEW):
        tasks = {name: asyncio.create_task(go(name, urgency)) for name, urgency in waiting}
        await asyncio.sleep(0)
        if cancelled:
            tasks[cancelled].cancel()
    await asyncio.wait_for(asyncio.gather(*tasks.values(), return_exceptions=True), 5)
    return order


def test_what_was_begun_goes_ahead_and_who_is_patient_goes_last() -> None:
    waiting = [("p", Urgency.PATIENT), ("a", Urgency.NEW), ("x", Urgency.BEGUN), ("b", Urgency.NEW)]
    assert asyncio.run(pass_all(PriorityLock(), waiting)) == "xabp"


def test_who_gives_up_waiting_holds_up_nobody() -> None:
    waiting = [("a", Urgency.NEW), ("b", Urgency.NEW), ("c", Urgency.NEW)]
    assert asyncio.run(pass_all(PriorityLock(), waiting, "b")) == "ac"


def test_who_gives_up_when_his_turn_has_come_lets_the_next_in() -> None:
    async def script() -> None:
        lock = PriorityLock()

        async def go() -> None:
            async with lock.hold(Urgency.NEW):
                pass

        async with lock.hold(Urgency.NEW):
            first, second = asyncio.create_task(go()), asyncio.create_task(go())
            await asyncio.sleep(0)
        first.cancel()  # after the lock was given to it, before it could run
        await asyncio.wait_for(second, 5)
        assert first.cancelled()
        await asyncio.wait_for(go(), 5)

    asyncio.run(script())
