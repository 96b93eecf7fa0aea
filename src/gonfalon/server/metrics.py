"""Metrics of the process for Prometheus: `GET /metrics` on its own port, off by default.

Metrics cost nothing during a move: when Prometheus asks, a thread reads numbers that the server has anyway. Only the
lag of the event loop is measured, four times a second. No number reveals anything about a single match.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator

from prometheus_client import CollectorRegistry, Histogram, Metric, ProcessCollector, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from gonfalon.server.config import Config
from gonfalon.server.net.connection_counts import Role
from gonfalon.server.net.hosts import Hosts
from gonfalon.server.net.wsgi import ThreadedServer, check_host
from gonfalon.server.service import Service

EVERY = 0.25
"""Seconds between two measurements of the event loop's lag."""
LAGS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


@contextlib.asynccontextmanager
async def serving_metrics(config: Config, service: Service) -> AsyncIterator[None]:
    """Serve the metrics while the block runs, if `metrics_port` is set. Raises OSError if the port is taken."""
    if not config.metrics_port:
        yield
        return
    registry = CollectorRegistry()
    registry.register(_Numbers(service))
    ProcessCollector(registry=registry)
    lag = Histogram("gonfalon_loop_lag_seconds", "How late the event loop is", buckets=LAGS, registry=registry)
    app = check_host(make_wsgi_app(registry), Hosts(config.hosts))
    server = ThreadedServer(config.metrics_host, config.metrics_port, app)
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    measuring = asyncio.create_task(_measure(lag))
    try:
        yield
    finally:
        measuring.cancel()
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        await asyncio.to_thread(thread.join)


async def _measure(lag: Histogram) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        lag.observe(max(0.0, loop.time() - due))


class _Numbers(Collector):
    """Collects the numbers that the parts of the server already keep."""

    def __init__(self, service: Service) -> None:
        self._loop = asyncio.get_running_loop()
        self._service = service

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics with their present values."""
        registry = self._service.registry
        writer, agents = registry.store.writer, registry.pool
        gauge, counter = GaugeMetricFamily, CounterMetricFamily
        connections = gauge("gonfalon_connections", "Open connections", labels=["role"])
        for role in Role:
            connections.add_metric([role.name.lower()], self._service.connection_counts.count(role))
        yield connections
        relayed = self._service.connection_counts.relayed
        yield gauge("gonfalon_relays", "Sockets that are passed on to other nodes", value=relayed)
        yield gauge("gonfalon_matches", "Matches in memory", value=len(registry.in_memory))
        made = counter(
            "gonfalon_matches_made", "Matches made, by variant; `own`: the operator's own", labels=["variant"]
        )
        for variant, count in sorted(registry.made.copy().items()):
            made.add_metric([variant], count)
        yield made
        yield gauge("gonfalon_tasks", "Tasks of the event loop", value=len(asyncio.all_tasks(self._loop)))
        yield gauge("gonfalon_commands_waiting", "Commands that wait in matches", value=registry.count_waiting())
        yield gauge("gonfalon_writes_waiting", "Writes that wait for the store", value=writer.waiting)
        yield counter("gonfalon_commits", "Transactions that were committed", value=writer.commits)
        yield counter("gonfalon_entries_stored", "Entries of logs that were stored", value=writer.stored)
        yield counter("gonfalon_writes_failed", "Writes that could not be stored", value=writer.failed)
        lobby = self._service.meeting.lobby
        yield gauge("gonfalon_lobby_pages", "Pages in the lobby", value=len(lobby.windows))
        yield gauge("gonfalon_lobby_waiting", "People who wait for a quick game", value=lobby.seeking.waiting)
        yield gauge("gonfalon_lobby_challenges", "Challenges that stand", value=len(lobby.challenging.all))
        yield counter("gonfalon_lobby_matches", "Matches made in the lobby", value=lobby.tables.made)
        yield gauge("gonfalon_replays_waiting", "Replays being made or waited for", value=self._service.replays.queued)
        yield gauge("gonfalon_agents_running", "Processes of computer players", value=agents.running)
        yield gauge("gonfalon_agents_waiting", "Decisions asked of them and not answered yet", value=agents.waiting)
        elsewhere = agents.elsewhere
        yield gauge("gonfalon_workers", "Workers on other machines", value=elsewhere.living if elsewhere else 0)
        waiting = elsewhere.waiting if elsewhere else 0
        yield gauge("gonfalon_questions_waiting", "Questions that none of them has taken yet", value=waiting)
        yield counter("gonfalon_agents_killed", "Such processes that were killed", value=agents.killed)
