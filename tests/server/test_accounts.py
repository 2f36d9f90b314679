"""Guests, registered people, cookies, passwords."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from running_server import EASY, KEY, Running, asking, run, strict
from trueodds.client import Client, RefusedError
from trueodds.journal import check_journal
from trueodds.server.cookie import NAME, read_cookie, write_cookie
from trueodds.server.passwords import LockOut, Passwords

Serve = Callable[..., Running]
SECRET = "correct horse"


def code(response: httpx.Response) -> str:
    return str(response.json()["error"]["code"])


def test_a_guest_registers_and_comes_back(serve: Serve) -> None:
    server = serve()
    with asking(server) as http:
        answer = http.post("/api/guests", json={"name": "Ann"})
        assert answer.status_code == 201
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        guest = answer.json()
        assert (guest["name"], guest["kind"], guest["limits"]) == ("Ann", "guest", {})
        me = http.post("/api/register", json={"name": "Annie", "password": SECRET}).json()
        assert (me["id"], me["name"], me["kind"]) == (guest["id"], "Annie", "registered")
        assert code(http.post("/api/register", json={"name": "Other", "password": SECRET})) == "registered"
        assert http.post("/api/logout").status_code == 204
        assert http.get("/api/me").status_code == 401
        nobody = http.get("/api/me?or_nobody=true")
        assert (nobody.status_code, nobody.json()) == (200, None)
        assert code(http.post("/api/guests", json={"name": "ANNIE"})) == "name_taken"
        assert code(http.post("/api/register", json={"name": "annie", "password": SECRET})) == "name_taken"
        assert http.post("/api/login", json={"name": "annie", "password": SECRET}).json() == me
        assert http.get("/api/me").json() == me
    stored = server.journal.people.find(guest["id"])
    assert stored is not None
    assert (stored.password_hash or "").startswith("$argon2id$")
    assert not check_journal(server.journal)


def test_deleting_an_account(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Ann") as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        http.post(f"/api/tables/{table}/wishes", json={"id": "1", "wish": "sit", "cents": 1000})
        cookie = http.cookies[NAME]
        assert http.delete("/api/me").status_code == 204
        http.cookies.set(NAME, cookie)
        assert code(http.get("/api/me")) == "nobody"
        assert code(http.post("/api/login", json={"name": "Ann", "password": SECRET})) == "wrong_password"
        rows = http.get(f"/api/tables/{table}/rows").json()["rows"]
        assert rows[1]["sentences"] == ["somebody who left comes to the table"]
    assert not check_journal(server.journal)


def test_a_deleted_account_wishes_for_nothing_more(serve: Serve) -> None:
    """Not even over a socket that was open before."""
    server = serve()

    async def evening() -> str:
        async with Client(server.address) as client:
            await client.guest("Ann")
            table = (await client.create_table("NJ"))["id"]
            async with await client.join(table) as session:
                await session.wish("sit", cents=1000)
                await client.forget_me()
                with pytest.raises(RefusedError) as no:
                    await session.wish("buy_in", cents=1000)
                return no.value.code

    assert run(evening()) == "nobody"


def test_cookies_cannot_be_made_up(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Bob") as bob:
        other = bob.get("/api/me").json()["id"]
    with asking(server, name="Ann") as http:
        person, at, signature = http.cookies[NAME].split(".")
        assert http.get("/api/me").json()["name"] == "Ann"
        for made_up in (
            f"{other}.{at}.{signature}", f"{person}.{int(at) + 1}.{signature}", f"{person}.{at}.{'0' * 64}",
            f"{person}.{at}", f"{person}.{at}.{signature}0", f"{person.upper()}.{at}.{signature}", "", "x" * 4000,
            f"{person}.{at}.{signature[:-1]}{'1' if signature[-1] == '0' else '0'}",
        ):  # fmt: skip
            answer = httpx.get(f"{server.address}/api/me", headers={"Cookie": f"{NAME}={made_up}"}, trust_env=False)
            assert (answer.status_code, code(answer)) == (401, "nobody"), made_up


def test_a_cookie_ends() -> None:
    now = [1_000]
    settings = strict(clock=lambda: now[0], cookie_ms=500)
    text = write_cookie(settings, "0" * 32)
    assert read_cookie(settings, text) == "0" * 32
    now[0] = 1_500
    assert read_cookie(settings, text) is None
    assert str(KEY) == "Key(hidden)"


def test_wrong_passwords_lock_a_name_out(serve: Serve) -> None:
    """Whether anybody has the name or not, and for the right password, too; another name is not touched."""
    now = [1_000_000]
    server = serve(clock=lambda: now[0], failures=3, lock_out_ms=60_000)
    with asking(server) as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        http.post("/api/logout")
        for name in ("Ann", "Nobody"):
            for _ in range(3):
                answer = http.post("/api/login", json={"name": name, "password": "wrong horse"})
                assert (answer.status_code, code(answer)) == (401, "wrong_password")
            answer = http.post("/api/login", json={"name": name.upper(), "password": SECRET})
            assert (answer.status_code, code(answer)) == (429, "locked_out")
            assert answer.json()["error"]["wait_ms"] == 60_000
            assert answer.headers["retry-after"] == "60"
        now[0] += 60_000
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200
        for _ in range(2):
            http.post("/api/login", json={"name": "Ann", "password": "wrong horse"})
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200


def test_who_is_not_there_takes_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured in hashes, which a noisy machine cannot blur: one for a wrong password and one for a wrong name."""
    passwords = Passwords(EASY)
    done: list[str] = []
    verify = passwords._hasher.verify

    class Counting:
        def verify(self, stored: str, password: str) -> bool:
            done.append(stored.rsplit("$", 2)[0])
            return bool(verify(stored, password))

    monkeypatch.setattr(passwords, "_hasher", Counting())
    assert passwords.fits(Passwords(EASY).hash(SECRET), SECRET)
    assert not passwords.fits(Passwords(EASY).hash(SECRET), "wrong horse")
    assert not passwords.fits(None, SECRET)
    assert not passwords.fits(None, "nobody has this password")
    assert len(done) == 4
    assert len(set(done)) == 1


def test_old_failures_do_not_add_up() -> None:
    now = [0]
    lock_out = LockOut(strict(clock=lambda: now[0], failures=2, lock_out_ms=1000))
    for _ in range(5):
        lock_out.failed("Ann")
        assert not lock_out.wait_ms("Ann")
        now[0] += 1000
