"""Guests, registered people, cookies, passwords."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

import httpx
import pytest
from starlette.requests import HTTPConnection

from support.running_server import KEY, TEST_SETTINGS, RunningServer, change_settings, http_client, run
from trueodds.client import Client, ServerRefusedError
from trueodds.journal import Person, check_journal
from trueodds.server.login_cookie import COOKIE_NAME, CookieOwner, format_cookie
from trueodds.server.passwords import LoginLockout, Passwords
from trueodds.server.settings import Rate

Serve = Callable[..., RunningServer]
SECRET = "correct horse"


def code(response: httpx.Response) -> str:
    return str(response.json()["error"]["code"])


def test_a_guest_registers_and_logs_in_again(serve: Serve) -> None:
    server = serve()
    with http_client(server) as http:
        answer = http.post("/api/guests", json={"name": "Ann"})
        assert answer.status_code == 201
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        guest = answer.json()
        assert (guest["name"], guest["kind"]) == ("Ann", "guest")
        none = {"current": None, "pending": None}
        assert guest["limits"] == {"loss_cents": none, "time_ms": none}
        me = http.post("/api/register", json={"name": "Annie", "password": SECRET}).json()
        assert (me["id"], me["name"], me["kind"]) == (guest["id"], "Annie", "registered")
        assert code(http.post("/api/register", json={"name": "Other", "password": SECRET})) == "already_registered"
        assert http.post("/api/logout").status_code == 204
        assert http.get("/api/me").status_code == 401
        nobody = http.get("/api/me?optional=true")
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
    with http_client(server, name="Ann") as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        http.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "join", "cents": 1000})
        cookie = http.cookies[COOKIE_NAME]
        assert http.delete("/api/me").status_code == 204
        http.cookies.set(COOKIE_NAME, cookie)
        assert code(http.get("/api/me")) == "not_logged_in"
        assert code(http.post("/api/login", json={"name": "Ann", "password": SECRET})) == "wrong_password"
        rows = http.get(f"/api/tables/{table}/events").json()["events"]
        assert rows[1]["sentences"] == ["a deleted player comes to the table"]
    assert not check_journal(server.journal)


def test_deleting_an_account_leaves_every_table(serve: Serve) -> None:
    """As anybody who leaves: chips are paid out, and what must stay is played out."""
    server = serve()
    with http_client(server, name="Ann") as http, http_client(server, name="Bob") as bob:
        tables = [http.post("/api/tables", json={"book": "NJ"}).json()["id"] for _ in range(2)]
        for table in tables:
            for player in (http, bob):
                player.post(f"/api/tables/{table}/commands", json={"id": "1", "command": "join", "cents": 5000})
        wish = {"id": "2", "command": "bet", "spot": "pass", "stake_cents": 1000}
        assert http.post(f"/api/tables/{tables[0]}/commands", json=wish).status_code == 200
        http.delete("/api/me")
        for table in tables:
            look = bob.get(f"/api/tables/{table}").json()
            assert list(look["names"].values()) == ["Bob"]
            assert look["position"]["custody"]["offered_to"] == look["you"]
    assert not check_journal(server.journal)


def test_deleting_an_account_ignores_earlier_command_ids(serve: Serve) -> None:
    """No id that a client used at the table stands in the way."""
    server = serve()
    with http_client(server, name="Ann") as http:
        table = http.post("/api/tables", json={"book": "NJ"}).json()["id"]
        for wish in (
            {"id": "1", "command": "join", "cents": 1000},
            {"id": "deleted", "command": "buy_in", "cents": 1000},
        ):
            assert http.post(f"/api/tables/{table}/commands", json=wish).json()["ok"]
        assert http.delete("/api/me").status_code == 204
    assert not server.journal.load_state(table).position.seats


def test_a_logged_out_cookie_has_its_own_rate_limit(serve: Serve) -> None:
    server = serve(request_rate=Rate(10, 0.001), clock=lambda: 10**12)
    with http_client(server, name="Ann") as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        old = {"Cookie": f"{COOKIE_NAME}={http.cookies[COOKIE_NAME]}"}
        http.post("/api/logout")
        http.post("/api/login", json={"name": "Ann", "password": SECRET})
        statuses = [httpx.get(f"{server.address}/api/me", headers=old, trust_env=False).status_code for _ in range(20)]
        assert set(statuses) == {401, 429}
        assert http.get("/api/me").status_code == 200


def test_a_person_changed_during_a_query_is_not_cached(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that was tightened holds at once, also for a question that was on its way."""
    server = serve()
    state = server.app.state.app_state
    with http_client(server, name="Ann") as http:
        cookie = f"{COOKIE_NAME}={http.cookies[COOKIE_NAME]}".encode()
        connection = HTTPConnection({"type": "http", "headers": [(b"cookie", cookie)]})
        find = server.journal.people.find

        def change_meanwhile(person_id: str) -> Person | None:
            person = find(person_id)
            monkeypatch.undo()
            assert http.put("/api/me/limits", json={"loss_cents": 5, "time_ms": None}).status_code == 200
            return person

        state.invalidate_person("nobody")
        monkeypatch.setattr(server.journal.people, "find", change_meanwhile)
        assert state.find_person(connection).self_limits == {}
        seen = state.cached_person(connection)
        assert seen is None or seen.self_limits


def test_commands_of_a_deleted_account_are_refused(serve: Serve) -> None:
    """Not even over a socket that was open before."""
    server = serve()

    async def evening() -> str:
        async with Client(server.address) as client:
            await client.create_guest("Ann")
            table = (await client.create_table("NJ"))["id"]
            async with await client.connect(table) as session:
                await session.send("join", cents=1000)
                await client.delete_account()
                with pytest.raises(ServerRefusedError) as no:
                    await session.send("buy_in", cents=1000)
                return no.value.code

    assert run(evening()) == "not_logged_in"


def test_logging_out_invalidates_all_cookies(serve: Serve) -> None:
    """Also one that somebody took before, on another device, and on a socket that is open."""
    server = serve()

    async def evening() -> tuple[str, str]:
        async with Client(server.address) as client:
            await client.register("Ann", SECRET)
            table = (await client.create_table("NJ"))["id"]
            async with await client.connect(table) as session:
                await session.send("join", cents=1000)
                taken = str(client._http.cookies[COOKIE_NAME])
                await client.logout()
                await client.login("Ann", SECRET)
                await client.account()
                with pytest.raises(ServerRefusedError) as no:
                    await session.send("buy_in", cents=1000)
                return taken, no.value.code

    taken, said = run(evening())
    assert said == "not_logged_in"
    with http_client(server) as http:
        answer = http.get("/api/me", headers={"Cookie": f"{COOKIE_NAME}={taken}"})
        assert (answer.status_code, code(answer)) == (401, "not_logged_in")
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200
        assert http.get("/api/me").status_code == 200
        assert http.post("/api/logout").status_code == 204
        assert http.post("/api/logout").status_code == 204
    assert not check_journal(server.journal)


def test_an_old_cookie_cannot_log_out(serve: Serve) -> None:
    """Whoever has a cookie that is worth nothing cannot keep its owner out with it."""
    server = serve()
    with http_client(server) as http, http_client(server) as thief:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        taken = {"Cookie": f"{COOKIE_NAME}={http.cookies[COOKIE_NAME]}"}
        http.post("/api/logout")
        http.post("/api/login", json={"name": "Ann", "password": SECRET})
        assert thief.post("/api/logout", headers=taken).status_code == 204
        assert http.get("/api/me").status_code == 200


def test_the_cookie_is_renewed(serve: Serve) -> None:
    """A guest has no password to come back with: the cookie is given anew with every look at oneself."""
    now = [1_000_000]
    server = serve(clock=lambda: now[0], cookie_ms=1000)
    with http_client(server, name="Ann") as http:
        for _ in range(4):
            now[0] += 600
            assert http.get("/api/me").status_code == 200
        now[0] += 1000
        assert http.get("/api/me").status_code == 401


def test_forged_cookies_are_refused(serve: Serve) -> None:
    server = serve()
    with http_client(server, name="Bob") as bob:
        other = bob.get("/api/me").json()["id"]
    with http_client(server, name="Ann") as http:
        person, epoch, at, signature = http.cookies[COOKIE_NAME].split(".")
        assert http.get("/api/me").json()["name"] == "Ann"
        given = f"{person}.{epoch}.{at}"
        for made_up in (
            f"{other}.{epoch}.{at}.{signature}", f"{person}.{epoch}.{int(at) + 1}.{signature}", f"{given}.{'0' * 64}",
            f"{person}.1.{at}.{signature}", f"{person}.{at}.{signature}", given, f"{given}.{signature}0",
            f"{person.upper()}.{epoch}.{at}.{signature}", "", "x" * 4000,
            f"{given}.{signature[:-1]}{'1' if signature[-1] == '0' else '0'}",
        ):  # fmt: skip
            answer = httpx.get(
                f"{server.address}/api/me", headers={"Cookie": f"{COOKIE_NAME}={made_up}"}, trust_env=False
            )
            assert (answer.status_code, code(answer)) == (401, "not_logged_in"), made_up


def test_a_cookie_expires(serve: Serve) -> None:
    now = [1_000]
    server = serve(clock=lambda: now[0], cookie_ms=500)
    text = format_cookie(server.settings, CookieOwner("0" * 32, 7))
    connection = HTTPConnection({"type": "http", "headers": [(b"cookie", f"{COOKIE_NAME}={text}".encode())]})
    assert server.app.state.app_state.cookie_person_id(connection) == "0" * 32
    now[0] = 1_500
    assert server.app.state.app_state.cookie_person_id(connection) is None
    assert str(KEY) == "ServerKey(hidden)"


def test_wrong_passwords_lock_a_name_out(serve: Serve) -> None:
    """Whether anybody has the name or not, and for the right password, too; another name is not touched."""
    now = [1_000_000]
    server = serve(clock=lambda: now[0], max_login_failures=3, lockout_ms=60_000)
    with http_client(server) as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        http.post("/api/logout")
        for name in ("Ann", "Nobody"):
            for _ in range(3):
                answer = http.post("/api/login", json={"name": name, "password": "wrong horse"})
                assert (answer.status_code, code(answer)) == (401, "wrong_password")
            answer = http.post("/api/login", json={"name": name.upper(), "password": SECRET})
            assert (answer.status_code, code(answer)) == (429, "locked_out")
            assert answer.json()["error"]["retry_after_ms"] == 60_000
            assert answer.headers["retry-after"] == "60"
        now[0] += 60_000
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200
        for _ in range(2):
            http.post("/api/login", json={"name": "Ann", "password": "wrong horse"})
        assert http.post("/api/login", json={"name": "Ann", "password": SECRET}).status_code == 200


def test_an_unknown_name_costs_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured in hashes, which a noisy machine cannot blur: one for a wrong password and one for a wrong name."""
    passwords = Passwords(TEST_SETTINGS)
    done: list[str] = []
    verify = passwords._hasher.verify

    class Counting:
        def verify(self, stored: str, password: str) -> bool:
            done.append(stored.rsplit("$", 2)[0])
            return bool(verify(stored, password))

    monkeypatch.setattr(passwords, "_hasher", Counting())
    assert passwords.verify(Passwords(TEST_SETTINGS).hash(SECRET), SECRET)
    assert not passwords.verify(Passwords(TEST_SETTINGS).hash(SECRET), "wrong horse")
    assert not passwords.verify(None, SECRET)
    assert not passwords.verify(None, "nobody has this password")
    assert len(done) == 4
    assert len(set(done)) == 1


def test_old_failures_do_not_add_up() -> None:
    now = [0]
    lock_out = LoginLockout(change_settings(clock=lambda: now[0], max_login_failures=2, lockout_ms=1000))
    for _ in range(5):
        assert not lock_out.start_attempt("Ann")
        now[0] += 1000


def test_a_clock_set_back_does_not_extend_a_lockout() -> None:
    now = [10_000_000]
    lock_out = LoginLockout(change_settings(clock=lambda: now[0], max_login_failures=2, lockout_ms=1000))
    assert [lock_out.start_attempt("Ann") for _ in range(3)] == [0, 0, 1000]
    now[0] -= 5_000_000
    assert lock_out.start_attempt("Ann") == 1000


def test_concurrent_logins_count_towards_the_lockout(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(max_login_failures=3)
    passwords = server.app.state.app_state.passwords
    tried: list[str] = []

    def verify(_stored: str | None, password: str) -> bool:
        tried.append(password)
        time.sleep(0.2)
        return False

    monkeypatch.setattr(passwords, "verify", verify)

    def log_in(number: int) -> str:
        with http_client(server) as http:
            return code(http.post("/api/login", json={"name": "Ann", "password": f"wrong horse {number}"}))

    with ThreadPoolExecutor(12) as threads:
        said = list(threads.map(log_in, range(12)))
    assert len(tried) == 3
    assert sorted(said) == ["locked_out"] * 9 + ["wrong_password"] * 3


def test_queued_logins_are_limited(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever would wait too long for a hash is told to ask again, which is no wrong password."""
    server = serve(max_login_failures=2)
    passwords = server.app.state.app_state.passwords
    monkeypatch.setattr(passwords, "_admitted", BoundedSemaphore(1))
    with http_client(server) as http:
        http.post("/api/register", json={"name": "Ann", "password": SECRET})
        with passwords._admitted:
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
def test_deceptive_names_are_refused(serve: Serve, name: str) -> None:
    """Of people and of tables: what cannot be seen, and letters that look like those of another alphabet."""
    with http_client(serve(), name="Ann") as http:
        for path, body in (("/api/guests", {"name": name}), ("/api/tables", {"book": "NJ", "name": name})):
            answer = http.post(path, json=body)
            assert (answer.status_code, code(answer)) == (422, "invalid_request"), path


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
def test_international_names_are_accepted(serve: Serve, name: str) -> None:
    with http_client(serve()) as http:
        assert http.post("/api/guests", json={"name": name}).json()["name"] == name
        assert http.post("/api/tables", json={"book": "NJ", "name": name}).status_code == 201
