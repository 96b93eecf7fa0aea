"""The files of the built page."""

from __future__ import annotations

import errno
import html
import mimetypes
import re
from pathlib import Path
from typing import Any

from litestar import Request
from litestar.response import Response

import gonfalon
from gonfalon.server.http.compressed import CHECKED, answer_form, answer_text
from gonfalon.server.http.preview import LANGUAGE, WISHES, Asked, Previews, cut_damage
from gonfalon.server.page_facts import read_page_facts
from gonfalon.server.storage.subjects import Subject

NOT_BUILT = """The page of Gonfalon is not built yet.

Build it in the repository's folder with `make setup`, then load this address again.
The server itself works: /api/games lists the games.
"""
ROOT = '<div id="page"'
"""Beginning of the element that holds the page. `Page` adds version and source to it as `data-` attributes."""
_HASHED = re.compile(r"[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$")
SCREENS_BY_ID = ("match/", "replay/")
"""Beginnings of paths that are always the page, because it repairs damaged links with a dot."""
_YEAR = "public, max-age=31536000, immutable"
_ENDINGS = {"br": ".br", "gzip": ".gz"}
"""Suffixes of the compressed files that the build writes beside a file; the smallest file first."""


class Page:
    """Serves the files of one folder. Paths without a dot are the page itself."""

    def __init__(self, folder: Path, source: str = "") -> None:
        """`source`: URL of the server's source code, empty for none."""
        self._folder = folder.resolve()
        data = {"version": gonfalon.__version__, **({"source": source} if source else {})}
        self._root = " ".join((ROOT, *(f'data-{name}="{html.escape(value)}"' for name, value in data.items())))
        self._facts = read_page_facts(self._folder)
        self._previews = Previews(self._folder / "previews.json")

    def answer(self, request: Request[Any, Any, Any], path: str, subject: Subject | None = None) -> Response[bytes]:
        """Return the file of a path, the page, or a plain text that says why nothing is there. `subject`: the subject
        of the page, for the preview of a link to it.
        """
        name = path.strip("/")
        if "." not in name or name.startswith(SCREENS_BY_ID):
            return self._page(request, name, subject)
        file = self._find(name)
        if file is None:
            return _plain("There is no such file here.\n", 404)  # the path may hold a secret
        return _file(request, file, _YEAR if name.startswith("assets/") and _HASHED.search(file.name) else CHECKED)

    def _find(self, name: str) -> Path | None:
        """Return a file in the folder. If the file system does not allow a name (a zero byte, 300 letters), return
        None.
        """
        try:
            file = (self._folder / name).resolve()
            return file if file.is_relative_to(self._folder) and file.is_file() else None
        except ValueError:
            return None
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return None
            raise

    def _page(self, request: Request[Any, Any, Any], name: str, subject: Subject | None) -> Response[bytes]:
        index = self._folder / "index.html"
        if not index.is_file():
            return _plain(NOT_BUILT, 503)
        site = f"{request.url.scheme}://{request.headers['host']}"
        language = cut_damage(request.query_params.get(LANGUAGE, ""))
        asked = Asked(f"{site}/{cut_damage(name)}", language, request.headers.get(WISHES, ""))
        text = self._previews.fill(index.read_text(encoding="utf-8"), asked, subject).replace(ROOT, self._root, 1)
        answer = answer_text(request, text.encode(), "text/html", vary=f"accept-encoding, {WISHES}")
        if answer.status_code != 304 and not self._is_there(cut_damage(name), subject):
            answer.status_code = 404
        return answer

    def _is_there(self, path: str, subject: Subject | None) -> bool:
        """Return whether the page has a screen at a path and, if the path names a game or a match, knows that."""
        return self._facts.has_screen(path) and (subject is not None or "/" not in path.strip("/"))


def _file(request: Request[Any, Any, Any], file: Path, cache: str) -> Response[bytes]:
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if kind == "application/javascript":
        kind += "; charset=utf-8"  # Litestar adds the charset to `text/` types only
    beside = {encoding: file.with_name(file.name + ending) for encoding, ending in _ENDINGS.items()}
    forms = {encoding: each.read_bytes() for encoding, each in beside.items() if each.is_file()}
    return answer_form(request, {**forms, "": file.read_bytes()}, kind, cache)


def _plain(text: str, status: int) -> Response[bytes]:
    headers = {"cache-control": "no-store"}
    return Response(text.encode(), media_type="text/plain", status_code=status, headers=headers)
