"""Tables of many games, asked with DuckDB, pandas and Polars: which odds did attackers take, and what came of them?

    python examples/query.py tables

Without a folder of tables (``ladoga export games --to tables``) it plays two games and makes them first.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pandas
import polars

from ladoga import Record
from ladoga.lab import Match, play_match
from ladoga.lab.dataset import write

with TemporaryDirectory() as folder:
    tables = sys.argv[1] if len(sys.argv) > 1 else folder
    if tables == folder:
        match = Match("tijvin-1941", {"german": "random", "soviet": "random"}, seed=2)
        games = [Record.parse(play_match(match, index, keep_record=True).record) for index in range(2)]
        write([(f"game-{index}", record) for index, record in enumerate(games)], Path(folder))

    print(duckdb.read_parquet(f"{tables}/attacks.parquet").aggregate("result, count(*) as times").order("times desc"))
    print(pandas.read_parquet(f"{tables}/losses.parquet").groupby(["id", "side"])["steps"].sum())
    print(polars.read_parquet(f"{tables}/orders.parquet").group_by("role").len().sort("len", descending=True).head(3))
