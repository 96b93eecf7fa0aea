"""`gonfalon serve`."""

from __future__ import annotations

import argparse
import asyncio
import socket

from gonfalon.cli.choosing import read_variants
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import EXTRAS, require
from gonfalon.cli.matches import reporting
from gonfalon.cli.places import find_config, make_folder, require_server_system


def serve(arguments: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C. Raises `CommandError` if the address or the database cannot be used."""
    require_server_system()
    require("serve", *EXTRAS["play"])
    import msgspec

    from gonfalon.server.app import serve as run
    from gonfalon.server.cluster.node import try_out
    from gonfalon.server.config import STATIC, SettingError, split_address
    from gonfalon.server.journal import write_to_stderr
    from gonfalon.server.own_agents import OwnAgentError, check_agents
    from gonfalon.server.storage.store import Store
    from gonfalon.server.workers.elsewhere import is_shared

    if not (STATIC / "index.html").is_file():
        raise CommandError(
            "there is no page to serve: this Gonfalon was installed without it (GONFALON_NO_PAGE), or it is not built "
            "yet; `make setup` builds it in a clone, and so does an installation without GONFALON_NO_PAGE"
        )
    _check_free(arguments.host, arguments.port)
    write_to_stderr(arguments.log)
    try:
        config = msgspec.structs.replace(
            find_config(arguments),
            hosts=(arguments.host, *arguments.name),
            trusted_proxies=frozenset(arguments.trusted_proxy),
            keep_days=arguments.keep_days,
            agent_processes=arguments.agent_processes,
            own_variants=read_variants(arguments.variants),
            accounts=not arguments.no_accounts,
            accounts_an_hour=arguments.accounts_an_hour,
            metrics_port=arguments.metrics,
            source=arguments.source,
            contact=arguments.contact,
            node=arguments.node,
            advertise=arguments.advertise,
        )
        config = msgspec.structs.replace(config, own_agents=check_agents(arguments.agent, config))
    except SettingError as error:
        raise CommandError(f"--{error.setting}: {error}") from error
    except OwnAgentError as error:
        raise CommandError(f"--agent: {error}") from error
    if config.node:
        relays = split_address(config.advertise)
        if relays[1] == arguments.port and arguments.host in (relays[0], "0.0.0.0", "::"):  # noqa: S104 - compared only
            raise CommandError("--advertise: people reach the server on this port; other nodes need one of their own")
        _check_free(*relays)
    if config.agent_processes == 0 and not is_shared(config.url):
        raise CommandError(
            "--agent-processes 0 needs PostgreSQL (--database): a server of SQLite has no workers on other machines"
        )
    if config.metrics_port:
        _check_free(config.metrics_host, config.metrics_port)
    if not config.database:
        make_folder(config.data)
    with reporting():
        asyncio.run(try_out(config) if config.node else Store(config.url).try_out())
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    print(f"Gonfalon is on http://{host}:{arguments.port}  (Ctrl-C ends it)", flush=True)
    try:
        run(arguments.host, arguments.port, config)
    except KeyboardInterrupt:
        print("Stopped.")
    return 0


def _check_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise CommandError(f"cannot listen on {host} port {port}: {error}") from error
