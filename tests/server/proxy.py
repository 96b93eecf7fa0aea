"""The proxy in front of servers, for tests: nginx with the files of `deploy/`."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gonfalon.server.trials.processes.ports import reserve_port
from server.harness import wait_for

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
UPSTREAM = """upstream gonfalon {
    server 127.0.0.1:8000;
    keepalive 32;
}
"""
"""The block of nginx.conf that nginx-nodes.conf replaces."""


def need(*programs: str) -> list[str]:
    """Return the paths of these programs; if one is missing, skip the test with a message."""
    found = [shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") for program in programs]
    for program, path in zip(programs, found, strict=True):
        if path is None:
            pytest.skip(f"no {program} on this machine")
    return [path for path in found if path]


def replace(text: str, changes: dict[str, str]) -> str:
    """Replace parts of a text; each part must occur in it."""
    for old, new in changes.items():
        assert old in text, f"{old!r} is not in the file"
        text = text.replace(old, new)
    return text


class Proxy:
    """nginx with deploy/nginx.conf, in which only names, ports and the certificate are replaced."""

    def __init__(self, folder: Path, upstream: str) -> None:
        """`upstream`: the text in the place of `UPSTREAM`."""
        self.nginx, openssl = need("nginx", "openssl")
        self.folder = folder
        self._reserved = (reserve_port(), reserve_port())
        self.plain, self.port = (reserved.getsockname()[1] for reserved in self._reserved)
        self.certificate = folder / "fullchain.pem"
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        files = ["-keyout", str(folder / "privkey.pem"), "-out", str(self.certificate)]
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        subprocess.run([openssl, "req", "-x509", *key, *files, *subject], check=True, capture_output=True)
        site = replace(
            (DEPLOY / "nginx.conf").read_text(),
            {
                UPSTREAM: upstream,
                "listen 80;": f"listen 127.0.0.1:{self.plain};",
                "    listen [::]:80;\n": "",
                "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
                "    listen [::]:443 ssl http2;\n": "",
                # The tests read the lines of errors.
                "error_log /var/log/nginx/error.log crit;": "",
                "/etc/letsencrypt/live/play.example.org": str(folder),
                "server_name play.example.org": "server_name localhost",
            },
        )
        temporary = "".join(
            f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"{user}daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
            f"http {{\naccess_log {folder}/lines;\n{temporary}{site}\n}}\n"
        )

    @contextlib.contextmanager
    def run(self) -> Iterator[None]:
        command = [self.nginx, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        with (self.folder / "errors").open("ab") as errors:
            process = subprocess.Popen(command, stderr=errors)
        try:
            wait_for(lambda: self._listens(process))
            yield
        finally:
            process.terminate()
            process.wait(30)
            for reserved in self._reserved:
                reserved.close()

    def _listens(self, process: subprocess.Popen[bytes]) -> bool:
        assert process.poll() is None, (self.folder / "errors").read_text()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))
