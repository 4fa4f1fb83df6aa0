"""How the server is, for whoever watches over it."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from ..desk import Visited, answer
from ..store import Ledger, Unwritable

router = APIRouter()


@router.get("/health/live")
async def live() -> Response:
    """The process answers."""
    return answer({"live": True})


@router.get("/health")
@router.get("/health/ready")
async def ready(visit: Visited) -> Response:
    """The store answers and the server is not about to stop: visitors may be sent here."""
    why = "closing" if visit.house.closing else ""
    if not why:
        try:
            async with asyncio.timeout(3):
                await visit.house.store.read(Ledger.well)
        except (TimeoutError, Unwritable):
            why = "the store does not answer"
    return answer({"live": True, "ready": not why, "why": why}, 503 if why else 200)
