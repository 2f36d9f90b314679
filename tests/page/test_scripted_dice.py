"""The dice of the tests: they fall as written, and everybody can verify them."""

from __future__ import annotations

import httpx

from house import House
from running_server import asking
from scripted_dice import SEEDS
from trueodds.fair import Proof, commit_to, verify_rolls
from trueodds.journal import check_journal
from trueodds.service.proving import RollVerifier

WANTED = ("3-4", "4-4", "6-6", "1-2", "3-4")


def wish(http: httpx.Client, table: str, number: int, **wish: object) -> None:
    answer = http.post(f"/api/tables/{table}/wishes", json={"id": f"{number}-{wish['wish']}", **wish})
    assert answer.status_code == 200, answer.text


def test_dice_fall_as_written_and_are_proven(house: House) -> None:
    table = house.table()
    house.script.write(table, 1, *WANTED)
    with asking(house.server, name="Ann") as http:
        ann = http.get("/api/me").json()["id"]
        wish(http, table, 0, wish="sit", cents=100_000)
        for number, _ in enumerate(WANTED, 1):
            if not http.get(f"/api/tables/{table}").json()["layout"]["point"]:
                wish(http, table, number, wish="bet", spot="pass", cents=1000)
            seed = SEEDS[number % len(SEEDS)]
            promise = commit_to(table, number, ann, seed).hex()
            wish(http, table, number, wish="commit", roll=number, commitment=promise)
            wish(http, table, number, wish="roll")
            wish(http, table, number, wish="open", seed=seed.hex())
        told = http.get(f"/api/tables/{table}/proofs").json()
        anchored = http.get(f"/api/tables/{table}/rows").json()["rows"][0]
    proofs = [Proof.from_data(one) for one in told]
    assert tuple(str(proof.roll) for proof in proofs) == WANTED
    assert all(proof.has_outside_seed for proof in proofs)
    assert verify_rolls(proofs, anchor=bytes.fromhex(anchored["body"]["anchor"])) == ()


def test_what_is_not_written_is_left_to_chance(house: House) -> None:
    """Dice that were picked have a lock with another layout than the table's; these have not."""
    table = house.table()
    house.script.write(table, 2, "6-6")
    with asking(house.server, name="Ann") as http:
        wish(http, table, 0, wish="sit", cents=100_000)
        wish(http, table, 0, wish="bet", spot="pass", cents=1000)
        wish(http, table, 1, wish="roll")
    assert check_journal(house.server.journal, RollVerifier()) == ()
