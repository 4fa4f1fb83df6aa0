"""Somebody who goes away before his order is written does not stop the writer."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future

import pytest

from ladoga.server.store.engine import Job, _answer


def job(future):
    made = object.__new__(Job)
    made.future, made.answer = future, 7
    return made


def test_who_went_away_is_not_told_and_others_are():
    gone, here, failed = Future(), Future(), Future()
    gone.cancel()
    _answer(job(gone), None)
    _answer(job(gone), ValueError("late"))
    _answer(job(here), None)
    _answer(job(failed), ValueError("no"))
    assert here.result() == 7
    with pytest.raises(ValueError, match="no"):
        failed.result()
    with pytest.raises(CancelledError):
        gone.result()
