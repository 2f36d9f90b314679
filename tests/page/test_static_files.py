"""How the page is served: packed, kept, asked again, and nothing beside it."""

from __future__ import annotations

import gzip
import re
import socket

import httpx
import pytest

from running_server import Running
from trueodds.server.page import ADDRESSES, BUILT

FIRST = (BUILT / "index.html").read_bytes()
ASSETS = sorted(path.name for path in (BUILT / "assets").iterdir())
OPENED = [re.sub(r"\{.*?\}", "7", address) for address in ADDRESSES]


@pytest.mark.parametrize("address", OPENED)
def test_every_address_opens_the_same_page(http: httpx.Client, address: str) -> None:
    answer = http.get(address)
    assert (answer.status_code, answer.content) == (200, FIRST)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ASSETS)
def test_files_are_kept_for_ever_under_names_that_change(http: httpx.Client, name: str) -> None:
    answer = http.get(f"/assets/{name}")
    assert (answer.status_code, answer.content) == (200, (BUILT / "assets" / name).read_bytes())
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    kind = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}[name.rsplit(".", 1)[1]]
    assert answer.headers["content-type"] == kind
    assert re.search(r"-[\w-]{8}\.\w+$", name), "its name does not change with its content"


def test_packed_for_those_who_can_read_it(http: httpx.Client) -> None:
    name = max(ASSETS, key=lambda one: (BUILT / "assets" / one).stat().st_size)
    plain = http.get(f"/assets/{name}", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    with http.stream("GET", f"/assets/{name}", headers={"Accept-Encoding": "br, gzip"}) as packed:
        raw = b"".join(packed.iter_raw())
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) == len(raw) < len(plain.content) / 2
    assert gzip.decompress(raw) == plain.content
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"


def test_asked_again_nothing_is_sent_twice(http: httpx.Client) -> None:
    etag = http.get("/").headers["etag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = http.get("/", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag), known
        assert "content-security-policy" in again.headers
    assert http.get("/", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/", f"/assets/{ASSETS[0]}", "/favicon.svg"])
def test_head_says_what_get_would(http: httpx.Client, path: str) -> None:
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
def test_nothing_beside_it(server: Running, path: str) -> None:
    """Sent as it stands, since a client would tidy it up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.address[7:]}\r\nConnection: close\r\n\r\n".encode())
        told = b"".join(iter(lambda: line.recv(65536), b""))
    head, _, body = told.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 "), told
    assert b"content-type: application/json" in head.lower()
    assert body.startswith(b'{"error":{"code":"no_such_page","sentence":"'), body


def test_a_page_is_only_read(http: httpx.Client) -> None:
    answer = http.post("/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "wrong_method")
