#!/usr/bin/env python3
"""Records what ops compute, judged by the pseudocode of the AMD ISA manuals: fixtures/lane/pseudocode.txt.

The pseudocode (CDNA, RDNA3, RDNA4) is in the PyPI package tinygrad, in machine-readable form; it is read there, executed
(`tests/pseudocode`) on directed and on seeded random inputs, and not kept here.

    pip install tinygrad==0.14.0 mpmath
    python3 tests/record_pseudocode.py > fixtures/lane/pseudocode.txt
"""
import sys

sys.dont_write_bytecode = True

from pseudocode import inputs, memory, rows, wave
from pseudocode.language import NotTranslated

HEADER = """\
# What ops compute by the pseudocode of the AMD ISA manuals: `python3 tests/record_pseudocode.py`, tinygrad {version}.
#
# A block says kind, op, columns, then modifiers and MODE; its lines are vectors. Numbers are hexadecimal.
# lane:   s0 s1 s2 /bit = d /bit     one lane (or the wave, of a scalar op); the bit is a carry, a mask bit, SCC. `nan` is any NaN,
#                                    `d~n` within n units in the last place.
# wave:   name=value.. = name=value..  registers of a whole wave, a value by lane; `100+` is 0x100 plus the lane's number.
# memory: the same, values of the active lanes only; before, byte i of the window is {pattern} (and
#         lane l's scratch starts at byte 64 l of it); `m` is the dwords that changed, address:value.
# listed: no vectors, and why.
"""


def main():
    table = rows.rows()
    manuals = {column: rows.Manual(column) for column in rows.MANUALS}
    blocks, listed = {}, {}
    for row in table:
        for column, manual in manuals.items():
            if row.codes[column] is None:
                continue
            reason = inputs.reason_not_to(row, column)
            text = manual.text(row)
            if reason is None and text is None:
                reason = "the manual has no pseudocode"
                if column == "gfx12" and row.needs in inputs.GFX1250_ONLY:
                    reason = "gfx1250 only, of which no pseudocode is published"
            try:
                if reason is None:
                    record = inputs.lanes if inputs.is_lane(row) else memory.record if memory.is_memory(row) else wave.record
                    for head, lines in record(row, column, text, manual):
                        blocks.setdefault((row.name, head, tuple(lines)), []).append(column)
                    continue
            except NotTranslated as why:
                reason = str(why)
            listed.setdefault((row.name, reason), []).append(column)
    print(HEADER.format(version=rows.version(), pattern=memory.PATTERN), end="")
    for (name, reason), columns in listed.items():
        print(f"listed {name} {','.join(columns)}: {reason}")
    for (name, head, lines), columns in blocks.items():
        kind, _, rest = head.partition(" ")
        print(" ".join(filter(None, [kind, name, ",".join(columns), rest])))
        print("\n".join(lines))


main()
