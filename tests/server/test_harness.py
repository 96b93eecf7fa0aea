"""The harness of the server's tests."""

from __future__ import annotations

import pytest

from server import harness


def test_no_other_test_takes_a_port_while_its_server_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    with harness.reserve_port() as reserved:
        port = reserved.getsockname()[1]
        monkeypatch.setattr(harness, "PORTS", range(port, port + 1))
        with pytest.raises(AssertionError, match="no port is free"):
            harness.reserve_port()
    with harness.reserve_port() as again:
        assert again.getsockname()[1] == port
