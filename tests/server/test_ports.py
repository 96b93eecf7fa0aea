"""Ports for servers of trials and tests."""

from __future__ import annotations

import pytest

from gonfalon.server.trials.processes import ports


def test_no_other_test_takes_a_port_while_its_server_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    with ports.reserve_port() as reserved:
        port = reserved.getsockname()[1]
        monkeypatch.setattr(ports, "PORTS", range(port, port + 1))
        with pytest.raises(RuntimeError, match="no port is free"):
            ports.reserve_port()
    with ports.reserve_port() as again:
        assert again.getsockname()[1] == port
