"""The planner: one for all families, over the prospect that each publishes (``kernel.prospect``).

- ``blows``: what can be struck, by those who stand next to it and by those who can come, each unit once;
- ``appraisal``: what a stand is worth after own blows, the enemy's best reply and the next look at supply;
- ``raiders``: which roads of the enemy are worth going against, and who goes;
- ``search``: who goes where, all together: single units, stacks, assaults on one hex from several sides, and parts of
  the plan shaken up and mended, as long as there is time;
- ``foresight``: what the enemy would plan against a plan; with less than a second to think;
- ``rehearsal``, ``actor``: with more, plans played out by the rules to the end of his answer, on the same luck;
- ``conduct``: the plan as orders in waves, overruns, attacks, losses, retreats, advances, reinforcements.

A family plugs in by publishing a module ``prospect`` in its folder with a subclass of ``Prospect`` named ``PROSPECT``.
The general then plays it by plan: movement (``move``), overruns (``overrun``), entries (``enter``), attacks composed
of ``target``, ``add`` and ``commit``, and ``lose``, ``retreat``, ``advance``; every other decision is left to the
staff and its doctrine. All worths are points of the final score, so prices, posts and objectives are on one list.
"""
