"""nginx in front of the nodes of a trial: sockets and requests of a match go to the same node while it is there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from gonfalon.server.trials.processes.server import wait_until_listening

_SETTINGS = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log /dev/null;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    map $uri $key {{ ~^/api/matches/(?<match>[^/]+) $match; default $remote_addr; }}
    map $http_upgrade $connection_kind {{ default upgrade; '' ''; }}
    upstream nodes {{ hash $key consistent; {servers} }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $connection_kind;
            proxy_connect_timeout 2s;
            proxy_read_timeout 75s;
            proxy_next_upstream error timeout http_503;
        }}
    }}
}}
"""


def find_nginx() -> str | None:
    """Return the program; None if there is none."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


class Nginx:
    """A process of nginx. It ends with `stop`."""

    def __init__(self, program: str, folder: Path, port: int, nodes: Sequence[int]) -> None:
        """`folder`: empty, for its files; `nodes`: the ports of the nodes. Raises RuntimeError if it does not start."""
        # After a failure nginx would send nothing to a node until a request to it has ended well: sockets do not end.
        servers = " ".join(f"server 127.0.0.1:{node} max_fails=0;" for node in nodes)
        settings = folder / "nginx.conf"
        settings.write_text(_SETTINGS.format(folder=folder, port=port, servers=servers), encoding="ascii")
        self.port = port
        command = [program, "-e", "/dev/null", "-p", str(folder), "-c", str(settings)]
        self._process = subprocess.Popen(command)  # noqa: S603 - found by `find_nginx`
        wait_until_listening("nginx", self._process, port)

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)
