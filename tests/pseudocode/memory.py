"""Vectors of loads, stores and atomics: a few lanes of a wave, and a window of memory."""
import random
import re

from .inputs import INTEGERS
from .machine import Machine
from .storage import Bits, Memory
from .values import Int

WINDOW = 1024
SCRATCH = 64
PATTERN = "(167 i + 59 (i >> 8) + 13) & 255"
SPACES = {"Ds": "lds", "Flat": "flat", "Global": "global", "Scratch": "scratch", "Smem": "scalar"}
WIDTHS = {"V32": 32, "V64": 64, "V96": 96, "V128": 128, "S32": 32, "S64": 64, "S96": 96, "S128": 128, "S256": 256, "S512": 512}
BASE = 0x100000


def pattern(i):
    return (167 * i + 59 * (i >> 8) + 13) & 255


def is_memory(row):
    return row.sem in ("Load", "Store", "Atomic")


def element(row):
    """Bytes of an element, and whether there are two of them, and 64 elements apart."""
    count = int(re.search(r"(\d+)\)?", row.argument.rsplit(",", 1)[-1] if row.sem == "Atomic" else row.argument).group(1))
    if row.sem == "Atomic" or "two" in row.argument:
        return count, "two" in row.argument, "stride64" in row.argument
    return count * 4 if "dwords" in row.argument else count, False, False


def align_of(size):
    return 16 if size == 12 else min(size, 16)


def variants(row):
    space = SPACES[row.format]
    _, two, far = element(row)
    if two:
        return [{"offset0": 0, "offset1": 1}] if far else [{"offset0": 0, "offset1": 1}, {"offset0": 5, "offset1": 2}]
    if space == "lds":
        return [{}, {"offset": 0x20}]
    if space == "flat":
        return [{}, {"offset": 0x10}]
    if space == "scalar":
        return [{"offset": 0x10}, {"soffset": 0x24}]
    return [{"offset": 0x10}, {"saddr": 1, "offset": 0x30 if space == "global" else 4}]


def data(width):
    if random.random() < 0.4 and width in INTEGERS:
        return random.choice(INTEGERS[width])
    return random.getrandbits(width)


def record(row, column, text, manual):
    for m in variants(row):
        random.seed(f"{row.name} {m}")
        yield " ".join(["memory", f"space={SPACES[row.format]}"] + [f"{k}={x:x}" for k, x in m.items()]), [
            vector(row, text, m) for _ in range(6 if row.format == "Smem" else 2)]


def vector(row, text, m):
    space, (size, two, far) = SPACES[row.format], element(row)
    lanes = [0] if space == "scalar" else sorted(random.sample(range(32), 8))
    offset = m.get("offset", 0) + m.get("soffset", 0)
    limit = 480 if far else SCRATCH - 16 - offset if space == "scratch" else WINDOW - 128 if not two else 512
    step = align_of(size)
    if space == "scalar":
        step, limit = 4 if size >= 4 else size, 512
    addresses = random.sample(range(0, limit - size, step), len(lanes)) if (limit - size) // step >= len(lanes) else [
        random.randrange(0, limit - size, step) for _ in lanes]
    if row.sem == "Atomic":
        # Some meet: in the order of the lanes.
        addresses[5], addresses[7] = addresses[1], addresses[1]
    if space == "scratch" and m.get("saddr"):
        addresses = [addresses[0]] * len(lanes)
    uses = [u for u in row.uses[1:] if u in WIDTHS]
    lane_data = [[data(WIDTHS[u]) for u in uses] for _ in lanes]
    if row.sem == "Atomic":
        for n, address in enumerate(addresses):
            held = sum(pattern(address + offset + i) << 8 * i for i in range(size))
            if "CmpSwap" not in row.argument:
                # Where increments wrap and minima change sides.
                if n in (0, 2, 4):
                    lane_data[n][0] = held + n // 2 - 1
            elif n % 2 == 0:
                # FLAT and GLOBAL: {comparand, new}; DS in the order of its name.
                if len(uses) == 1:
                    lane_data[n][0] = held << 8 * size | lane_data[n][0] & ((1 << 8 * size) - 1)
                else:
                    lane_data[n][0 if "cmpst_" in row.name else 1] = held
    private = space == "scratch"
    shared = {BASE + i: pattern(i) for i in range(WINDOW)}
    windows = {lane: Memory({BASE + i: pattern(i + SCRATCH * lane) for i in range(SCRATCH)} if private else shared) for lane in lanes}
    if not private:
        windows = dict.fromkeys(lanes, Memory(shared))
    results = [execute(row, text, m, windows[lane], BASE + address, values)
               for lane, address, values in zip(lanes, addresses, lane_data)]
    changed = []
    for lane in lanes if private else lanes[:1]:
        content = windows[lane].content
        size_of, first = (SCRATCH, SCRATCH * lane) if private else (WINDOW, 0)
        for at in range(0, size_of, 4):
            dword, before = (sum(byte(i) << 8 * i for i in range(4)) for byte in (
                lambda i: content[BASE + at + i], lambda i: pattern(first + at + i)))
            if dword != before:
                changed.append(f"{first + at:x}:{dword:x}")
    left = [f"exec={sum(1 << lane for lane in lanes):x}", "a=" + ",".join(f"{a:x}" for a in addresses)]
    for number in range(len(uses)):
        left.append(f"d{number}=" + ",".join(f"{values[number]:x}" for values in lane_data))
    right = (["r=" + ",".join(f"{r:x}" for r in results)] if row.defs else []) + (["m=" + ",".join(changed)] if changed else [])
    return " ".join(left) + " = " + " ".join(right)


def execute(row, text, m, window, address, values):
    offset = m.get("offset", 0) + m.get("soffset", 0)
    effective = address + offset
    own = "OFFSET" in text or "offset" in text
    low, high = m.get("offset0", offset & 255), m.get("offset1", offset >> 8)
    words = {"OFFSET": offset, "offset": offset, "OFFSET0": low, "OFFSET1": high}
    names = {name: Int(value, 32) for name, value in words.items()}
    start = address if own and row.format == "Ds" else effective
    names |= {name: Int(start, 64) for name in ("ADDR", "ADDR_BASE", "vgpr_a", "v_addr", "SADDR", "s_saddr", "flat_scratch", "sgpr_base", "SBASE", "SOFFSET", "v_addr_off",
                                                       "s_saddr_off")}
    names |= {name: Bits(values[number] if number < len(values) else 0, 128)
              for number, name in enumerate(("DATA", "DATA2"))}
    names["VDATA"] = Bits(values[0] if values else 0, 128)
    names["SDATA"], names["RETURN_DATA"] = Bits(0, 512), Bits(0, 128)
    names["MEM"] = window

    def calculated(first, *offsets):
        if row.format != "Ds":
            return Int(effective, 64)
        return Int(first.value + sum(o.value << 8 * n for n, o in enumerate(offsets)), 64)

    names["CALCULATED"] = calculated
    machine = Machine(names, None)
    machine.run(text)
    if not row.defs:
        return None
    holder = "SDATA" if row.format == "Smem" else "VDATA" if row.sem == "Load" and row.format != "Ds" else "RETURN_DATA"
    return machine.names[holder].value & ((1 << WIDTHS[row.defs[0]]) - 1) if isinstance(machine.names[holder], Bits) else (
        machine.names[holder].bits())
