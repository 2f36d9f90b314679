"""How the page is served: compressed, cached, and nothing else."""

from __future__ import annotations

import gzip
import re
import socket

import httpx
import pytest

from support.running_server import RunningServer
from trueodds.server.static_page import BUILD_FOLDER, PAGE_PATHS

INDEX = (BUILD_FOLDER / "index.html").read_bytes()
ASSETS = sorted(path.name for path in (BUILD_FOLDER / "assets").iterdir())
PATHS = [re.sub(r"\{.*?\}", "7", path) for path in PAGE_PATHS]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_serves_the_same_page(http: httpx.Client, path: str) -> None:
    response = http.get(path)
    assert (response.status_code, response.content) == (200, INDEX)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    policy = response.headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ASSETS)
def test_assets_are_cached_forever_under_hashed_names(http: httpx.Client, name: str) -> None:
    response = http.get(f"/assets/{name}")
    assert (response.status_code, response.content) == (200, (BUILD_FOLDER / "assets" / name).read_bytes())
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["x-content-type-options"] == "nosniff"
    kind = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}[name.rsplit(".", 1)[1]]
    assert response.headers["content-type"] == kind
    assert re.search(r"-[\w-]{8}\.\w+$", name), "the name must contain a hash"


def test_assets_are_compressed_on_request(http: httpx.Client) -> None:
    name = max(ASSETS, key=lambda asset: (BUILD_FOLDER / "assets" / asset).stat().st_size)
    plain = http.get(f"/assets/{name}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with http.stream("GET", f"/assets/{name}", headers={"Accept-Encoding": "br, gzip"}) as compressed:
        raw = b"".join(compressed.iter_raw())
        assert compressed.headers["content-encoding"] == "gzip"
        assert int(compressed.headers["content-length"]) == len(raw) < len(plain.content) / 2
    assert gzip.decompress(raw) == plain.content
    assert plain.headers["vary"] == compressed.headers["vary"] == "Accept-Encoding"


def test_a_known_etag_is_answered_with_304(http: httpx.Client) -> None:
    etag = http.get("/").headers["etag"]
    for known_etag in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = http.get("/", headers={"If-None-Match": known_etag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag), known_etag
        assert "content-security-policy" in again.headers
    assert http.get("/", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/", f"/assets/{ASSETS[0]}", "/favicon.svg"])
def test_head_has_the_headers_of_get(http: httpx.Client, path: str) -> None:
    get, head = http.get(path), http.head(path)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-length", "content-type", "etag", "cache-control"):
        assert head.headers[name] == get.headers[name]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/", "/assets/nope.js", "/assets/..%2findex.html", "/assets/..%2f..%2fpage.py", "/assets/../page.py",
        "/assets/%2e%2e/%2e%2e/app.py", "/assets//etc/passwd", "/assets/%00", "/.stamp", "/assets/..%5c.stamp",
        "/page/index.html", "/index.html", "/table", "/table/", "/table/7/", "/proof/7", "/favicon.ico", "/%ff",
    ],
)  # fmt: skip
def test_other_paths_are_not_served(server: RunningServer, path: str) -> None:
    """The path is sent as it is. An HTTP client would normalize it."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.address[7:]}\r\nConnection: close\r\n\r\n".encode())
        reply = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = reply.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 "), reply
    assert b"content-type: application/json" in head.lower()
    assert body.startswith(b'{"error":{"code":"not_found","message":"'), body


def test_the_page_is_read_only(http: httpx.Client) -> None:
    response = http.post("/")
    assert (response.status_code, response.json()["error"]["code"]) == (405, "method_not_allowed")
