"""The games behind the interfaces researchers use: OpenSpiel, PettingZoo (AEC) and Gymnasium.

Each needs the extra ``ladoga[research]`` and lives in its own module, so that nothing is imported that is
not asked for:

- ``ladoga.adapters.openspiel``: ``register()``, then ``pyspiel.load_game("ladoga_leningrad-1979")``
- ``ladoga.adapters.zoo``: ``env("leningrad-1979")``
- ``ladoga.adapters.gym``: ``SeatEnv("leningrad-1979", side="german", opponent="greedy")``

All three speak the same actions and see the same observations; both are described in
``ladoga.adapters.steps`` and ``ladoga.adapters.observing``.
"""
