"""Vectors of ops that work on one lane, and of scalar ops."""
import random

from . import values as v
from .language import NotTranslated
from .machine import Machine
from .storage import Bits
from .values import Int

GFX1250_ONLY = {"VectorU64", "PermlaneBcast", "CvtPkBf16", "Bitop3", "LshlAddU64", "MovB64", "Permlane16Swap", "AtomicAddF64",
                "XCounter"}
LANE = 5
# f32: approximations of 1 ulp; f64 ones of 2^29; the manuals' figures. f16: one.
APPROXIMATE = {"exp", "log", "rcp", "rcp_iflag", "rsq", "sqrt", "sin", "cos"}
ARITHMETIC = {"add", "sub", "subrev", "mul", "fma", "fmac"}

INTEGERS = {
    16: [0, 1, 2, 15, 16, 17, 0x7f, 0x80, 0xff, 0x100, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff],
    32: [0, 1, 2, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff,
         0x1000001, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x80ff017f, 0x00ff8001],
    64: [0, 1, 63, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0xffffffff00000000, 0x7fffffffffffffff, 0x8000000000000000,
         0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0x5555555555555555],
}
FLOATS = {
    16: [0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x83ff, 0x8400, 0x3800, 0x3c00, 0xbc00, 0x3e00, 0xc100, 0x4100, 0x7bff, 0xfbff, 0x7c00,
         0xfc00, 0x7e00, 0xfd55, 0x7c01, 0x3bff, 0xb801, 0x6400, 0x6801, 0x5bff],
    32: [0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x807fffff, 0x80800000, 0x3f000000, 0x3f800000, 0xbf800000, 0x3fc00000,
         0xc0200000, 0x40200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffd55555, 0x7f800001, 0x3effffff,
         0xbf000001, 0x4b000001, 0x4b800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x477fe000, 0x477ff000, 0x33000001, 0x387fe000,
         0xb3800000, 0x46fffe00, 0x477fff80],
    64: [0, 1 << 63, 1, 0x800fffffffffffff, 0x10000000000000, 0x3fe0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
         0x3ff8000000000000, 0xc004000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
         0x7ff0000000000001, 0x3fdfffffffffffff, 0x4330000000000001, 0x41dfffffffc00000, 0xc1e0000000000000, 0x41efffffffe00000,
         0x36a0000000000000, 0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x380fffffffffffff, 0x3810000010000000],
}
SIZES = {"SRC16": 16, "SRC32": 32, "SRC64": 64, "SRCF16": 16, "SRCF32": 32, "SRCF64": 64, "PACKF16": 32, "V16": 16, "V32": 32,
         "V64": 64, "A32": 32, "TIED16": 16, "TIED32": 32, "TIED64": 64, "TIEDF16": 16, "TIEDF32": 32, "SSRC32": 32, "SSRC64": 64,
         "S32": 32, "S64": 64, "TIEDS32": 32, "TIEDS64": 64, "SIMM16": 16, "LIT32": 32}


def is_lane(row):
    return row.sem.startswith("Lane") or row.sem in ("Scalar", "ScalarCmp")


def reason_not_to(row, column):
    """What is known beforehand."""
    name = row.name
    if row.sem == "Unmodelled":
        return "no meaning in the table (errata 11)"
    if name.startswith("v_div_scale"):
        return "the pseudocode is wrong (errata 1)"
    if row.sem == "Atomic" and "AddF" in row.argument:
        return "the emulator refuses float atomics"
    if row.sem == "Wave":
        hints = {"Nop": "a wait", "SleepOrHint": "nothing to compute", "CodeEnd": "never executed", "ICacheInv": "no caches",
                 "CacheControl": "no caches", "EndPgm": "ends the wave", "SendMsg": "a message",
                 "Trap": "a fault of the emulator", "Barrier": "tests/it/barrier.rs", "BarrierSignal": "tests/it/barrier.rs",
                 "BarrierWait": "tests/it/barrier.rs", "WaitCnt": "tests/it/faults.rs and emu.rs: a wait, nothing to compute",
                 "MemTime": "time", "MemRealTime": "time", "MovRel": "refused"}
        return hints.get(row.argument.split("(")[0].removeprefix("Wave::").split("(")[0])
    return None


def is_float(kind):
    return "F" in kind and kind != "PACKF16"


def float_pick(size):
    if random.random() < 0.45:
        return random.choice(FLOATS[size])
    exponent_bits, fraction_bits = v.FLOATS["f", size]
    bias = (1 << (exponent_bits - 1)) - 1
    spread = min(bias - 2, 30)
    exponent = bias + random.randint(-spread, spread) if random.random() < 0.8 else random.getrandbits(exponent_bits)
    fraction = random.getrandbits(fraction_bits)
    if random.random() < 0.5:
        # Few bits: sums and products that are ties.
        keep = fraction_bits // 2 + random.randint(0, 1)
        fraction = fraction >> (fraction_bits - keep) << (fraction_bits - keep)
    return random.getrandbits(1) << (size - 1) | exponent << fraction_bits | fraction


def pick(kind, row, index):
    size = SIZES[kind]
    if kind == "PACKF16":
        return float_pick(16) | float_pick(16) << 16
    if is_float(kind):
        bits = float_pick(size)
    elif row.name == "v_perm_b32" and index == 2:
        return sum(random.randrange(16) << 8 * n if random.random() < 0.9 else random.getrandbits(8) << 8 * n for n in range(4))
    elif row.name.startswith("s_bfe") and index == 1:
        return random.choice([0, 1, 5, 31, 32, 40, 63, random.getrandbits(6)]) | random.choice([0, 1, 8, 31, 32, 33, 63, 64, 127]) << 16
    elif "class" in row.name and index == 1:
        return random.getrandbits(10) if random.random() < 0.5 else 1 << random.randrange(10)
    elif "ldexp" in row.name:
        bits = random.choice([0, 1, -1, 5, -20, 127, -126, -149, -1074, 300, -3000, 40000, -40000]) & ((1 << size) - 1)
    elif random.random() < 0.4:
        bits = random.choice(INTEGERS[size])
    elif random.random() < 0.3:
        bits = random.getrandbits(7)
    else:
        bits = random.getrandbits(size)
    if size == 16 and kind.startswith(("SRC", "V", "TIED")):
        # The other half must not matter.
        bits |= random.getrandbits(16) << 16
    return bits


def sources(row):
    kinds = [k for k in row.uses if k != "MASK"]
    values = [pick(kind, row, index) for index, kind in enumerate(kinds)]
    # Equal operands, and the same with another sign, are what compares and differences turn on.
    if len(kinds) >= 2 and kinds[0] == kinds[1] and random.random() < 0.15:
        values[1] = values[0]
        if is_float(kinds[0]) and random.random() < 0.4:
            values[1] ^= 1 << (SIZES[kinds[0]] - 1)
    if len(kinds) == 3 and kinds[0] == kinds[2] and random.random() < 0.1:
        values[2] = values[0]
    return values


def swizzled(row, values, m):
    """Sources as the op sees them: modifiers by the manuals' "VOP3" and "VOP3P"."""
    kinds = [k for k in row.uses if k != "MASK"]
    seen = []
    for i, (kind, bits) in enumerate(zip(kinds, values)):
        size = SIZES[kind]
        neg, absolute = m.get("neg", 0) >> i & 1, m.get("abs", 0) >> i & 1
        if row.format == "Vop3p":
            whole = row.name.startswith(("v_dot", "v_accvgpr")) and (i == 2 or not row.name.startswith("v_dot2"))
            if not whole:
                low = bits >> (16 * (m.get("op_sel", 0) >> i & 1)) & 0xffff
                high = bits >> (16 * (m.get("op_sel_hi", 7) >> i & 1)) & 0xffff
                if kind == "PACKF16":
                    low, high = low ^ neg << 15, high ^ (m.get("neg_hi", 0) >> i & 1) << 15
                bits = low | high << 16
        else:
            if size == 16:
                bits = bits >> (16 * (m.get("op_sel", 0) >> i & 1)) & 0xffff
            sign = 1 << (size - 1)
            bits = bits & ~sign if absolute else bits
            bits = bits ^ sign if neg else bits
        seen.append(bits)
    return seen


def evaluate(row, column, text, manual, values, bit, m):
    """(d, out bit) as text."""
    scalar = row.sem.startswith("Scalar")
    seen = swizzled(row, values, m)
    names = {"laneId": Int(LANE), "VCC": Bits(bit << LANE), "EXEC": Bits(1 << LANE), "SCC": bool(bit), "D0": Bits(0), "D1": Bits(0),
             "WAVE_MODE": {"IEEE": bool(m.get("ieee", 0))}, "NEG": Int(m.get("neg", 0), 3), "D": Bits(0),
             "INST": {"OMOD": Int(m.get("bitop3", 0) >> 6, 2), "ABS": Int(m.get("bitop3", 0) >> 3, 3), "NEG": Int(m.get("bitop3", 0), 3)}}
    kinds = [k for k in row.uses if k != "MASK"]
    number = 0
    for kind, bits in zip(kinds, seen):
        if kind.startswith("TIED"):
            names["D0"] = Bits(bits)
        else:
            names["SIMM16" if kind == "SIMM16" else f"S{number}"] = Bits(bits)
            if kind == "SIMM16":
                names["S0"] = Bits(bits)
            number += 1
    denorm = m.get("denorm", 3)
    machine = Machine(names, manual.text_of, m.get("round", 0), not denorm & 1, not denorm & 2, "clamp" in m and not floats_in(row))
    machine.run(text)
    names = machine.names
    if row.sem in ("LaneCmp", "LaneCmpFloat"):
        holder = "D0" if "D0.u64[laneId]" in text else "EXEC"
        return str(names[holder].value >> LANE & 1), None
    if row.sem == "ScalarCmp":
        return str(int(truth(names["SCC"]))), None
    out = None
    if scalar:
        out = int(truth(names["SCC"]))
    elif row.sem == "LaneCarry":
        out = names["VCC"].value >> LANE & 1
    elif row.sem == "LaneWide":
        out = names["D1"].value & 1
    size = SIZES[row.defs[0]]
    d = names["D" if "D.b32 =" in text else "D0"].value & ((1 << size) - 1)
    if machine.nans:
        if row.format == "Vop3p" or row.name.startswith("v_cvt_pk"):
            raise Skip
        return "nan", out
    format = float_result(row)
    if not m.get("ieee"):
        # A copy, which the hardware makes quiet or not; of two NaNs the columns take different ones (errata 18).
        if row.name.startswith(("v_pk_min", "v_pk_max")) and any(v.decode(half, ("f", 16)).kind == "nan" for half in (d & 0xffff, d >> 16)):
            raise Skip
        if format and v.decode(d, format).kind == "nan" and not base_name(row).startswith("div_fixup"):
            return "nan", out
    return d, out


class Skip(Exception):
    """A vector that says nothing: half of it is a NaN of unknown bits."""


def truth(value):
    return bool(value if isinstance(value, bool) else value.value)


def floats_in(row):
    return any(is_float(k) or k == "PACKF16" for k in row.uses)


def base_name(row):
    parts = row.name.split("_")
    return parts[2] if parts[1] == "pk" else "_".join(parts[1:-1])


def float_result(row):
    """Format of the result where it is one float."""
    if not row.sem.startswith("LaneFloat") or row.defs[0] not in ("V16", "V32", "V64") or row.name.startswith(
            ("v_cvt_pk", "v_pk", "v_pack")):
        return None
    suffix = row.name.split("_")[1 if not row.name.startswith("v_cvt_") else 2]
    name = suffix if row.name.startswith("v_cvt_") else row.name.rsplit("_", 1)[1]
    return {"f16": ("f", 16), "f32": ("f", 32), "f64": ("f", 64)}.get(name)


def says_nothing(row, values, d, m):
    """Inputs on which the pseudocode is silent or the documented errata apply."""
    name = base_name(row)
    format = float_result(row)
    kinds = [k for k in row.uses if k != "MASK"]
    if name in APPROXIMATE and format == ("f", 32):
        # Denormals are flushed whatever MODE says; angles beyond 256 turns are outside the domain.
        if any(v.is_denormal(x, format) for x in values) or (isinstance(d, int) and v.is_denormal(d, format)):
            return True
        value = v.decode(values[0], format)
        if name in ("sin", "cos") and value.kind == "number" and abs(value.number) > 256:
            return True
    if name == "rndne" and d in (0, 1 << (format[1] - 1)) or name == "fract" and d == v.encode(v.Float.of(1), format):
        # Zeros without their sign, and fractions of 1 (errata 19).
        return True
    if name in ("sin", "cos") and d in (0, 1 << (format[1] - 1)):
        # An approximation of zero is off by any number of units in the last place.
        return values[0] & ((1 << format[1]) - 1) not in (0, 1 << (format[1] - 1))
    if name.startswith("div_fixup") and format:
        quotient = v.decode(values[0] & ((1 << SIZES[kinds[0]]) - 1), format)
        return quotient.kind != "number"
    return False


def block(row, column, text, manual, count, m):
    lines, tries = [], 0
    ulps = 0
    name, format = base_name(row), float_result(row)
    if name in APPROXIMATE and format:
        ulps = {16: 1, 32: 1, 64: 1 << 29}[format[1]]
    while len(lines) < count and tries < 20 * count:
        tries += 1
        values = sources(row)
        reads_bit = "MASK" in row.uses or row.sem in ("Scalar", "LaneFloatBit")
        bit = random.getrandbits(1) if reads_bit else 0
        if row.sem == "LaneFloatBit":
            # With the bit set the pseudocode scales by the wrong power (errata 1).
            bit = 0
        if m.get("denorm", 3) != 3:
            values = [x if random.random() < 0.5 else tiny(k, x) for x, k in zip(values, [k for k in row.uses if k != "MASK"])]
        try:
            d, out = evaluate(row, column, text, manual, values, bit, m)
        except Skip:
            continue
        if says_nothing(row, values, d, m):
            continue
        if "clamp" in m and floats_in(row):
            d = clamped(row, d)
            if d is None:
                continue
        left = " ".join(f"{x:x}" for x in values) + (f" /{bit}" if reads_bit else "")
        right = d if isinstance(d, str) else f"{d:x}" + (f"~{ulps:x}" if ulps and v.decode(d, format).kind == "number" else "")
        lines.append(f"{left} = {right}" + ("" if out is None else f" /{out}"))
    return lines


def tiny(kind, bits):
    """A denormal of the same kind."""
    if kind == "PACKF16":
        return bits & 0x83ff83ff
    if not is_float(kind):
        return bits
    size = SIZES[kind]
    exponent, fraction = v.FLOATS["f", size]
    return bits & ~(((1 << exponent) - 1) << fraction)


def clamped(row, d):
    """Between 0 and 1, a NaN to 0 (DX10_CLAMP)."""
    if d == "nan":
        return 0
    format = ("f", 16) if row.uses[0] == "PACKF16" else float_result(row)

    def one(bits):
        value = v.decode(bits, format)
        if value.kind == "nan" or value.negative or value.is_zero():
            return 0
        top = v.encode(v.Float.of(1), format)
        return top if value.kind == "inf" or value.number > 1 else bits
    return one(d & 0xffff) | one(d >> 16) << 16 if row.uses[0] == "PACKF16" else one(d)


def lanes(row, column, text, manual):
    name = base_name(row)
    kinds = [k for k in row.uses if k != "MASK"]
    variants = [({}, 10 if row.format == "Vopc" and row.name.startswith("v_cmpx") else 16 if row.format == "Vopc" else 36)]
    if row.needs == "Bitop3":
        variants = [({"bitop3": t}, 6) for t in (0x00, 0x96, 0xe8, 0xca, 0x6a, 0x1b, 0xea, 0x80, 0x01, 0xff, 0x34)]
    rounds = row.sem in ("LaneFloat", "LaneFloatMods", "LaneFloatBit") and name not in APPROXIMATE and not is_copy(row)
    if rounds:
        variants += [({"round": r}, 14) for r in (1, 2, 3)]
    if rounds and (name in ARITHMETIC or row.name in CONVERSIONS):
        variants += [({"denorm": d}, 10) for d in (0, 1, 2)]
    if rounds and name in ARITHMETIC and "64" not in kinds[0] and (row.defs[0] == "V32"):
        variants += [({"clamp": 1}, 10)]
    has_ieee_case = any(word in name for word in ("min", "max", "med3")) and floats_in(row)
    if has_ieee_case and column != "gfx12":
        variants += [({"ieee": 1}, 16)]
    if row.format != "Vop3p" and any(is_float(k) for k in kinds) and row.format != "Sopc" and "TIED" not in " ".join(kinds):
        mask = sum(1 << i for i, k in enumerate(kinds) if is_float(k))
        some = random.Random(row.name).randint(1, 7) & mask or mask
        variants += [({"neg": mask}, 6), ({"neg": some, "abs": mask}, 6)]
    if row.format == "Vop3p" and "OP_SEL" in row.flags:
        # An absent source has the default.
        there = 3 if row.name.startswith("v_dot2") else (1 << len(kinds)) - 1
        variants += [({"op_sel": low & there, "op_sel_hi": high & there | 7 & ~there}, 8) for low, high in ((7, 0), (2, 5))]
        if kinds[0] == "PACKF16":
            variants += [({"neg": 5 & there, "neg_hi": 2}, 8)]
    elif row.format == "Vop3" and "OP_SEL" in row.flags:
        top = 8 if row.defs[0] == "V16" else 0
        sixteen = sum(1 << i for i, k in enumerate(kinds) if SIZES[k] == 16)
        variants += [({"op_sel": sixteen | top}, 6), ({"op_sel": sixteen & 5}, 6)]
    elif column in ("gfx11", "gfx12") and "TIED" not in " ".join(kinds):
        # There every 16-bit operand is a half.
        top = 8 if row.defs and row.defs[0] == "V16" else 0
        sixteen = sum(1 << i for i, k in enumerate(kinds) if k in ("SRC16", "SRCF16"))
        if sixteen | top:
            variants += [({"op_sel": sixteen | top}, 5)]
    if row.name == "v_dot4_i32_iu8":
        variants += [({"neg": n}, 10) for n in (1, 2, 3)]
    if row.sem == "LaneMods" and any(word in row.name for word in ("add", "sub", "mad", "dot")):
        variants += [({"clamp": 1}, 14)]
        if row.name == "v_dot4_i32_iu8":
            variants += [({"clamp": 1, "neg": 3}, 10)]
    for m, count in variants:
        # The same inputs in every column.
        random.seed(f"{row.name} {m}")
        lines = block(row, column, text, manual, count, m)
        if not lines:
            raise NotTranslated("no input on which the pseudocode says anything")
        yield " ".join(["lane"] + [f"{key}={value:x}" for key, value in m.items()]), lines


CONVERSIONS = {"v_cvt_f16_f32", "v_cvt_f32_f16", "v_cvt_f32_f64", "v_cvt_f64_f32"}


def is_copy(row):
    """Results that are one of the sources, or whole: nothing to round."""
    return any(word in row.name for word in ("min", "max", "med3", "trunc", "ceil", "floor", "rndne", "div_fixup", "pack_b32", "cvt_i",
                                             "cvt_u", "cvt_pk_i", "cvt_pk_u", "ubyte"))
