"""The scripted dice of the tests follow the script, and their proofs are valid."""

from __future__ import annotations

import httpx

from support.page_server import PageServer
from support.running_server import http_client
from support.scripted_dice import SEEDS
from trueodds.fair import Proof, make_commitment, verify_rolls
from trueodds.journal import check_journal
from trueodds.service.roll_audit import RollAuditor

SCRIPT = ("3-4", "4-4", "6-6", "1-2", "3-4")


def send(http: httpx.Client, table: str, number: int, **command: object) -> None:
    body = {"id": f"{number}-{command['command']}", **command}
    response = http.post(f"/api/tables/{table}/commands", json=body)
    assert response.status_code == 200, response.text


def test_dice_follow_the_script_with_valid_proofs(page_server: PageServer) -> None:
    table = page_server.open_table()
    page_server.script.set_rolls(table, 1, *SCRIPT)
    with http_client(page_server.server, name="Ann") as http:
        ann = http.get("/api/me").json()["id"]
        send(http, table, 0, command="join", cents=100_000)
        for number, _ in enumerate(SCRIPT, 1):
            if not http.get(f"/api/tables/{table}").json()["layout"]["point"]:
                send(http, table, number, command="bet", spot="pass", stake_cents=1000)
            seed = SEEDS[number % len(SEEDS)]
            commitment = make_commitment(table, number, ann, seed).hex()
            send(http, table, number, command="commit_seed", roll=number, commitment=commitment)
            send(http, table, number, command="roll")
            send(http, table, number, command="open_seed", seed=seed.hex())
        data = http.get(f"/api/tables/{table}/proofs").json()
        first_event = http.get(f"/api/tables/{table}/events").json()["events"][0]
    proofs = [Proof.from_data(proof) for proof in data]
    assert tuple(str(proof.dice) for proof in proofs) == SCRIPT
    assert all(proof.has_client_seed for proof in proofs)
    assert verify_rolls(proofs, anchor=bytes.fromhex(first_event["body"]["anchor"])) == ()


def test_other_rolls_are_random(page_server: PageServer) -> None:
    """A scripted roll has a lock with a modified layout, which an audit finds. This roll has none."""
    table = page_server.open_table()
    page_server.script.set_rolls(table, 2, "6-6")
    with http_client(page_server.server, name="Ann") as http:
        send(http, table, 0, command="join", cents=100_000)
        send(http, table, 0, command="bet", spot="pass", stake_cents=1000)
        send(http, table, 1, command="roll")
    assert check_journal(page_server.server.journal, RollAuditor()) == ()
