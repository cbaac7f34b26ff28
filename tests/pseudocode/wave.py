"""Vectors of ops that need the wave: lane moves, masks, branches, MODE."""
import random

from .inputs import INTEGERS
from .language import NotTranslated
from .machine import Machine
from .storage import Bits, Lanes
from .values import Int

# Registers of the VGPR file as the pseudocode names them.
SRC0, SRC1, VDST = 0, 1, 2


def listing(values):
    """A value by lane; consecutive ones are `first+`."""
    if values == list(range(values[0], values[0] + len(values))):
        return f"{values[0]:x}+"
    return ",".join(f"{x:x}" for x in values)


def record(row, column, text, manual):
    kind = row.argument.split("(")[0].split("{")[0].replace("Wave::", "").strip()
    function = globals().get("of_" + kind.lower())
    if function is None:
        raise NotTranslated({"GetPc": "an address", "SetPc": "a jump to an address", "SwapPc": "a jump to an address",
                             "AddPc": "a jump", "RoundMode": "no pseudocode", "DenormMode": "no pseudocode",
                             "DsSwizzle": "the modes that are modelled have no pseudocode; by hand in src/emu/lanes.rs"}.get(kind, kind))
    count = 64 if column == "gfx9" or "b64" in row.name and "exec" in row.name and column == "gfx9" else 32
    random.seed(row.name)
    yield from function(row, column, text, manual, count)


def masks(count, zero=False):
    full = (1 << count) - 1
    some = [full, random.getrandbits(count), random.getrandbits(count) & random.getrandbits(count)]
    return some + ([0, 1 << (count - 1)] if zero else [])


def machine_for(count, exec_mask, registers, manual, **names):
    base = {"EXEC": Bits(exec_mask), "EXEC_LO": Bits(exec_mask & 0xffffffff), "WAVE64": count == 64, "WAVE32": count == 32,
            "wave32": Int(int(count == 32), 1), "VGPR": Lanes(registers), "SRC0": Int(SRC0), "SRC1": Int(SRC1), "VDST": Int(VDST),
            "ADDR": Int(SRC0), "DATA0": Int(SRC1), "D0": Bits(0), "SCC": False}
    return Machine(base | names, manual.text_of if manual else None)


def ramp(first, count):
    return list(range(first, first + count))


def noise(count):
    return [random.choice(INTEGERS[32]) if random.random() < 0.3 else random.getrandbits(32) for _ in range(count)]


def of_readlane(row, column, text, manual, count):
    lines = []
    for select in (0, 1, 17, 31, 32, 45, 63, 64, 0xffffffff):
        m = machine_for(count, 1, [ramp(0x100, count)], manual, S1=Bits(select))
        m.run(text)
        lines.append(f"exec=1 v0=100+ s1={select:x} = sd={m.names['D0'].value:x}")
    yield "wave", lines


def of_readfirstlane(row, column, text, manual, count):
    lines = []
    for mask in masks(count, True):
        m = machine_for(count, mask, [ramp(0x100, count)], manual)
        m.run(text)
        lines.append(f"exec={mask:x} v0=100+ = sd={m.names['D0'].value:x}")
    yield "wave", lines


def of_writelane(row, column, text, manual, count):
    lines = []
    for select in (0, 5, 31, 32, 63, 64, 0xffffffff):
        registers = [[0] * count, [0] * count, ramp(0x200, count)]
        m = machine_for(count, 1, registers, manual, S0=Bits(0xabcd), S1=Bits(select))
        m.run(text)
        lines.append(f"exec=1 s0=abcd s1={select:x} old=200+ = d={listing(registers[VDST])}")
    yield "wave", lines


def ds_lanes(row, column, text, manual, count):
    for offset in (0, 8):
        lines = []
        for mask in masks(count):
            addresses = [random.choice([4 * random.randrange(count), 4 * random.randrange(count), random.getrandbits(8),
                                        random.getrandbits(32)]) for _ in range(count)]
            registers = [addresses, ramp(0x100, count), ramp(0x200, count)]
            m = machine_for(count, mask, registers, manual, OFFSET=Int(offset, 16))
            saved = m.names["DATA0"], m.names["VDST"]
            # The text declares what it takes from the encoding.
            for name, value in zip(("DATA0", "VDST", "OFFSET"), (*saved, Int(offset, 16))):
                m.names[name] = value
            m.run(text)
            lines.append(f"exec={mask:x} v0={listing(addresses)} v1=100+ old=200+ = d={listing(registers[VDST])}")
        yield f"wave offset={offset:x}", lines


of_dspermute = of_dsbpermute = of_dsbpermutefi = ds_lanes


def of_permlane16(row, column, text, manual, count):
    # Bit 0 of `op_sel` reads inactive lanes, as the pseudocode does.
    lines = []
    for mask in masks(count):
        low, high = random.getrandbits(32), random.getrandbits(32)
        registers = [ramp(0x100, count), [0] * count, ramp(0x200, count)]
        m = machine_for(count, mask, registers, manual, S1=Bits(low), S2=Bits(high))
        m.run(text)
        lines.append(f"exec={mask:x} v0=100+ s1={low:x} s2={high:x} old=200+ = d={listing(registers[VDST])}")
    yield "wave op_sel=1", lines


of_permlanex16 = of_permlane16


def of_permlane16var(row, column, text, manual, count):
    lines = []
    for mask in masks(count):
        select = [random.getrandbits(4) for _ in range(count)]
        registers = [ramp(0x100, count), select, ramp(0x200, count)]
        m = machine_for(count, mask, registers, manual)
        m.run(text)
        lines.append(f"exec={mask:x} v0=100+ v1={listing(select)} old=200+ = d={listing(registers[VDST])}")
    yield "wave op_sel=1", lines


of_permlanex16var = of_permlane16var


def of_permlane64(row, column, text, manual, count):
    lines = []
    for mask in masks(count):
        registers = [ramp(0x100, count), [0] * count, ramp(0x200, count)]
        m = machine_for(count, mask, registers, manual)
        m.run(text)
        lines.append(f"exec={mask:x} v0=100+ old=200+ = d={listing(registers[VDST])}")
    yield "wave", lines


def rows_swapped(row, column, text, manual, count):
    registers = [ramp(0x100, count), [0] * count, ramp(0x200, count)]
    machine_for(count, 0, registers, manual).run(text)
    yield "wave", [f"exec={(1 << count) - 1:x} d0=200+ d1=100+ = d0={listing(registers[VDST])} d1={listing(registers[SRC0])}"]


of_permlane16swap = of_permlane32swap = rows_swapped


def swapped(row, column, text, manual, count):
    lines = []
    for mask in masks(count):
        first, second = noise(count), noise(count)
        after = [list(first), list(second)]
        for lane in range(count):
            if mask >> lane & 1:
                m = Machine({"D0": Bits(first[lane]), "S0": Bits(second[lane])}, None)
                m.run(text)
                after[0][lane], after[1][lane] = m.names["D0"].value, m.names["S0"].value
        lines.append(f"exec={mask:x} d0={listing(first)} d1={listing(second)} = d0={listing(after[0])} d1={listing(after[1])}")
    yield "wave", lines


of_swap = of_swap16 = swapped


def of_mbcntlo(row, column, text, manual, count):
    lines = []
    for mask in masks(count):
        first, second = noise(count), noise(count)
        after = ramp(0x200, count)
        for lane in range(count):
            if mask >> lane & 1:
                m = Machine({"S0": Bits(first[lane]), "S1": Bits(second[lane]), "laneId": Int(lane), "D0": Bits(0)}, None)
                m.run(text)
                after[lane] = m.names["D0"].value & 0xffffffff
        lines.append(f"exec={mask:x} v0={listing(first)} v1={listing(second)} old=200+ = d={listing(after)}")
    yield "wave", lines


of_mbcnthi = of_mbcntlo


def of_saveexec(row, column, text, manual, count):
    size = 64 if row.name.endswith("b64") else 32
    if size != count:
        raise NotTranslated(f"a mask of {size} lanes in a wave of {count}")
    lines = []
    full = (1 << size) - 1
    for source, mask in [(0, full), (full, 0), (0, 0), (full, full), (1 << (size - 1), 1)] + [
            (random.getrandbits(size), random.getrandbits(size)) for _ in range(6)]:
        m = machine_for(count, mask, [], manual, S0=Bits(source))
        m.run(text)
        scc = int(bool(m.names["SCC"]))
        lines.append(f"exec={mask:x} s0={source:x} = sd={m.names['D0'].value & full:x} exec={m.names['EXEC'].value & full:x} scc={scc}")
    yield "wave", lines


def branch(row, column, text, manual, count):
    lines = []
    for scc, vcc, mask in [(0, 0, 0), (1, 0, 1), (0, 1 << (count - 1), 1), (1, 6, 0), (1, 0, 1 << (count - 1))]:
        m = machine_for(count, mask, [], manual, SCC=bool(scc), VCCZ=Int(int(vcc == 0), 1), EXECZ=Int(int(mask == 0), 1), PC=Int(4096, 64),
                        SIMM16=Bits(5))
        m.names["SCC"] = Int(scc, 1)
        m.run(text)
        to = m.names["PC"].value - 4096
        assert to in (4, 24)
        lines.append(f"scc={scc} vcc={vcc:x} exec={mask:x} = taken={int(to == 24)}")
    yield "wave", lines


of_branch = of_branchscc = of_branchvcc = of_branchexec = branch

MODE = 1


def field(offset, size):
    return MODE | offset << 6 | (size - 1) << 11


def of_getreg(row, column, text, manual, count):
    lines = []
    for mode in (0xf0, 0x53, 0x9c):
        for offset, size in [(0, 8), (0, 4), (2, 2), (4, 4), (1, 6)]:
            m = machine_for(count, 1, [], manual, SIMM16=Bits(field(offset, size)), HW_REGISTERS=[Int(0)] * MODE + [Int(mode, 32)])
            m.run(text)
            lines.append(f"mode={mode:x} imm={field(offset, size):x} = sd={m.names['D0'].value:x}")
    yield "wave", lines


def setreg(row, column, text, manual, count):
    lines = []
    for mode, value in ((0xf0, 5), (0x53, 0xfa), (0x9c, 0x3)):
        for offset, size in [(0, 8), (0, 4), (2, 2), (4, 4), (1, 6)]:
            if column == "gfx11" and offset:
                # RDNA3's text forgets to shift the mask (errata 17).
                continue
            m = machine_for(count, 1, [], manual, SIMM16=Bits(field(offset, size)), HW_REGISTERS=[Int(0)] * MODE + [Int(mode, 32)],
                            S0=Bits(value), SIMM32=Bits(value), WAVE_STATUS={"PRIV": False})
            m.call_HwRegWriteMask = m.call_writeableBitMask = lambda *_: Int(-1, 32, True)
            m.run(text)
            lines.append(f"mode={mode:x} imm={field(offset, size):x} s0={value:x} = mode={m.names['HW_REGISTERS'][MODE].bits():x}")
    yield "wave", lines


of_setreg = of_setregimm = setreg
