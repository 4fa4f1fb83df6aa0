"""The German first turn of 1979 as it is counted: every unit moved, every attack made, the same orders every time.

The dice follow from ``prepared.SEED``, and the Soviet answers are given with them.
"""

SET_UP = ["place i12 1308", "place i13 1408", "place i14 1508", "place i15 1608", "place i16 1709", "place i17 1809",
          "place i18 1904", "end soviet-set-up"]  # fmt: skip

TURN = """
german overrun 1/41+6/41+36/41 0212 air 1
soviet retreat 23rd 0312
german advance 6/41 0212
german advance 1/41 0212
german advance 36/41 0212
german overrun 1/41+6/41+36/41 0313
german advance 6/41 0313
german advance 1/41 0313
german advance 36/41 0313
german overrun 8/56+3/56+TOT/56 0211
soviet retreat 11rd 0210-0209
german advance 8/56 0211
german advance 3/56 0211
german advance TOT/56 0211
german overrun 8/56+3/56+TOT/56 0312
soviet retreat 23rd 0411
german advance TOT/56 0312
german advance 8/56 0312
german advance 3/56 0312
german overrun 32+253+254 0213
german advance 32 0213
german advance 253 0213
german advance 254 0213
german move 253+254 0211
german overrun 61+217+291 0210
german lose 217
german retreat 61 0112
german retreat 217
german retreat 291
german overrun 11+21+58 0210
soviet retreat 183rd 0209-0309
german lose 11
german lose 21
german advance 58 0210
german advance 11 0210
german advance 21 0210
german overrun 11+21+58 0310
soviet retreat 286rd 0309
german advance 58 0310
german advance 11 0310
german advance 21 0310
german move 1 0210
german move 126+290 0210
german overrun 126+290 0311
german advance 290 0311
german advance 126 0311
german move 12 0110
german move 121 0110
german move 122 0110
german move 123+30 0210
german end german-movement
german target 0209
german add 58
german add 30
german add 123
german add 122
german add 121
german add 12
german add 1
german commit
soviet retreat 5rd 0208
soviet retreat 11rd 0208
german lose 1
german end
german target 0411
german add 8/56
german add TOT/56
german add 3/56
german add 290
german commit
soviet retreat 198md 0511-0610
soviet retreat 23rd 0511-0611
soviet retreat 185md 0511-0610
german end
german target 0410
german add 126
german add 21
german add 11
german commit
soviet retreat 1td 0510-0609
german advance 21 0410
german advance 126 0410-0510
german advance 11 0410-0510
german end german-combat
"""
