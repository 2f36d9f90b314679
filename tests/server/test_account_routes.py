"""Guests, registered people, cookies, passwords."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

import httpx
import pytest
from starlette.requests import HTTPConnection

from running_server import EASY, KEY, Running, asking, run, strict
from trueodds.client import Client, RefusedError
from trueodds.journal import Person, check_journal
from trueodds.server.cookie import NAME, Signed, write_cookie
from trueodds.server.passwords import LockOut, Passwords
from trueodds.server.settings import Rate

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
        assert (guest["name"], guest["kind"]) == ("Ann", "guest")
        none = {"now": None, "later": None}
        assert guest["limits"] == {"loss_cents": none, "time_ms": none}
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


def test_who_deletes_an_account_leaves_every_table(serve: Serve) -> None:
    """As anybody who leaves: chips are paid out, and what must stay is played out."""
    server = serve()
    with asking(server, name="Ann") as http, asking(server, name="Bob") as bob:
        tables = [http.post("/api/tables", json={"book": "NJ"}).json()["id"] for _ in range(2)]
        for table in tables:
            for player in (http, bob):
                player.post(f"/api/tables/{table}/wishes", json={"id": "1", "wish": "sit", "cents": 5000})
        wish = {"id": "2", "wish": "bet", "spot": "pass", "cents": 1000}
        assert http.post(f"/api/tables/{tables[0]}/wishes", json=wish).status_code == 200
        http.delete("/api/me")
        for table in tables:
            look = bob.get(f"/api/tables/{table}").json()
            assert list(look["players"].values()) == ["Bob"]
            assert look["position"]["custody"]["offer_to"] == look["you"]
    assert not check_journal(server.journal)


def test_who_deletes_an_account_leaves_whatever_was_asked_before(serve: Serve) -> None:
    """No id that a client used at the table stands in the way."""
    server = serve()
    with asking(server, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        for wish in ({"id": "1", "wish": "sit", "cents": 1000}, {"id": "deleted", "wish": "buy_in", "cents": 1000}):
            assert http.post(f"/api/tables/{table}/wishes", json=wish).json()["ok"]
        assert http.delete("/api/me").status_code == 204
    assert not server.journal.load(table).position.seats


def test_a_cookie_that_was_logged_out_takes_nothing_from_its_owner(serve: Serve) -> None:
    server = serve(requests=Rate(10, 0.001), clock=lambda: 10**12)
    with asking(server, name="Ann") as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        old = {"Cookie": f"{NAME}={http.cookies[NAME]}"}
        http.post("/api/logout")
        http.post("/api/login", json={"name": "Ann", "password": SECRET})
        statuses = [httpx.get(f"{server.address}/api/me", headers=old, trust_env=False).status_code for _ in range(20)]
        assert set(statuses) == {401, 429}
        assert http.get("/api/me").status_code == 200


def test_who_changes_while_looked_up_is_not_remembered_as_before(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that was tightened holds at once, also for a question that was on its way."""
    server = serve()
    desk = server.app.state.desk
    with asking(server, name="Ann") as http:
        cookie = f"{NAME}={http.cookies[NAME]}".encode()
        connection = HTTPConnection({"type": "http", "headers": [(b"cookie", cookie)]})
        find = server.journal.people.find

        def change_meanwhile(person_id: str) -> Person | None:
            person = find(person_id)
            monkeypatch.undo()
            assert http.put("/api/me/limits", json={"loss_cents": 5, "time_ms": None}).status_code == 200
            return person

        desk.forget("nobody")
        monkeypatch.setattr(server.journal.people, "find", change_meanwhile)
        assert desk.person(connection).limits == {}
        seen = desk.seen(connection)
        assert seen is None or seen.limits


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


def test_logging_out_ends_every_cookie(serve: Serve) -> None:
    """Also one that somebody took before, on another device, and on a socket that is open."""
    server = serve()

    async def evening() -> tuple[str, str]:
        async with Client(server.address) as client:
            await client.register("Ann", SECRET)
            table = (await client.create_table("NJ"))["id"]
            async with await client.join(table) as session:
                await session.wish("sit", cents=1000)
                taken = str(client._http.cookies[NAME])
                await client.logout()
                await client.login("Ann", SECRET)
                await client.me()
                with pytest.raises(RefusedError) as no:
                    await session.wish("buy_in", cents=1000)
                return taken, no.value.code

    taken, said = run(evening())
    assert said == "nobody"
    with asking(server) as http:
        answer = http.get("/api/me", headers={"Cookie": f"{NAME}={taken}"})
        assert (answer.status_code, code(answer)) == (401, "nobody")
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200
        assert http.get("/api/me").status_code == 200
        assert http.post("/api/logout").status_code == 204
        assert http.post("/api/logout").status_code == 204
    assert not check_journal(server.journal)


def test_an_old_cookie_logs_nobody_out(serve: Serve) -> None:
    """Whoever has a cookie that is worth nothing cannot keep its owner out with it."""
    server = serve()
    with asking(server) as http, asking(server) as thief:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        taken = {"Cookie": f"{NAME}={http.cookies[NAME]}"}
        http.post("/api/logout")
        http.post("/api/login", json={"name": "Ann", "password": SECRET})
        assert thief.post("/api/logout", headers=taken).status_code == 204
        assert http.get("/api/me").status_code == 200


def test_who_keeps_coming_stays_known(serve: Serve) -> None:
    """A guest has no password to come back with: the cookie is given anew with every look at oneself."""
    now = [1_000_000]
    server = serve(clock=lambda: now[0], cookie_ms=1000)
    with asking(server, name="Ann") as http:
        for _ in range(4):
            now[0] += 600
            assert http.get("/api/me").status_code == 200
        now[0] += 1000
        assert http.get("/api/me").status_code == 401


def test_cookies_cannot_be_made_up(serve: Serve) -> None:
    server = serve()
    with asking(server, name="Bob") as bob:
        other = bob.get("/api/me").json()["id"]
    with asking(server, name="Ann") as http:
        person, epoch, at, signature = http.cookies[NAME].split(".")
        assert http.get("/api/me").json()["name"] == "Ann"
        given = f"{person}.{epoch}.{at}"
        for made_up in (
            f"{other}.{epoch}.{at}.{signature}", f"{person}.{epoch}.{int(at) + 1}.{signature}", f"{given}.{'0' * 64}",
            f"{person}.1.{at}.{signature}", f"{person}.{at}.{signature}", given, f"{given}.{signature}0",
            f"{person.upper()}.{epoch}.{at}.{signature}", "", "x" * 4000,
            f"{given}.{signature[:-1]}{'1' if signature[-1] == '0' else '0'}",
        ):  # fmt: skip
            answer = httpx.get(f"{server.address}/api/me", headers={"Cookie": f"{NAME}={made_up}"}, trust_env=False)
            assert (answer.status_code, code(answer)) == (401, "nobody"), made_up


def test_a_cookie_ends(serve: Serve) -> None:
    now = [1_000]
    server = serve(clock=lambda: now[0], cookie_ms=500)
    text = write_cookie(server.settings, Signed("0" * 32, 7))
    connection = HTTPConnection({"type": "http", "headers": [(b"cookie", f"{NAME}={text}".encode())]})
    assert server.app.state.desk.id_of(connection) == "0" * 32
    now[0] = 1_500
    assert server.app.state.desk.id_of(connection) is None
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
        assert not lock_out.take("Ann")
        now[0] += 1000


def test_a_clock_that_is_set_back_locks_nobody_out_for_longer() -> None:
    now = [10_000_000]
    lock_out = LockOut(strict(clock=lambda: now[0], failures=2, lock_out_ms=1000))
    assert [lock_out.take("Ann") for _ in range(3)] == [0, 0, 1000]
    now[0] -= 5_000_000
    assert lock_out.take("Ann") == 1000


def test_many_tries_at_once_are_no_more_than_many_in_a_row(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(failures=3)
    passwords = server.app.state.desk.passwords
    tried: list[str] = []

    def fits(_stored: str | None, password: str) -> bool:
        tried.append(password)
        time.sleep(0.2)
        return False

    monkeypatch.setattr(passwords, "fits", fits)

    def log_in(number: int) -> str:
        with asking(server) as http:
            return code(http.post("/api/login", json={"name": "Ann", "password": f"wrong horse {number}"}))

    with ThreadPoolExecutor(12) as threads:
        said = list(threads.map(log_in, range(12)))
    assert len(tried) == 3
    assert sorted(said) == ["locked_out"] * 9 + ["wrong_password"] * 3


def test_passwords_do_not_take_every_thread(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever would wait too long for a hash is told to ask again, which is no wrong password."""
    server = serve(failures=2)
    passwords = server.app.state.desk.passwords
    monkeypatch.setattr(passwords, "_line", BoundedSemaphore(1))
    with asking(server) as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        with passwords._line:
            for _ in range(3):
                answer = http.post("/api/login", json={"name": "Ann", "password": SECRET})
                assert (answer.status_code, code(answer)) == (503, "busy")
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200


@pytest.mark.parametrize(
    "name",
    [
        "Ann\u034f", "\u3164", "\u2800\u2800", "Ann\ufe0f", "Ann\U000e0100", "\u0410nn", "\u0391nn",
        "A\u0301\u0301\u0301\u0301", "Ann\u200b", "\u202eAnn", "Ann\u00ad", "Ann  B", "Ann\u00a0", "\u115f", "An\u043d",
    ],
    ids=ascii,
)  # fmt: skip
def test_names_that_deceive(serve: Serve, name: str) -> None:
    """Of people and of tables: what cannot be seen, and letters that look like those of another alphabet."""
    with asking(serve(), name="Ann") as http:
        for path, body in (("/api/guests", {"name": name}), ("/api/tables", {"book": "NJ", "name": name})):
            answer = http.post(path, json=body)
            assert (answer.status_code, code(answer)) == (422, "malformed"), path


@pytest.mark.parametrize(
    "name",
    [
        "Zoë",
        "Анна",
        "Ἀθηνᾶ",
        "安娜",
        "あんな アンナ",
        "أنا",
        "Nguyễn Thị",
        "O'Neil-7",
        "नमस्ते",
        "안나",
        "Ann 🎲",
        "Ann B",
    ],
)
def test_names_of_the_world(serve: Serve, name: str) -> None:
    with asking(serve()) as http:
        assert http.post("/api/guests", json={"name": name}).json()["name"] == name
        assert http.post("/api/tables", json={"book": "NJ", "name": name}).status_code == 201
