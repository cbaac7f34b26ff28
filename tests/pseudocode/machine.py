"""Executes the tree of a pseudocode text.

What the text leaves to the reader, and how it is read here: integer arithmetic has at least 32 bits, as in C; a float
expression is exact and rounds where its value is stored or converted; `N'F` of an integer takes its bits; a division of
lane numbers goes down. With `saturate` nothing wraps and a stored integer goes to the nearest that fits: `clamp`.
"""
import re
from fractions import Fraction

from . import values as v
from .language import NotTranslated, parse
from .storage import Bits, Cell, LaneOf, Lanes, Memory
from .values import Float, Int

TYPE = re.compile(r"^(u|i|b|f|bf)(\d+)$")
CONVERSION = re.compile(r"^(i|u|f|bf)(\d+)_to_(i|u|f|bf)(\d+)$")
CAST = {"U": "u", "I": "i", "B": "b", "F": "f"}


class Break(Exception):
    pass


class Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


class Machine:
    def __init__(self, names, text_of, round_mode=0, flush_in=False, flush_out=False, saturate=False):
        """`text_of(name)` is the text of another op, by its name."""
        self.names, self.text_of = dict(names), text_of
        self.round, self.flush_in, self.flush_out, self.saturate = round_mode, flush_in, flush_out, saturate
        self.declared, self.lambdas = {}, {}
        # Values stored as NaN that nobody gave bits: (name, low bit).
        self.nans = set()

    # Statements

    def run(self, text):
        self.block(parse_cached(text))

    def block(self, statements):
        for statement in statements:
            self.statement(statement)

    def statement(self, s):
        kind = s[0]
        if kind == "assign":
            value = self.value(s[2])
            for target in reversed(s[1]):
                self.assign(target, value)
        elif kind == "if":
            self.block(s[2] if self.truth(self.value(s[1])) else s[3])
        elif kind == "for":
            _, name, first, last, body = s
            last = self.value(last).value
            at = self.value(first).value
            while at <= last:
                self.names[name] = Int(at, 32, True)
                try:
                    self.block(body)
                except Break:
                    break
                at += 1
        elif kind == "declare":
            _, name, typename, count = s
            width, letter = typename.split("'")
            self.declared[name] = (CAST[letter], int(width))
            if count is not None:
                self.names[name] = [Int(0, int(width)) for _ in range(count)]
            elif name not in self.names or letter == "B":
                self.names[name] = Bits(0, int(width)) if letter == "B" else Int(0, int(width), letter == "I")
        elif kind == "lambda":
            self.lambdas[s[1]] = (s[2], s[3])
        elif kind == "return":
            raise Return(self.value(s[1]))
        elif kind == "break":
            raise Break
        elif kind == "do":
            self.value(s[1])
        else:
            raise NotTranslated(f"a statement {kind}")

    # Storing

    def assign(self, target, value):
        if target[0] == "concat":
            bits, _ = self.bits_of(value, None)
            for part in reversed(target[1]):
                width = self.width_of(part)
                self.assign(part, Int(bits & ((1 << width) - 1), width))
                bits >>= width
            return
        path = []
        base = target
        while base[0] in ("field", "slice", "index", "part"):
            path.append(base)
            base = base[1]
        if base[0] != "name":
            raise NotTranslated("a value stored to an expression")
        name = base[1]
        path.reverse()
        holder = self.names.get(name)
        if name == "ROUND_MODE":
            self.round = value
            return
        if name == "TRAPSTS":
            # Exception flags, which nothing here has.
            return
        if name == "MEM":
            address = self.value(path[0][2]).value
            kind, width = self.type_of(path[1][2])
            bits, _ = self.bits_of(value, (kind, width))
            holder.write(address, width // 8, bits)
            return
        if name == "VGPR":
            lane, register = self.value(path[0][2]).value, self.value(path[1][2]).value
            bits, _ = self.bits_of(value, ("b", 32))
            holder.write(lane, register, bits)
            return
        if isinstance(holder, list):
            holder[self.value(path[0][2]).value] = value
            return
        if not path:
            if isinstance(holder, Bits):
                bits, known = self.bits_of(value, ("b", holder.width) if isinstance(value, Int) else None)
                holder.value = bits
                self.mark(name, 0, known)
            elif name in self.declared and isinstance(value, Int):
                kind, width = self.declared[name]
                self.names[name] = Int(value.value, width, kind == "i")
            else:
                self.names[name] = value
            return
        if holder is None:
            holder = self.names[name] = Bits(0, 64)
        if isinstance(holder, Int):
            # A typed variable keeps its type; a value kept unwrapped for `clamp` cannot be stored into by parts.
            holder = self.names[name] = Bits(holder.bits(), max(holder.width, 64))
        if isinstance(holder, Float):
            raise NotTranslated("a part of a float variable")
        low, width, kind = self.place(path, holder.width)
        bits, known = self.bits_of(value, (kind, width))
        mask = (1 << width) - 1
        holder.value = holder.value & ~(mask << low) | (bits & mask) << low
        self.mark(name, low, known)

    def mark(self, name, low, known):
        (self.nans.discard if known else self.nans.add)((name, low))

    def place(self, path, width):
        low, kind = 0, "b"
        for step in path:
            if step[0] == "field":
                kind, width = self.type_of(step[2])
            elif step[0] == "slice":
                high, first = self.value(step[2]).value, self.value(step[3]).value
                if first > high:
                    raise NotTranslated("a reversed slice stored to")
                low, width, kind = low + first, high - first + 1, "b"
            elif step[0] == "index":
                low, width, kind = low + self.value(step[2]).value, 1, "b"
            else:
                raise NotTranslated("a part stored to")
        return low, width, kind

    def width_of(self, tree):
        if tree[0] == "field":
            return self.type_of(tree[2])[1]
        raise NotTranslated("a store of unknown width")

    def type_of(self, text):
        match = TYPE.match(text)
        if not match:
            raise NotTranslated(f"a field `{text}`")
        return match.group(1), int(match.group(2))

    def bits_of(self, value, wanted):
        """Bits of a value as it is stored into type `wanted`, and whether they are known (a NaN's may not be)."""
        if isinstance(value, Bits):
            return value.value, True
        if isinstance(value, bool):
            return int(value), True
        if isinstance(value, Float):
            format = value.format
            if wanted and wanted[0] in ("f", "bf"):
                format = wanted
            return self.rounded(value, format)
        if wanted is None:
            return value.bits(), True
        kind, width = wanted
        number = value.value
        if self.saturate and kind in "ui" and width > 1:
            low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "i" else (0, (1 << width) - 1)
            number = min(max(number, low), high)
        return number & ((1 << width) - 1), True

    def rounded(self, value, format):
        bits = v.encode(value, format, self.round)
        if bits is None:
            exponent, fraction = v.FLOATS[format]
            return ((1 << (exponent + 1)) - 1) << (fraction - 1), False
        if self.flush_out and v.is_denormal(bits, format):
            bits &= 1 << (format[1] - 1)
        return bits, True

    # Values

    def truth(self, value):
        if isinstance(value, bool):
            return value
        if isinstance(value, Bits):
            return value.value != 0
        return value.value != 0

    def read(self, bits, kind, width):
        if kind in ("f", "bf"):
            bits &= (1 << width) - 1
            if self.flush_in and v.is_denormal(bits, (kind, width)):
                bits &= 1 << (width - 1)
            return v.decode(bits, (kind, width))
        return Int(bits, width, kind == "i")

    def raw(self, value):
        """Bits and width of what is sliced or given another type."""
        if isinstance(value, Bits):
            return value.value, value.width
        if isinstance(value, bool):
            return int(value), 1
        if isinstance(value, Int):
            return value.value & ((1 << 128) - 1), 128
        bits, _ = self.rounded(value, value.format)
        return bits, value.format[1]

    def value(self, t):
        return getattr(self, "do_" + t[0])(t)

    def do_name(self, t):
        name = t[1]
        if name in self.names:
            return self.names[name]
        constants = {"INF": Float.inf(False), "NAN": Float.nan(), "PI": ("pi",), "ROUND_TOWARD_ZERO": 3, "ROUND_NEAREST_EVEN": 0}
        if name == "ROUND_MODE":
            return self.round
        if name in ("UNDERFLOW_F32", "UNDERFLOW_F64"):
            return Float.of(0, ("f", int(name[-2:])))
        if name in ("OVERFLOW_F32", "OVERFLOW_F64"):
            return Float.inf(False, ("f", int(name[-2:])))
        if name in constants:
            return constants[name]
        raise NotTranslated(f"the name `{name}`")

    def do_int(self, t):
        text = t[1]
        suffix = re.search(r"(ULL|LL|U)?$", text).group(1) or ""
        number = int(text[:len(text) - len(suffix)], 0)
        return Int(number, 64 if "LL" in suffix or number >= 1 << 32 else 32, "U" not in suffix and number < 1 << 31)

    def do_sized(self, t):
        width, number = t[1].split("'")
        if "." in number:
            return Float.of(Fraction(number), ("f", int(width)))
        return Int(int(number.rstrip("UI"), 0), int(width), not number.endswith("U"))

    def do_float(self, t):
        single = t[1].endswith("F")
        return Float.of(Fraction(t[1].rstrip("F")), ("f", 32 if single else 64))

    def do_field(self, t):
        if t[2] in ("IEEE", "PRIV") or (t[1][0] == "name" and t[1][1] == "INST"):
            return self.names[t[1][1]][t[2]]
        inner = self.value(t[1])
        kind, width = self.type_of(t[2])
        if isinstance(inner, Float) and kind == "f" and t[1][0] == "name" and t[1][1] in ("INF", "NAN"):
            return Float(inner.kind, inner.number, inner.negative, inner.nan_bits, (kind, width))
        if isinstance(inner, Float) and kind == "f" and t[1][0] == "unary":
            return inner
        if isinstance(inner, Memory):
            raise NotTranslated("memory without an address")
        if isinstance(inner, Cell):
            return inner.read(self, kind, width)
        bits, _ = self.raw(inner)
        return self.read(bits, kind, width)

    def do_index(self, t):
        inner = self.value(t[1])
        index = self.value(t[2])
        number = index.value
        if isinstance(inner, list):
            return inner[number]
        if isinstance(inner, Memory):
            return Cell(inner, number)
        if isinstance(inner, Lanes):
            return inner.lane(number)
        if isinstance(inner, LaneOf):
            return Int(inner.read(number), 32)
        bits, _ = self.raw(inner)
        return Int(bits >> number & 1, 1)

    def do_slice(self, t):
        inner = self.value(t[1])
        high, low = self.value(t[2]).value, self.value(t[3]).value
        bits, _ = self.raw(inner)
        if high < low:
            width = low - high + 1
            picked = bits >> high & ((1 << width) - 1)
            return Int(int(format(picked, f"0{width}b")[::-1], 2), width)
        width = high - low + 1
        return Int(bits >> low & ((1 << width) - 1), width)

    def do_part(self, t):
        bits, _ = self.raw(self.value(t[1]))
        low, width = self.value(t[2]).value, self.value(t[3]).value
        return Int(bits >> low & ((1 << width) - 1), width)

    def do_concat(self, t):
        total = bits = 0
        for part in t[1]:
            value = self.value(part)
            if isinstance(value, bool):
                value = Int(int(value), 1)
            if not isinstance(value, Int):
                raise NotTranslated("a concatenation of something without a width")
            bits = bits << value.width | value.bits()
            total += value.width
        return Int(bits, total)

    def do_cast(self, t):
        width, letter = t[1].split("'")
        width, kind = int(width), CAST[letter]
        value = self.value(t[2])
        if isinstance(value, bool):
            value = Int(int(value), 1)
        if value == ("turn",):
            return value
        if kind == "f":
            if isinstance(value, Float):
                if v.is_nan(value):
                    bits, known = self.rounded(value, ("f", width))
                    return v.decode(bits, ("f", width)) if known else Float.nan(("f", width))
                return Float(value.kind, value.number, value.negative, value.nan_bits, ("f", width))
            return v.decode(value.bits() & ((1 << width) - 1), ("f", width))
        if isinstance(value, Float):
            raise NotTranslated("a cast of a float to an integer")
        if isinstance(value, Bits):
            value = Int(value.value, value.width)
        return Int(value.value, width, kind == "i")

    def do_choose(self, t):
        return self.value(t[2] if self.truth(self.value(t[1])) else t[3])

    def do_unary(self, t):
        value = self.value(t[2])
        operator = t[1]
        if operator == "!":
            return not self.truth(value)
        if operator == "+":
            return value
        if operator == "-":
            if isinstance(value, Float):
                return value.negated()
            return Int(-value.value, max(value.width, 32), value.signed, not self.saturate)
        if isinstance(value, bool):
            value = Int(int(value), 1)
        return Int(~value.value, value.width, value.signed)

    def do_binary(self, t):
        operator = t[1]
        if operator in ("&&", "||"):
            left = self.truth(self.value(t[2]))
            if left == (operator == "||"):
                return left
            return self.truth(self.value(t[3]))
        a, b = self.value(t[2]), self.value(t[3])
        if a == ("pi",):
            return ("turn",)
        if b == ("turn",):
            return ("angle", a)
        if b == ("denormal",) or isinstance(b, Float) and isinstance(a, Float):
            return self.floats(operator, a, b)
        a, b = (Int(int(x), 1) if isinstance(x, bool) else Int(x.value, x.width) if isinstance(x, Bits) else x for x in (a, b))
        if isinstance(a, Float) and operator == "**":
            return Float.of(a.number ** b.value, a.format)
        if not (isinstance(a, Int) and isinstance(b, Int)):
            raise NotTranslated(f"`{operator}` of an integer and a float")
        x, y = a.value, b.value
        compare = {"==": x == y, "!=": x != y, "<>": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}
        if operator in compare:
            return compare[operator]
        if operator in ("<<", ">>"):
            width = max(a.width, 32)
            return Int(x << y if operator == "<<" else x >> y, width, a.signed)
        width, signed = max(a.width, b.width), a.signed and b.signed
        if operator in "&|^":
            return Int({"&": x & y, "|": x | y, "^": x ^ y}[operator], width, signed)
        width = max(width, 32)
        if operator in "/%":
            return Int(x // y if operator == "/" else x % y, width, signed)
        return Int({"+": x + y, "-": x - y, "*": x * y}[operator], width, signed, not self.saturate)

    def floats(self, operator, a, b):
        if operator == "+":
            return v.add(a, b, self.round)
        if operator == "-":
            return v.add(a, b.negated(), self.round)
        if operator == "*":
            return v.multiply(a, b)
        if operator == "/":
            return v.divide(a, b)
        if operator not in ("==", "!=", "<>", "<", ">", "<=", ">="):
            raise NotTranslated(f"`{operator}` of floats")
        if v.is_nan(a) or v.is_nan(b):
            # "Less or greater" is false of a NaN, "not equal" is true.
            return operator == "!="

        def key(f):
            return (-1 if f.negative else 1, 0) if f.kind == "inf" else (0, f.number)

        x, y = key(a), key(b)
        if a.kind == "number" and b.kind == "number" and a.number == b.number == 0:
            # A zero with a sign is written where the sign is meant.
            x = y = (0, 0)
        return {"==": x == y, "!=": x != y, "<>": x != y, "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y}[operator]

    # Functions

    def do_call(self, t):
        name, trees = t[1], t[2]
        if name in self.lambdas:
            parameters, body = self.lambdas[name]
            saved = {p: self.names.get(p) for p in parameters}
            self.names.update(zip(parameters, [self.value(tree) for tree in trees]))
            try:
                self.block(body)
                raise NotTranslated(f"`{name}` without a result")
            except Return as result:
                return result.value
            finally:
                self.names.update(saved)
        arguments = [self.value(tree) for tree in trees]
        conversion = CONVERSION.match(name)
        if conversion:
            return self.convert(arguments[0], conversion.group(1), conversion.group(3), int(conversion.group(4)))
        function = getattr(self, "call_" + name, None)
        if function:
            return function(*arguments)
        if name.startswith("Calc"):
            return self.names["CALCULATED"](*arguments)
        if name.startswith("v_"):
            return self.other(name, arguments)
        raise NotTranslated(f"the function `{name}`")

    def other(self, name, arguments):
        """Another op on values."""
        conversion = re.match(r"v_cvt_([iu]16)_f32$", name)
        if conversion:
            return self.convert(arguments[0], "f", conversion.group(1)[0], 16)
        names = {"WAVE_MODE": self.names["WAVE_MODE"]}
        for number, argument in enumerate(arguments):
            bits, known = self.bits_of(argument, None)
            if not known:
                raise NotTranslated("a NaN without bits as an argument")
            names[f"S{number}"] = Bits(bits, 64)
        names["D0"] = Bits(0, 64)
        inner = Machine(names, self.text_of, self.round, self.flush_in, self.flush_out, self.saturate)
        inner.run(self.text_of(name))
        # A sum of bytes is a dword.
        kind, width = self.type_of(name.rsplit("_", 1)[1]) if "sad" not in name else ("u", 32)
        if ("D0", 0) in inner.nans:
            return Float.nan((kind, width))
        return self.read(names["D0"].value, kind, width)

    def convert(self, value, source, kind, width):
        if kind in ("f", "bf"):
            if isinstance(value, Float):
                # Rounded here, where the text says "convert".
                bits, known = self.rounded(value, (kind, width))
                return v.decode(bits, (kind, width)) if known else Float.nan((kind, width))
            return Float.of(value.value, (kind, width))
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "i" else (0, (1 << width) - 1)
        if isinstance(value, Float):
            if value.kind == "nan":
                return Int(0, width, kind == "i")
            if value.kind == "inf":
                return Int(low if value.negative else high, width, kind == "i")
            number = int(v.integral(value, "trunc").number)
        else:
            number = value.value
        return Int(min(max(number, low), high), width, kind == "i")

    def call_signext(self, a):
        bits = a.value & ((1 << a.width) - 1)
        if bits >> (a.width - 1):
            bits -= 1 << a.width
        return Int(bits, 64, True)

    def call_signext_from_bit(self, a, bit):
        n = bit.value
        if n == 0:
            return Int(0, a.width, True)
        if n >= a.width:
            return a
        low = a.value & ((1 << n) - 1)
        return Int(low - (1 << n) if low >> (n - 1) else low, a.width, True)

    def call_abs(self, a):
        return a.absolute()

    def call_sign(self, a):
        return a.negative

    def call_exponent(self, a):
        bits, _ = self.rounded(a, a.format)
        exponent, fraction = v.FLOATS[a.format]
        return Int(bits >> fraction & ((1 << exponent) - 1), 32, True)

    def call_isNAN(self, a):
        return v.is_nan(a)

    def call_isSignalNAN(self, a):
        return v.is_signalling(a)

    def call_isQuietNAN(self, a):
        return v.is_nan(a) and not v.is_signalling(a)

    def call_cvtToQuietNAN(self, a):
        return v.quieted(a)

    def call_isEven(self, a):
        return a.kind == "number" and a.number % 2 == 0

    def call_floor(self, a):
        return v.integral(a, "floor")

    def call_trunc(self, a):
        return v.integral(a, "trunc")

    def call_fract(self, a):
        return v.add(a, v.integral(a, "floor").negated(), 0)

    def call_fma(self, a, b, c):
        return v.add(v.multiply(a, b), c, self.round)

    def call_sqrt(self, a):
        return v.transcendental("sqrt", a)

    def call_log2(self, a):
        return v.transcendental("log2", a)

    def call_pow(self, base, a):
        return v.transcendental("exp2", a)

    def call_sin(self, a):
        return v.transcendental("sin", a[1])

    def call_cos(self, a):
        return v.transcendental("cos", a[1])

    def call_s_nop(self, _):
        return Int(0)

    def call_s_ff1_i32_b64(self, a):
        value = a.value if isinstance(a, Bits) else a.bits()
        return Int((value & -value).bit_length() - 1, 32, True)

    call_s_ff1_i32_b32 = call_s_ff1_i32_b64


PARSED = {}


def parse_cached(text):
    if text not in PARSED:
        PARSED[text] = parse(text)
    return PARSED[text]
