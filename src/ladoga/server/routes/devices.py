"""A person's devices: a recovery code, a link or a picture of it for another device, signing out, letting one go."""

from __future__ import annotations

import io
from html import escape

import segno
from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from .. import wire
from ..desk import COOKIE, Visit, Visited, answer
from ..people import MINUTES
from ..refused import Refused
from ..store import Ledger

router = APIRouter()

USED = "That code or link is no good any more."
# A page that says where it comes from: else its own form would count as another site's.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Ladoga</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="same-origin">
<meta name="color-scheme" content="light dark">
<body style="font: 1.1rem/1.5 sans-serif; max-width: 30rem; margin: 4rem auto; padding: 0 1rem">
<h1>{title}</h1><p>{text}</p>{form}</body></html>"""
FORM = '<form method="post"><button style="font: inherit; padding: .6rem 1.2rem">Use this device</button></form>'


@router.get("/api/devices")
async def mine(visit: Visited) -> Response:
    """The devices that are this person's."""
    known = await visit.known()
    if known is None:
        return answer({"devices": []})
    listed = await visit.house.store.read(Ledger.devices, known.person)
    return answer({"devices": [{**device._asdict(), "this": device.id == known.device} for device in listed]})


@router.post("/api/devices/code")
async def code(visit: Visited) -> Response:
    """A recovery code to write down; an earlier one stops working."""
    return answer({"code": await visit.desk.people.recovery_code(await visit.someone())})


@router.post("/api/devices/link")
async def link(visit: Visited) -> Response:
    """A link for another device, good once and for a quarter of an hour, and a picture of it to be photographed."""
    path = f"/join/{await visit.desk.people.device_key(await visit.someone())}"
    here = visit.connection.url
    picture = io.BytesIO()
    segno.make(f"{here.scheme}://{here.netloc}{path}", micro=False).save(picture, kind="svg", scale=4, xmldecl=False)
    return answer({"link": path, "seconds": int(MINUTES), "qr": picture.getvalue().decode()})


@router.post("/api/devices/join")
async def join(visit: Visited) -> Response:
    """Be the person that a recovery code or a link belongs to, on this device."""
    response = answer({"ok": True})
    visit.greet(response, await _admitted(visit, (await visit.form(wire.Key)).key))
    return response


async def _admitted(visit: Visit, key: str) -> str:
    if not visit.desk.guesses.take(visit.address):
        raise Refused("flood", "too many tries; wait a few minutes")
    token = await visit.desk.people.admit(key, visit.label)
    if token is None:
        raise Refused("key", USED)
    return token


@router.get("/join/{key}")
async def ask(key: str) -> Response:
    """A page that asks before it lets anybody in: whoever looks at a link beforehand does not use it up."""
    text = "Your games will be on this device too. The link works once."
    page = PAGE.format(title="Use Ladoga here", text=text, form=FORM)
    return HTMLResponse(page, headers={"Cache-Control": "no-store"})


@router.post("/join/{key}")
async def come(visit: Visited, key: str) -> Response:
    """Come in by a link."""
    try:
        token = await _admitted(visit, key)
    except Refused as problem:
        page = PAGE.format(title="Use Ladoga here", text=escape(problem.message), form="")
        return HTMLResponse(page, 403)
    response = RedirectResponse("/", 303)
    visit.greet(response, token)
    return response


@router.delete("/api/devices/{device}")
async def revoke(visit: Visited, device: int) -> Response:
    """Let a device go: whoever has it is nobody we know."""
    known = await visit.known()
    if known is None or not await visit.desk.people.revoke(known.person, device):
        raise Refused("unknown", "there is no such device")
    await visit.lobby.forget_people(known.person)
    return answer({"ok": True})


@router.post("/api/sign-out")
async def sign_out(visit: Visited) -> Response:
    """Let this device go."""
    known = await visit.known()
    if known is not None:
        await visit.desk.people.revoke(known.person, known.device)
        await visit.lobby.forget_people(known.person)
    response = answer({"ok": True})
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=visit.desk.secure)
    return response
