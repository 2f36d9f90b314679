"""The built front end, served from memory. Every page path returns the same `index.html`."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from trueodds.server.errors import ApiError

BUILD_FOLDER: Final = Path(__file__).parent / "page"
"""Where `hatch_build.py` puts the build."""

PAGE_PATHS: Final = ("/", "/table/{table_id}", "/proof/{table_id}/{roll}", "/drill", "/me", "/new")
"""Paths that a user can open or reload. The front end does the routing."""

CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"


class StaticFile(NamedTuple):
    """A file of the page, plain and gzipped."""

    content: bytes
    gzipped: bytes
    media_type: str
    etag: str


def read_files(folder: Path) -> dict[str, StaticFile]:
    """Return the files of a built page by relative path. The result is empty if there is no build."""
    return {
        path.relative_to(folder).as_posix(): _read_file(path) for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip


def page_router(folder: Path = BUILD_FOLDER) -> APIRouter:
    """Return the routes of a built page."""
    router = APIRouter(include_in_schema=False)
    files = read_files(folder)

    async def index(request: Request) -> Response:
        return _file_response(request, files, "index.html", REVALIDATE)

    async def asset(request: Request, name: str) -> Response:
        return _file_response(request, files, f"assets/{name}", CACHE_FOREVER)

    async def icon(request: Request) -> Response:
        return _file_response(request, files, "favicon.svg", REVALIDATE)

    for path in PAGE_PATHS:
        router.add_api_route(path, index, methods=["GET", "HEAD"])
    router.add_api_route("/assets/{name}", asset, methods=["GET", "HEAD"])
    router.add_api_route("/favicon.svg", icon, methods=["GET", "HEAD"])
    return router


def _read_file(path: Path) -> StaticFile:
    plain = path.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    kind += "; charset=utf-8" if kind.startswith(("text/", "application/javascript")) else ""
    return StaticFile(plain, gzip.compress(plain, mtime=0), kind, f'"{hashlib.sha256(plain).hexdigest()[:32]}"')


def _file_response(request: Request, files: Mapping[str, StaticFile], name: str, caching: str) -> Response:
    file = files.get(name)
    if file is None:
        message = "Not found" if files else "The page was not built: see docs/page.md"
        raise ApiError(404, "not_found", message)
    headers = {"Cache-Control": caching, "ETag": file.etag, "Vary": "Accept-Encoding"}
    if _etag_matches(request.headers.get("if-none-match", ""), file.etag):
        return Response(status_code=304, headers=headers)
    accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
    if accepts_gzip:
        headers["Content-Encoding"] = "gzip"
    return Response(file.gzipped if accepts_gzip else file.content, media_type=file.media_type, headers=headers)


def _etag_matches(if_none_match: str, etag: str) -> bool:
    """Return whether the client has this version. A proxy that compressed the file made the tag a weak one."""
    return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in if_none_match.split(","))
