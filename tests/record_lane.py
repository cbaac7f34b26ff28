#!/usr/bin/env python3
"""Records what ops compute, judged by LLVM's constant folder: fixtures/lane/llvm.txt.

Each op is written here as LLVM IR after the AMD manuals; LLVM 22's `opt` folds it for given sources. A line is
`op in s0 s1 s2 = d out`: hexadecimal values, `in` a rounding mode, SCC or mask bit, `out` SCC or a mask bit ('-' where none).

    python3 tests/record_lane.py > fixtures/lane/llvm.txt
"""
import random
import re
import subprocess

ROUND = ["round.tonearest", "round.upward", "round.downward", "round.towardzero"]
random.seed(7)

# name: (source sizes, result size, IR lines with {0} {1} {2} for sources, %d the result, optional %o the out bit)
OPS = {}


def op(name, sizes, result, body, inputs="-", out=False):
    OPS[name] = (sizes, result, [line.strip() for line in body.strip().splitlines()], inputs, out)


def call(name, size, intrinsic, count=3):
    args = ", ".join(f"i{size} {{{i}}}" for i in range(count))
    op(name, [size] * count, size, f"%d = call i{size} @{intrinsic}({args})")


call("v_perm_b32", 32, "llvm.amdgcn.perm")
call("v_alignbit_b32", 32, "llvm.fshr.i32")
op("v_alignbyte_b32", [32, 32, 16], 32, """%a = and i32 {2}, 3
    %b = shl i32 %a, 3
    %d = call i32 @llvm.fshr.i32(i32 {0}, i32 {1}, i32 %b)""")
call("v_bfe_u32", 32, "llvm.amdgcn.ubfe.i32")
call("v_bfe_i32", 32, "llvm.amdgcn.sbfe.i32")
for name, right, high in (("v_mul_i32_i24", "ashr", 0), ("v_mul_u32_u24", "lshr", 0),
                          ("v_mul_hi_i32_i24", "ashr", 32), ("v_mul_hi_u32_u24", "lshr", 32)):
    op(name, [32, 32], 32, f"""%a0 = zext i32 {{0}} to i64
    %a1 = shl i64 %a0, 40
    %a = {right} i64 %a1, 40
    %b0 = zext i32 {{1}} to i64
    %b1 = shl i64 %b0, 40
    %b = {right} i64 %b1, 40
    %m = mul i64 %a, %b
    %h = lshr i64 %m, {high}
    %d = trunc i64 %h to i32""")
op("v_mul_hi_u32", [32, 32], 32, """%a = zext i32 {0} to i64
    %b = zext i32 {1} to i64
    %m = mul i64 %a, %b
    %h = lshr i64 %m, 32
    %d = trunc i64 %h to i32""")
op("v_mul_hi_i32", [32, 32], 32, """%a = sext i32 {0} to i64
    %b = sext i32 {1} to i64
    %m = mul i64 %a, %b
    %h = lshr i64 %m, 32
    %d = trunc i64 %h to i32""")
op("v_bfi_b32", [32, 32, 32], 32, """%a = and i32 {0}, {1}
    %n = xor i32 {0}, -1
    %b = and i32 %n, {2}
    %d = or i32 %a, %b""")
for name, mnemonic, size in (("v_lshlrev_b32", "shl", 32), ("v_lshrrev_b32", "lshr", 32), ("v_ashrrev_i32", "ashr", 32)):
    op(name, [32, 32], 32, f"%s = and i32 {{0}}, 31\n%d = {mnemonic} i32 {{1}}, %s")
for name, mnemonic in (("v_lshlrev_b64", "shl"), ("v_lshrrev_b64", "lshr"), ("v_ashrrev_i64", "ashr")):
    op(name, [32, 64], 64, f"%m = and i32 {{0}}, 63\n%s = zext i32 %m to i64\n%d = {mnemonic} i64 {{1}}, %s")
for name, intrinsic in (("v_min_i32", "smin"), ("v_max_i32", "smax"), ("v_min_u32", "umin"), ("v_max_u32", "umax")):
    call(name, 32, f"llvm.{intrinsic}.i32", 2)
    three = name.replace("_i", "3_i").replace("_u", "3_u")
    op(three, [32] * 3, 32, f"""%m = call i32 @llvm.{intrinsic}.i32(i32 {{0}}, i32 {{1}})
    %d = call i32 @llvm.{intrinsic}.i32(i32 %m, i32 {{2}})""")
for s in "iu":
    lo, hi = {"i": ("smin", "smax"), "u": ("umin", "umax")}[s]
    op(f"v_med3_{s}32", [32] * 3, 32, f"""%l = call i32 @llvm.{lo}.i32(i32 {{0}}, i32 {{1}})
    %h = call i32 @llvm.{hi}.i32(i32 {{0}}, i32 {{1}})
    %m = call i32 @llvm.{lo}.i32(i32 %h, i32 {{2}})
    %d = call i32 @llvm.{hi}.i32(i32 %l, i32 %m)""")
op("v_add3_u32", [32] * 3, 32, "%a = add i32 {0}, {1}\n%d = add i32 %a, {2}")
op("v_xad_u32", [32] * 3, 32, "%a = xor i32 {0}, {1}\n%d = add i32 %a, {2}")
op("v_lshl_add_u32", [32] * 3, 32, "%s = and i32 {1}, 31\n%a = shl i32 {0}, %s\n%d = add i32 %a, {2}")
op("v_add_lshl_u32", [32] * 3, 32, "%a = add i32 {0}, {1}\n%s = and i32 {2}, 31\n%d = shl i32 %a, %s")
op("v_lshl_or_b32", [32] * 3, 32, "%s = and i32 {1}, 31\n%a = shl i32 {0}, %s\n%d = or i32 %a, {2}")
op("v_lshl_add_u64", [64, 32, 64], 64, """%m = and i32 {1}, 7
    %s = zext i32 %m to i64
    %a = shl i64 {0}, %s
    %d = add i64 %a, {2}""")
op("v_bcnt_u32_b32", [32, 32], 32, "%p = call i32 @llvm.ctpop.i32(i32 {0})\n%d = add i32 %p, {1}")
op("v_bfrev_b32", [32], 32, "%d = call i32 @llvm.bitreverse.i32(i32 {0})")
for name, intrinsic in (("v_clz_i32_u32", "ctlz"), ("v_ctz_i32_b32", "cttz")):
    op(name, [32], 32, f"""%c = call i32 @llvm.{intrinsic}.i32(i32 {{0}}, i1 false)
    %z = icmp eq i32 {{0}}, 0
    %d = select i1 %z, i32 -1, i32 %c""")
op("v_cls_i32", [32], 32, """%s = ashr i32 {0}, 31
    %x = xor i32 {0}, %s
    %c = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
    %z = icmp eq i32 %x, 0
    %d = select i1 %z, i32 -1, i32 %c""")
op("v_bfm_b32", [32, 32], 32, """%w = and i32 {0}, 31
    %o = shl i32 1, %w
    %m = sub i32 %o, 1
    %s = and i32 {1}, 31
    %d = shl i32 %m, %s""")
op("v_cvt_pk_u16_u32", [32, 32], 32, """%a = call i32 @llvm.umin.i32(i32 {0}, i32 65535)
    %b = call i32 @llvm.umin.i32(i32 {1}, i32 65535)
    %h = shl i32 %b, 16
    %d = or i32 %a, %h""")


def absdiff8(i):
    return f"""%a{i}s = lshr i32 {{0}}, {8 * i}
    %a{i} = and i32 %a{i}s, 255
    %b{i}s = lshr i32 {{1}}, {8 * i}
    %b{i} = and i32 %b{i}s, 255
    %s{i} = sub i32 %a{i}, %b{i}
    %d{i} = call i32 @llvm.abs.i32(i32 %s{i}, i1 false)
    """


op("v_sad_u8", [32] * 3, 32, "".join(absdiff8(i) for i in range(4)) + """%t0 = add i32 %d0, %d1
    %t1 = add i32 %d2, %d3
    %t2 = add i32 %t0, %t1
    %d = add i32 %t2, {2}""")
op("v_mad_co_u64_u32", [32, 32, 64], 64, """%a = zext i32 {0} to i64
    %b = zext i32 {1} to i64
    %m = mul i64 %a, %b
    %r = call {{i64, i1}} @llvm.uadd.with.overflow.i64(i64 %m, i64 {2})
    %d = extractvalue {{i64, i1}} %r, 0
    %o = extractvalue {{i64, i1}} %r, 1""", out=True)
op("v_mad_co_i64_i32", [32, 32, 64], 64, """%a = sext i32 {0} to i65
    %b = sext i32 {1} to i65
    %c = sext i64 {2} to i65
    %m = mul i65 %a, %b
    %r = add i65 %m, %c
    %d = trunc i65 %r to i64
    %s = lshr i65 %r, 64
    %o = trunc i65 %s to i1""", out=True)


def wide(name, expression, scalar=False):
    """33-bit arithmetic: the carry is bit 32."""
    op(name, [32, 32], 32, f"""%a = zext i32 {{0}} to i64
    %b = zext i32 {{1}} to i64
    %c = zext i1 {{in}} to i64
    {expression}
    %d = trunc i64 %r to i32
    %k = lshr i64 %r, 32
    %o = trunc i64 %k to i1""", inputs="bit", out=True)


ADD = "%s = add i64 %a, %b\n%r = add i64 %s, %c"
SUB = "%s = sub i64 %a, %b\n%r = sub i64 %s, %c"
wide("v_add_co_ci_u32", ADD)
wide("v_sub_co_ci_u32", SUB)
wide("v_subrev_co_ci_u32", "%s = sub i64 %b, %a\n%r = sub i64 %s, %c")
wide("v_add_co_u32", "%r = add i64 %a, %b")
wide("v_sub_co_u32", "%r = sub i64 %a, %b")
wide("s_add_co_u32", "%r = add i64 %a, %b")
wide("s_sub_co_u32", "%r = sub i64 %a, %b")
wide("s_add_co_ci_u32", ADD)
wide("s_sub_co_ci_u32", SUB)
for name, intrinsic in (("s_add_co_i32", "sadd"), ("s_sub_co_i32", "ssub")):
    op(name, [32, 32], 32, f"""%r = call {{{{i32, i1}}}} @llvm.{intrinsic}.with.overflow.i32(i32 {{0}}, i32 {{1}})
    %d = extractvalue {{{{i32, i1}}}} %r, 0
    %o = extractvalue {{{{i32, i1}}}} %r, 1""", inputs="bit", out=True)
for n in (1, 2, 3, 4):
    wide(f"s_lshl{n}_add_u32", f"%s = shl i64 %a, {n}\n%r = add i64 %s, %b")
    # Bit 32 is not all of "does not fit".
    OPS[f"s_lshl{n}_add_u32"][2][-1] = "%o = icmp ne i64 %k, 0"
for signed in "ui":
    for size in (32, 64):
        # A field that would pass the end is cut there.
        right, name = ("ashr", f"s_bfe_i{size}") if signed == "i" else ("lshr", f"s_bfe_u{size}")
        op(name, [size, 32], size, f"""%p0 = and i32 {{1}}, {size - 1}
    %p = zext i32 %p0 to i{2 * size}
    %w0 = lshr i32 {{1}}, 16
    %w1 = and i32 %w0, 127
    %w2 = call i32 @llvm.umin.i32(i32 %w1, i32 {size})
    %w = zext i32 %w2 to i{2 * size}
    %v = {'sext' if signed == 'i' else 'zext'} i{size} {{0}} to i{2 * size}
    %s = {right} i{2 * size} %v, %p
    %u = sub i{2 * size} {size}, %w
    %t = trunc i{2 * size} %s to i{size}
    %x = trunc i{2 * size} %u to i{size}
    %whole = icmp eq i32 %w2, 0
    %xs = select i1 %whole, i{size} 0, i{size} %x
    %l = shl i{size} %t, %xs
    %r = {right} i{size} %l, %xs
    %d = select i1 %whole, i{size} 0, i{size} %r
    %o = icmp ne i{size} %d, 0""", inputs="bit", out=True)

# Floats, with the rounding mode as a string.
META = 'metadata !"{in}", metadata !"fpexcept.ignore"'


def fop(name, sizes, result, ir_types, ir_result, intrinsic):
    args = []
    lines = []
    for i, (size, t) in enumerate(zip(sizes, ir_types)):
        if t.startswith("i"):
            args.append(f"{t} {{{i}}}")
        else:
            lines.append(f"%f{i} = bitcast i{size} {{{i}}} to {t}")
            args.append(f"{t} %f{i}")
    lines.append(f"%r = call {ir_result} @llvm.experimental.constrained.{intrinsic}({', '.join(args)}, {META})")
    lines.append(f"%d = bitcast {ir_result} %r to i{result}")
    op(name, sizes, result, "\n".join(lines), inputs="round")


for short, size, t in (("f32", 32, "float"), ("f64", 64, "double")):
    fop(f"v_add_{short}", [size] * 2, size, [t] * 2, t, f"fadd.{short}")
    fop(f"v_mul_{short}", [size] * 2, size, [t] * 2, t, f"fmul.{short}")
    fop(f"v_fma_{short}", [size] * 3, size, [t] * 3, t, f"fma.{short}")
    for name, intrinsic in (("trunc", "trunc"), ("ceil", "ceil"), ("floor", "floor"), ("rndne", "roundeven")):
        op(f"v_{name}_{short}", [size], size, f"""%f = bitcast i{size} {{0}} to {t}
        %r = call {t} @llvm.{intrinsic}.{short}({t} %f)
        %d = bitcast {t} %r to i{size}""")
    op(f"v_ldexp_{short}", [size, 32], size, f"""%f = bitcast i{size} {{0}} to {t}
        %r = call {t} @llvm.ldexp.{short}.i32({t} %f, i32 {{1}})
        %d = bitcast {t} %r to i{size}""")
fop("v_sub_f32", [32, 32], 32, ["float", "float"], "float", "fsub.f32")
# The folder rounds conversions to nearest only.
for name, size, t, conversion, result, ir_result in (
        ("v_cvt_f32_i32", 32, "i32", "sitofp", 32, "float"), ("v_cvt_f32_u32", 32, "i32", "uitofp", 32, "float"),
        ("v_cvt_f32_f64", 64, "double", "fptrunc", 32, "float"), ("v_cvt_f16_f32", 32, "float", "fptrunc", 16, "half"),
        ("v_cvt_f64_f32", 32, "float", "fpext", 64, "double"), ("v_cvt_f32_f16", 16, "half", "fpext", 32, "float"),
        ("v_cvt_f64_i32", 32, "i32", "sitofp", 64, "double"), ("v_cvt_f64_u32", 32, "i32", "uitofp", 64, "double")):
    op(name, [size], result, f"""%f = bitcast i{size} {{0}} to {t}
    %r = {conversion} {t} %f to {ir_result}
    %d = bitcast {ir_result} %r to i{result}""")
for name, t, intrinsic in (("v_cvt_u32_f32", "float", "fptoui.sat.i32.f32"), ("v_cvt_i32_f32", "float", "fptosi.sat.i32.f32"),
                           ("v_cvt_u32_f64", "double", "fptoui.sat.i32.f64"), ("v_cvt_i32_f64", "double", "fptosi.sat.i32.f64")):
    size = 32 if t == "float" else 64
    op(name, [size], 32, f"%f = bitcast i{size} {{0}} to {t}\n%d = call i32 @llvm.{intrinsic}({t} %f)")
op("v_fract_f32", [32], 32, "%f = bitcast i32 {0} to float\n%r = call float @llvm.amdgcn.fract.f32(float %f)\n%d = bitcast float %r to i32")
op("v_cmp_class_f32", [32, 32], 1, "%f = bitcast i32 {0} to float\n%d = call i1 @llvm.amdgcn.class.f32(float %f, i32 {1})")
for name, predicate in (("lt", "olt"), ("eq", "oeq"), ("le", "ole"), ("gt", "ogt"), ("lg", "one"), ("ge", "oge"), ("o", "ord"),
                        ("u", "uno"), ("nge", "ult"), ("nlg", "ueq"), ("ngt", "ule"), ("nle", "ugt"), ("neq", "une"), ("nlt", "uge")):
    op(f"v_cmp_{name}_f32", [32, 32], 1, f"""%a = bitcast i32 {{0}} to float
        %b = bitcast i32 {{1}} to float
        %d = fcmp {predicate} float %a, %b""")

INTERESTING = {
    16: [0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0xfc00],
    32: [0, 1, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x00800000,
         0x807fffff, 0x00000001, 0x7f7fffff, 0x4b000001, 0x477ff000, 0x33000001, 0x38800000, 0x4f000000, 0x5f000000, 0x3effffff],
    64: [0, 1, 63, 2**63, 2**64 - 1, 0x3ff0000000000000, 0x7ff0000000000000, 0x41dfffffffc00000, 0x0010000000000000,
         0x36a0000000000000, 0x47efffffe0000000, 0x47effffff0000000],
}


def source(size):
    pick = random.random()
    if pick < 0.4:
        return random.choice(INTERESTING[size])
    if pick < 0.55:
        return random.getrandbits(7)
    return random.getrandbits(size)


def is_nan(value, size):
    exponent, fraction = {16: (5, 10), 32: (8, 23), 64: (11, 52)}[size]
    return (value >> fraction) & ((1 << exponent) - 1) == (1 << exponent) - 1 and value & ((1 << fraction) - 1) != 0


cases = []
module = []
for name, (sizes, result, body, inputs, out) in OPS.items():
    count = 0
    while count < 40:
        values = [source(size) for size in sizes]
        floats = any("bitcast" in line for line in body)
        # NaN results are bit patterns that nobody promises; compares and conversions to integers keep theirs.
        if floats and not (result == 1 or name.startswith(("v_cvt_u32", "v_cvt_i32"))):
            if any(is_nan(v, s) for v, s in zip(values, sizes)):
                continue
        count += 1
        code = {"-": 0, "bit": random.getrandbits(1), "round": random.randrange(4)}[inputs]
        text = {"-": "", "bit": str(bool(code)).lower(), "round": ROUND[code]}[inputs]
        number = len(cases)
        cases.append((name, inputs, code, values, result, out))
        lines = [line.format(*values, **{"in": text}) for line in body]
        module.append(f"define i{result} @d{number}() {{\n  " + "\n  ".join(lines) + f"\n  ret i{result} %d\n}}")
        if out:
            module.append(f"define i1 @o{number}() {{\n  " + "\n  ".join(lines) + "\n  ret i1 %o\n}")

ir = 'target triple = "amdgcn-amd-amdhsa"\n' + "\n".join(module)
needed = set(re.findall(r"call (.*?) (@llvm[\w.]+)\((.*)\)", ir))
declared = {}
for returns, name, args in needed:
    types = [a.strip().split(" ")[0] for a in args.split(",")]
    declared[name] = f"declare {returns} {name}({', '.join(types)})"
ir += "\n" + "\n".join(sorted(declared.values())) + "\n"
run = subprocess.run(["opt-22", "-S", "-passes=instcombine,instsimplify,instcombine"], input=ir, capture_output=True, text=True)
assert run.returncode == 0, run.stderr[:2000]
folded = {}
for kind, number, size, value in re.findall(r"define .*?@([do])(\d+)\(\).*?\n\s*ret i(\d+) (\S+)", run.stdout):
    value = {"true": "1", "false": "0"}.get(value, value)
    folded[kind, int(number)] = int(value) & ((1 << int(size)) - 1) if re.fullmatch(r"-?\d+", value) else None
version = subprocess.run(["opt-22", "--version"], capture_output=True, text=True).stdout.split("version ")[1].split()[0]
print(f"# LLVM {version}'s constant folder, through `python3 tests/record_lane.py`: op in s0 s1 s2 = d out")
unfolded = set()
for number, (name, inputs, code, values, result, out) in enumerate(cases):
    d = folded.get(("d", number))
    if d is None:
        unfolded.add(name)
        continue
    if name.startswith("v_") and result != 1 and any("bitcast" in line and "%d" in line for line in OPS[name][2]) and is_nan(d, result):
        continue
    padded = (values + [0, 0, 0])[:3]
    tail = folded.get(("o", number)) if out else "-"
    print(name, code, *(f"{v:x}" for v in padded), "=", f"{d:x}", tail)
if unfolded:
    import sys
    print("not folded:", " ".join(sorted(unfolded)), file=sys.stderr)
