"""What the pseudocode stores to: registers, memory, the VGPRs of a wave."""


class Bits:
    """Storage without a type: a register, a pair."""

    def __init__(self, value=0, width=64):
        self.value, self.width = value, width


class Memory:
    """Bytes by address."""

    def __init__(self, content):
        self.content = dict(content)

    def write(self, address, count, bits):
        for n in range(count):
            if address + n not in self.content:
                raise AssertionError(f"a store beyond the window: {address + n:#x}")
            self.content[address + n] = bits >> (8 * n) & 255


class Cell:
    def __init__(self, memory, address):
        self.memory, self.address = memory, address

    def read(self, machine, kind, width):
        bits = sum(self.memory.content[self.address + n] << (8 * n) for n in range(width // 8))
        return machine.read(bits, kind, width)


class Lanes:
    """VGPR[lane][register]."""

    def __init__(self, registers):
        self.registers = registers

    def lane(self, number):
        return LaneOf(self, number)

    def write(self, lane, register, bits):
        self.registers[register][lane] = bits


class LaneOf:
    def __init__(self, lanes, number):
        self.lanes, self.number = lanes, number

    def read(self, register):
        return self.lanes.registers[register][self.number]
