"""Values of the pseudocode: integers with a width, and floats as exact numbers that are rounded when they are stored."""
from fractions import Fraction

import mpmath

mpmath.mp.prec = 400

# Exponent and fraction bits by (kind, width).
FLOATS = {("f", 16): (5, 10), ("f", 32): (8, 23), ("f", 64): (11, 52), ("bf", 16): (8, 7)}


class Int:
    """`width` bits; `value` has the sign that `signed` gives it."""

    __slots__ = ("value", "width", "signed")

    def __init__(self, value, width=32, signed=False, wrap=True):
        self.width, self.signed = width, signed
        if wrap:
            value &= (1 << width) - 1
            if signed and value >> (width - 1):
                value -= 1 << width
        self.value = value

    def bits(self):
        return self.value & ((1 << self.width) - 1)


class Float:
    """A number, infinity or NaN. A NaN has the bits it was read from, or none where arithmetic made it."""

    __slots__ = ("kind", "number", "negative", "nan_bits", "format")

    def __init__(self, kind, number=None, negative=False, nan_bits=None, format=("f", 64)):
        self.kind, self.number, self.negative, self.nan_bits, self.format = kind, number, negative, nan_bits, format

    @staticmethod
    def of(number, format=("f", 64), negative=None):
        number = Fraction(number)
        return Float("number", number, number < 0 if negative is None else negative, None, format)

    @staticmethod
    def nan(format=("f", 64), bits=None):
        return Float("nan", None, False, bits, format)

    @staticmethod
    def inf(negative, format=("f", 64)):
        return Float("inf", None, negative, None, format)

    def is_zero(self):
        return self.kind == "number" and self.number == 0

    def negated(self):
        bits = None if self.nan_bits is None else self.nan_bits ^ 1 << (self.format[1] - 1)
        number = None if self.number is None else -self.number
        return Float(self.kind, number, not self.negative, bits, self.format)

    def absolute(self):
        return self.negated() if self.negative else self


def decode(bits, format):
    exponent_bits, fraction_bits = FLOATS[format]
    top = (1 << exponent_bits) - 1
    negative = bool(bits >> (exponent_bits + fraction_bits) & 1)
    exponent, fraction = bits >> fraction_bits & top, bits & ((1 << fraction_bits) - 1)
    if exponent == top:
        if fraction:
            value = Float.nan(format, bits)
            value.negative = negative
            return value
        return Float.inf(negative, format)
    bias = top >> 1
    if exponent == 0:
        number = Fraction(fraction) * Fraction(2) ** (1 - bias - fraction_bits)
    else:
        number = Fraction(fraction | 1 << fraction_bits) * Fraction(2) ** (exponent - bias - fraction_bits)
    return Float("number", -number if negative else number, negative, None, format)


def encode(value, format, mode=0):
    """The bits; None for a NaN without any. `mode`: 0 nearest even, 1 up, 2 down, 3 towards zero."""
    exponent_bits, fraction_bits = FLOATS[format]
    top = (1 << exponent_bits) - 1
    sign = int(value.negative) << (exponent_bits + fraction_bits)
    if value.kind == "nan":
        if value.nan_bits is None:
            return None
        if value.format == format:
            return value.nan_bits
        # Another size keeps the sign and the top of the fraction.
        from_fraction = FLOATS[value.format][1]
        fraction = value.nan_bits & ((1 << from_fraction) - 1)
        shift = fraction_bits - from_fraction
        fraction = fraction << shift if shift >= 0 else fraction >> -shift
        return None if fraction == 0 else sign | top << fraction_bits | fraction
    if value.kind == "inf":
        return sign | top << fraction_bits
    size = abs(value.number)
    if size == 0:
        return sign
    bias = top >> 1
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    steps = size / Fraction(2) ** (exponent - fraction_bits)
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    away = {0: rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1), 1: rest > 0 and not sign,
            2: rest > 0 and bool(sign), 3: False}[mode]
    whole += int(bool(away))
    if whole >> (fraction_bits + 1):
        whole >>= 1
        exponent += 1
    if exponent > bias:
        # Too large: infinity, or the largest number where the rounding goes the other way.
        stays = mode == 3 or (mode == 1 and sign) or (mode == 2 and not sign)
        return sign | ((top << fraction_bits) - 1 if stays else top << fraction_bits)
    if whole >> fraction_bits:
        return sign | (exponent + bias) << fraction_bits | whole & ((1 << fraction_bits) - 1)
    return sign | whole


def is_denormal(bits, format):
    exponent_bits, fraction_bits = FLOATS[format]
    return bits >> fraction_bits & ((1 << exponent_bits) - 1) == 0 and bits & ((1 << fraction_bits) - 1) != 0


def is_nan(value):
    return isinstance(value, Float) and value.kind == "nan"


def is_signalling(value):
    if not is_nan(value) or value.nan_bits is None:
        return False
    return not value.nan_bits >> (FLOATS[value.format][1] - 1) & 1


def quieted(value):
    return Float("nan", None, value.negative, value.nan_bits | 1 << (FLOATS[value.format][1] - 1), value.format)


def wider(a, b):
    return a.format if a.format[1] >= b.format[1] else b.format


def add(a, b, mode):
    format = wider(a, b)
    if "nan" in (a.kind, b.kind) or (a.kind == b.kind == "inf" and a.negative != b.negative):
        return Float.nan(format)
    if a.kind == "inf" or b.kind == "inf":
        return Float.inf((a if a.kind == "inf" else b).negative, format)
    total = a.number + b.number
    if total == 0:
        # Equal signs keep theirs; an exact difference is +0, or -0 rounding down.
        both = a.is_zero() and b.is_zero() and a.negative == b.negative
        return Float.of(0, format, a.negative if both else mode == 2)
    return Float.of(total, format)


def multiply(a, b):
    format, negative = wider(a, b), a.negative != b.negative
    if "nan" in (a.kind, b.kind) or (a.kind == "inf" and b.is_zero()) or (b.kind == "inf" and a.is_zero()):
        return Float.nan(format)
    if a.kind == "inf" or b.kind == "inf":
        return Float.inf(negative, format)
    return Float.of(a.number * b.number, format, negative)


def divide(a, b):
    format, negative = wider(a, b), a.negative != b.negative
    if "nan" in (a.kind, b.kind) or (a.kind == b.kind == "inf") or (a.is_zero() and b.is_zero()):
        return Float.nan(format)
    if a.kind == "inf" or b.is_zero():
        return Float.inf(negative, format)
    if b.kind == "inf":
        return Float.of(0, format, negative)
    return Float.of(a.number / b.number, format, negative)


def integral(value, how):
    if value.kind != "number":
        return value
    n, d = value.number.numerator, value.number.denominator
    whole = n // d if how == "floor" else (abs(n) // d) * (-1 if n < 0 else 1)
    return Float.of(whole, value.format, value.negative)


def rational(x):
    sign, mantissa, exponent, _ = x._mpf_
    number = Fraction(int(mantissa)) * Fraction(2) ** exponent
    return -number if sign else number


def transcendental(name, x):
    """To 400 bits, with the limits of IEEE 754 and of the manuals (an angle is in turns)."""
    nan, format = Float.nan(x.format), x.format
    if x.kind == "nan":
        return nan
    if name in ("sin", "cos"):
        if x.kind == "inf":
            return nan
        if name == "sin" and x.is_zero():
            return x
        turn = x.number - (x.number.numerator // x.number.denominator)
        if turn.denominator in (1, 2, 4):
            quarter = int(turn * 4)
            exact = [0, 1, 0, -1][quarter if name == "sin" else (quarter + 1) % 4]
            return Float.of(exact, format)
        angle = 2 * mpmath.pi * mpmath.mpf(turn.numerator) / turn.denominator
        return Float.of(rational(mpmath.sin(angle) if name == "sin" else mpmath.cos(angle)), format)
    if name == "sqrt":
        if x.is_zero() or (x.kind == "inf" and not x.negative):
            return x
        if x.negative:
            return nan
        return Float.of(rational(mpmath.sqrt(mpmath.mpf(x.number.numerator) / x.number.denominator)), format)
    if name == "log2":
        if x.is_zero():
            return Float.inf(True, format)
        if x.negative:
            return nan
        if x.kind == "inf":
            return x
        return Float.of(rational(mpmath.log(mpmath.mpf(x.number.numerator) / x.number.denominator, 2)), format)
    assert name == "exp2"
    if x.kind == "inf":
        return Float.of(0, format) if x.negative else x
    if abs(x.number) > 5000:
        return Float.of(Fraction(2) ** (5000 if x.number > 0 else -5000), format)
    return Float.of(rational(mpmath.power(2, mpmath.mpf(x.number.numerator) / x.number.denominator)), format)
