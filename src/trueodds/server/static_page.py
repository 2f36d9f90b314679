"""The page: what the front end was built into, kept in memory; every address of the page begins with the same file."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from trueodds.server.errors import ApiError

BUILT: Final = Path(__file__).parent / "page"
"""Where the build puts it."""

ADDRESSES: Final = ("/", "/table/{table_id}", "/proof/{table_id}/{roll}", "/drill", "/me", "/new")
"""Addresses that a person can open or reload; the page finds out which it is."""

FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"


class File(NamedTuple):
    """A file of the page, and the same packed."""

    plain: bytes
    packed: bytes
    kind: str
    etag: str


def read_files(folder: Path) -> dict[str, File]:
    """Read a built page; nothing when it was not built."""
    return {
        path.relative_to(folder).as_posix(): _file(path) for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def page_router(folder: Path = BUILT) -> APIRouter:
    """Serve a built page."""
    router = APIRouter(include_in_schema=False)
    files = read_files(folder)

    async def first(request: Request) -> Response:
        return _answer(request, files, "index.html", ASK_AGAIN)

    async def asset(request: Request, name: str) -> Response:
        return _answer(request, files, f"assets/{name}", FOR_EVER)

    async def icon(request: Request) -> Response:
        return _answer(request, files, "favicon.svg", ASK_AGAIN)

    for address in ADDRESSES:
        router.add_api_route(address, first, methods=["GET", "HEAD"])
    router.add_api_route("/assets/{name}", asset, methods=["GET", "HEAD"])
    router.add_api_route("/favicon.svg", icon, methods=["GET", "HEAD"])
    return router


def _file(path: Path) -> File:
    plain = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind += "; charset=utf-8" if kind.startswith(("text/", "application/javascript")) else ""
    return File(plain, gzip.compress(plain, mtime=0), kind, f'"{hashlib.sha256(plain).hexdigest()[:32]}"')


def _answer(request: Request, files: Mapping[str, File], name: str, caching: str) -> Response:
    file = files.get(name)
    if file is None:
        said = "there is no such page" if files else "the page was not built: see docs/page.md"
        raise ApiError(404, "no_such_page", said)
    headers = {"Cache-Control": caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if _has(request.headers.get("if-none-match", ""), file.etag):
        return Response(status_code=304, headers=headers)
    packs = "gzip" in request.headers.get("accept-encoding", "")
    if packs:
        headers["Content-Encoding"] = "gzip"
    return Response(file.packed if packs else file.plain, media_type=file.kind, headers=headers)


def _has(known: str, etag: str) -> bool:
    """Say whether a client has this already; a proxy that packed it on the way has made the tag a weak one."""
    return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in known.split(","))
