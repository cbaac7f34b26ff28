#!/usr/bin/env python3
"""Records what ptxas says of the samples of the forms: fixtures/ptx/verdicts.forms.txt.

    tests/record_verdicts.py [--ptxas PATH] [--samples FILE]

Without a path, ptxas comes from PyPI into a temporary environment. The samples are what the test
`samples_of_the_forms_are_read` writes to the file that W2W_SAMPLES names; without a file, the test is run.

`--old` records fixtures/ptx/verdicts.old.txt instead: what only early modules may write, and 32-bit addresses.
`--early` records fixtures/ptx/verdicts.early.txt: what an earlier release, which made code for processors before sm_75 and
for 32-bit addresses, says of a part of the recorded samples; it comes from PyPI too, where no path is given.
`--directives` records fixtures/ptx/verdicts.directives.txt: the least version and target that take each directive.

Each statement stands on a line of its own in the kernel of src/ptx/forms/frame.ptx. ptxas names the line of each
complaint, so many are judged at once: `ptxas -arch compute_N -c`, which reads and checks without making code. Some
complaints come only when there are no others, so a statement counts as taken when a run of taken ones has none. What a
statement needs is what ptxas asks for in a module of version 1.0 for sm_10, and the targets that take it.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["nvidia-cuda-nvcc==13.2.86", "nvidia-nvvm==13.2.86", "nvidia-cuda-crt==13.2.86"]
TARGETS = (
    "75 80 86 87 88 89 90 90a 100 100f 100a 103 103f 103a 110 110f 110a 120 120f 120a 121 121f 121a".split()
)
OLDER = "10 11 12 13 20 30 32 35 37 50 52 53 60 61 62 70 72".split()
# Where a statement is tried, until one takes it: target, version, architecture.
PLACES = [
    ("sm_90a", "9.2", "compute_90a"),
    ("sm_90a, texmode_independent", "9.2", "compute_90a"),
    ("sm_100a", "9.2", "compute_100a"),
    ("sm_103a", "9.2", "compute_103a"),
    ("sm_120a", "9.2", "compute_120a"),
    ("sm_60", "6.0", "compute_75"),
]
# Of one form, at most so many statements of each sort are kept.
MOST_RIGHT, MOST_REFUSED, MOST_OTHER = 12, 6, 3
LONGEST = 700


# What early modules wrote, by the version and target that take it, those that do not, and an operand that is wrong.
OLD = [
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "div.f32 f32_1, f32_1, f32_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f64_1", "u32_1", "div.f64 f64_1, f64_1, f64_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "rcp.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "sqrt.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "9.2 sm_90 64", "f64_1", "u32_1", "sqrt.f64 f64_1, f64_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "rsqrt.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "2.0 sm_20 64", "f64_1", "u32_1", "rsqrt.f64 f64_1, f64_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "sin.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "cos.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "lg2.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f32_1", "u32_1", "ex2.f32 f32_1, f32_1;"),
    ("1.3 sm_13 64", "1.4 sm_13 64", "f64_1", "u32_1", "mad.f64 f64_1, f64_1, f64_1, f64_1;"),
    ("3.1 sm_30 64", "4.0 sm_30 64", "f32_1", "u32_1", "mad.f32 f32_1, f32_1, f32_1, f32_1;"),
    ("9.2 sm_13 64", "9.2 sm_90 64", "f32_1", "u32_1", "mad.ftz.sat.f32 f32_1, f32_1, f32_1, f32_1;"),
    ("6.3 sm_35 32", "9.2 sm_90 64", "u32_1", "f32_1", "cvta.global.u32 u32_1, u32_2;"),
    ("6.3 sm_35 32", "9.2 sm_90 64", "u32_1", "f32_1", "cvta.shared.u32 u32_1, shared_;"),
    ("6.3 sm_35 32", "9.2 sm_90 64", "u32_1", "f32_1", "cvta.to.global.u32 u32_1, u32_2;"),
]


# An earlier release, and the modules in which it judges: version, target, address size, architecture.
EARLY = ["nvidia-cuda-nvcc-cu11==11.8.89"]
EARLY_MODULES = [
    ("7.8", "sm_35", "32", "compute_35"),
    ("7.8", "sm_35", "64", "compute_35"),
    ("7.8", "sm_60", "32", "compute_60"),
    ("7.8", "sm_70", "64", "compute_70"),
]

# Whole modules behind `.version` and `.target`, each with one thing that came later than the first version.
DIRECTIVES = [
    ".entry k() .maxnreg 16 { ret; }",
    ".entry k() .maxntid 32, 2, 1 { ret; }",
    ".entry k() .maxntid 32 .maxnctapersm 2 { ret; }",
    ".entry k() .maxntid 32 .minnctapersm 2 { ret; }",
    ".entry k() .reqntid 32 { ret; }",
    ".entry k() .explicitcluster { ret; }",
    ".entry k() .reqnctapercluster 2 { ret; }",
    ".entry k() .maxclusterrank 4 { ret; }",
    ".entry k() .reqntid 32 .reqnctapercluster 2 .blocksareclusters { ret; }",
    ".func f() .noreturn { trap; }",
    ".func f() .abi_preserve 4 { ret; }",
    ".func f() .abi_preserve_control 4 { ret; }",
    '.pragma "nounroll"; .entry k() { ret; }',
    '.entry k() { .pragma "nounroll"; ret; }',
    '.entry k() .pragma "nounroll"; { ret; }',
    '.entry k() { .pragma "used_bytes_mask 0xff"; ret; }',
    '.entry k() { .pragma "enable_smem_spilling"; ret; }',
    '.entry k() { .pragma "frequency 10"; ret; }',
    '.entry k() { .pragma "unknown"; ret; }',
    ".visible .func f() { ret; } .visible .func g(); .alias g, f;",
    ".entry k() { t: .branchtargets l; l: ret; }",
    ".func f() { ret; } .entry k() { t: .calltargets f; ret; }",
    ".entry k() { t: .callprototype _ (); ret; }",
    ".section .debug_abbrev { .b8 1 } .entry k() { ret; }",
    ".address_size 64 .entry k() { ret; }",
    ".weak .global .b32 x;",
    ".weak .func f() { ret; }",
    ".common .global .b32 x;",
    ".visible .global .b32 x;",
    ".extern .global .b32 x;",
    ".extern .shared .b32 x[];",
    ".global .attribute(.managed) .b32 x;",
    ".global .attribute(.unified(1, 2)) .b32 x;",
    ".entry k(.param .u32 p) { ret; }",
    ".entry k(.param .align 8 .b8 p[16]) { ret; }",
    ".entry k(.param .u32 .ptr p) { ret; }",
    ".entry k(.param .u32 .ptr .shared .align 8 p) { ret; }",
    ".func f(.param .b32 p) { ret; }",
    ".func (.param .b32 r) f() { ret; }",
    ".func f(.param .align 8 .b8 p[8]) { ret; }",
    ".func f(.param .b8 p[]) { ret; }",
    ".func (.reg .b32 r) f(.reg .b32 p) { mov.b32 r, p; ret; }",
    ".entry k() { .param .b32 p; ret; }",
    ".entry k() { .shared .b32 p; ret; }",
    ".entry k() { .local .b32 p; ret; }",
    ".global .texref t;",
    ".global .surfref t;",
    ".entry k() { .reg .f16 a; ret; }",
    ".entry k() { .reg .f16x2 a; ret; }",
    ".entry k() { .reg .b128 a; ret; }",
    ".entry k() { .reg .b8 a; .reg .f64 b; ret; }",
    ".global .b128 x;",
    ".global .f16 x;",
    ".global .v2 .b32 x;",
    ".global .b32 x[2][3];",
    ".const .b32 x;",
    ".global .b32 x; .global .u64 y = x;",
    ".global .b32 x; .global .u64 y[2] = {x, x+4};",
    ".global .b32 x; .global .u64 y = generic(x);",
    ".global .b32 x; .global .u8 y[2] = {0xff(x), 0xff00(x)};",
    ".func f() { ret; } .global .u64 y = f;",
]
VERSIONS = "1.0 1.1 1.2 1.3 1.4 1.5 2.0 2.1 2.2 2.3 3.0 3.1 3.2 4.0 4.1 4.2 4.3 5.0 6.0 6.1 6.2 6.3 6.4 6.5".split()
VERSIONS += [f"{major}.{minor}" for major in (7, 8, 9) for minor in range(9) if (major, minor) <= (9, 2)]


class Ptxas:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.frame = (ROOT / "src/ptx/forms/frame.ptx").read_text()

    def run(self, statements, target, version, arch):
        """Complaints by statement. A line that breaks the syntax ends a run; the rest goes into the next."""
        head, tail = self.frame.split("//BODY")
        head = head.replace(".version 9.2", f".version {version}").replace("sm_90", target)
        if int(re.search(r"\d+", target)[0]) < 70 and version != "1.0":
            head = re.sub(r".*b128_.*\n", "", head)
        before = head.count("\n")
        found, rest = {}, list(statements)
        while rest:
            handle, path = tempfile.mkstemp(suffix=".ptx", dir=self.folder)
            os.write(handle, (head + "\n".join(rest) + tail).encode())
            os.close(handle)
            command = [self.path, "-arch", arch, "-c", path, "-o", os.devnull]
            done = subprocess.run(command, capture_output=True, text=True)
            os.unlink(path)
            lines, fatal, astray = {}, None, []
            for text in (done.stdout + done.stderr).splitlines():
                match = re.search(r"line (\d+); (error|fatal)\s*: (.*)", text)
                if not match:
                    continue
                # A line of what ptxas expands a statement to, which does not say of which statement.
                if "<builtin>" in text and len(rest) > 1:
                    astray.append(match[2])
                    continue
                at = 0 if "<builtin>" in text else min(int(match[1]) - before - 1, len(rest) - 1)
                if at >= 0:
                    lines.setdefault(at, []).append(match[3])
                    fatal = at if match[2] == "fatal" else fatal
            if "fatal" in astray or not lines and (astray or done.returncode < 0):
                if len(rest) == 1:
                    found[rest[0]] = ["ptxas fails"]
                    return found
                half = len(rest) // 2
                for part in (rest[:half], rest[half:]):
                    found.update(self.run(part, target, version, arch))
                return found
            # Said of the whole module, and only when code is made.
            if "32-Bit ABI" in done.stdout + done.stderr:
                lines[0] = ["32-bit addresses"]
            end = len(rest) if fatal is None else fatal + 1
            for at in range(end):
                found[rest[at]] = lines.get(at, [])
            rest = rest[end:]
        return found

    def batches(self, statements, size, job):
        statements = list(dict.fromkeys(statements))
        parts = [statements[n : n + size] for n in range(0, len(statements), size)]
        found = {}
        with ThreadPoolExecutor(2) as pool:
            for part in pool.map(job, parts):
                found.update(part)
        return found

    def judge(self, statements, place):
        """Complaints by statement, settled."""
        found = self.batches(statements, 100, lambda part: self.run(part, *place))
        # A complaint about another instruction may belong to another line, or to ptxas's own expansion of this one.
        def odd(statement):
            opcode = re.match(r"\w+", statement)[0]
            names = (re.search(r"instruction '(\w+)", why) for why in found[statement])
            return any(name and name[1] != opcode for name in names)

        found.update(self.batches(filter(odd, found), 1, lambda part: self.run(part, *place)))

        def settle(part):
            refused = {}
            while True:
                run = self.run(part, *place)
                bad = {statement: why for statement, why in run.items() if why}
                refused.update(bad)
                part = [statement for statement in part if statement not in bad]
                if not bad or not part:
                    return refused

        good = [statement for statement in found if not found[statement]]
        found.update(self.batches(good, 200, settle))
        return found


def has(target, needed):
    """As `Arch::has` in src/ptx/forms/needs.rs."""
    number, suffix = re.fullmatch(r"(\d+)([af]?)", needed).groups()
    mine, own = re.fullmatch(r"(\d+)([af]?)", target).groups()
    if suffix == "a":
        return target == needed
    same_family = suffix == "" or own != "" and int(mine) // 10 == int(number) // 10
    return same_family and int(mine) >= int(number)


def cover(targets):
    """The fewest words that name these targets."""
    plain = [int(target) for target in targets if target.isdigit()]
    if plain:
        return [] if min(plain) == 10 else [str(min(plain))]
    words, left = [], set(targets)
    for target in sorted(left, key=lambda t: (int(t[:-1]), t[-1] != "f")):
        if target in left and target[-1] == "f":
            words.append(target)
            left -= {other for other in left if has(other, target)}
    return sorted(words + list(left), key=lambda t: int(t[:-1]))


def needs_of(ptxas, statements, taken):
    """What ptxas asks for, as the grammar writes it."""
    low = ptxas.batches(statements, 300, lambda part: ptxas.run(part, "sm_10", "1.0", "compute_75"))
    takers = {statement: [] for statement in statements}
    modes = {"": [s for s in statements if "texmode" not in taken[s][0]]}
    modes[", texmode_independent"] = [s for s in statements if "texmode" in taken[s][0]]
    for mode, part in modes.items():
        for target in TARGETS:
            place = (f"sm_{target}{mode}", "9.2", f"compute_{target}")
            run = ptxas.batches(part, 300, lambda batch: ptxas.run(batch, *place))
            for statement in part:
                if not run[statement]:
                    takers[statement].append(target)
    found = {}
    for statement in statements:
        versions, oldest = [(1, 0)], 10
        for why in low[statement]:
            if match := re.search(r"PTX ISA \.version (\d+)\.(\d+)", why):
                versions.append((int(match[1]), int(match[2])))
            if match := re.search(r"requires \.target (?:sm|compute)_(\d+)", why):
                oldest = max(oldest, int(match[1]))
            # Rounding of f32 came with sm_20, in the version that has `.ftz`.
            if re.search("Illegal rounding modifier|Rounding modifier or", why):
                versions.append((1, 4))
                oldest = max(oldest, 20)
        targets = takers[statement]
        if "75" in targets:
            targets = targets + [target for target in OLDER if int(target) >= oldest]
        version = max(versions)
        words = [] if version == (1, 0) else [f"{version[0]}.{version[1]}"]
        found[statement] = " ".join(words + [f"sm_{target}" for target in cover(targets)])
    return found


def reason(statement, why):
    """Why ptxas refuses what is right by the form."""
    text = " ".join(why)
    if "ptxas fails" in text:
        return "ptxas fails on it"
    if "param::func" in statement:
        return "the frame is a kernel"
    opcode = re.match(r"\w+", statement)[0]
    if any(name not in (opcode, statement.split()[0]) for name in re.findall(r"instruction '(\w+)", text)):
        return "what ptxas makes of it is wrong"
    return "ptxas reads it otherwise"


# Why the reader refuses what ptxas takes, by a pattern of the statement. grammar/README.md says more of each.
UNCHECKED = [
    (r"\[(b16|f64)_1\b", "the register of an address has 32 or 64 bits"),
    (r"^(wg?)?mma\b.*(\{b32_1, b32_2, b32_3, b32_4\}|pred_3|[fu]32_3|, b32_1,)", "metadata and scales are 32-bit registers"),
    (r"^mma\.sp.*, 2;", "the manual has these selectors alone"),
    (r"^mma.*f64.*\{1\}", "a constant is of the type of its fragment"),
    (r"^(su(ld|st|red)|tld4|txq|tex)\b", "every coordinate, value and gradient is there, each of its type"),
    (r"^v(absdiff|add|sub|mad|max|min|set|shl|shr)\b", "a selector names one byte or half, a result is a register"),
    (r"\.(s32|e4m3x4) .*(f16x2_|pred_3)|^movmatrix.*pred_3", "a register holds the type of the instruction"),
    (r"^(st|red)\.async\.((?!\[.*\[).)*$", "completion is told to an mbarrier, or the write releases"),
    (r"\{b32_1, b32_2, b32_3, b32_4\}", "one register, no vector"),
    (r"^atom\.(and|exch)\..*b32_9;", "a policy needs .L2::cache_hint"),
    (r"^mov\.(b16|b128|v[24]\.b16) ", "an address has 32 or 64 bits, a vector comes from a vector"),
    (r"^(isspacep|istypep)\b.* 1;", "the operand is a register"),
    (r"[fu](32|64)_[39];$", "the operand is of its type"),
    (r"^(testp\.f32|vote\.pred) ", "no property is asked for"),
]


def lax(statement):
    return next((why for pattern, why in UNCHECKED if re.search(pattern, statement)), "the manual has no such form")


def install(folder, packages):
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([f"{folder}/bin/pip", "-q", "install", *packages], check=True)
    return str(next(Path(folder).glob("lib/*/site-packages/nvidia/*/bin/ptxas")))


def samples(path):
    if path is None:
        path = tempfile.mkstemp()[1]
        test = ["cargo", "test", "--locked", "--test", "it", "samples_of_the_forms_are_read"]
        subprocess.run(test, cwd=ROOT, env={**os.environ, "W2W_SAMPLES": path}, check=True)
    forms = []
    for line in Path(path).read_text().splitlines():
        if line.startswith("= "):
            forms.append((line[2:], []))
        else:
            forms[-1][1].append(line.split("\t"))
    return forms


def spread(items, most):
    """At most so many, from the whole length."""
    return items if len(items) <= most else [items[n * len(items) // most] for n in range(most)]


def write_old(ptxas, release):
    """Each statement alone: where it is taken, where it is not, and with an operand that never is."""
    rows = []
    for takes, refuses, operand, wrong, statement in OLD:
        opcode, _, operands = statement.partition(" ")
        never = f"{opcode} {operands.replace(operand, wrong, 1)}"
        rows += [(takes, statement), (refuses, statement), (takes, never)]
    lines = [
        f"# ptxas {release}, each statement alone: -arch compute_75 -c, for sm_90 -arch sm_90 -c.",
        "# Recorded by tests/record_verdicts.py --old: verdict; version, target, address size; statement.",
    ]
    for module, statement in rows:
        version, target, size = module.split()
        frame = ptxas.frame.replace(".address_size 64", f".address_size {size}" if size == "32" else ".address_size 64")
        one = Ptxas(ptxas.path, ptxas.folder)
        # What the frame has and an early module does not: nobody is asked about that.
        one.frame = re.sub(r".*(b128_|%p\.|texture_|surface_|function_).*\n", "", frame)
        if size == "64" and int(target[3:]) < 75:
            one.frame = re.sub(r"\.address_size.*\n", "", one.frame)
        run = one.run([statement], target, version, "sm_90" if target == "sm_90" else "compute_75")
        lines.append(f"{'no' if run[statement] else 'ok'}\t{module}\t{statement}")
    (ROOT / "fixtures/ptx/verdicts.old.txt").write_text("\n".join(lines) + "\n")


def early_reason(statement, why):
    """Why a release of 2022 refuses what is right by the form."""
    text = " ".join(why)
    if re.search("requires (PTX ISA|.target)", text):
        return "it asks for a later version or target"
    if re.search("Parsing error|Unknown modifier|Illegal modifier", text) or " _," in statement:
        return "it does not know this yet"
    if re.match("shfl|vote", statement):
        return "processors from sm_70 on have it with .sync; the reader warns"
    if statement.startswith("tex") and "b64_9" in statement:
        return "a sampler of its own is for the independent mode"
    return reason(statement, why)


def write_early(ptxas, release):
    """For each form at most two recorded statements of each verdict that its module has all for."""
    forms = (ROOT / "fixtures/ptx/verdicts.forms.txt").read_text().split("\n= ")[1:]
    lines = [
        f"# ptxas {release}: -arch compute_N -c. Recorded by tests/record_verdicts.py --early, from verdicts.forms.txt:",
        "# verdict; version, target, address size; why ours differs; statement.",
    ]
    for version, target, size, arch in EARLY_MODULES:
        judge = Ptxas(ptxas.path, ptxas.folder)
        frame = judge.frame.replace(".address_size 64", f".address_size {size}")
        absent = "b128_" if int(target[3:]) >= 53 else "b128_|f16x2_"
        judge.frame = "\n".join(line for line in frame.split("\n") if not re.search(absent, line))
        chosen = []
        for form in forms:
            rows = [line.split("\t") for line in form.splitlines()[1:] if not line.startswith("!")]
            right = [(row[1], row[2]) for row in rows if row[0] == "ok"]
            right = [s for needs, s in right if early_enough(needs, version, target) and not re.search(absent, s)]
            refused = [row[-1] for row in rows if row[0] == "no" and not re.search(absent, row[-1])]
            chosen += [("ok", s) for s in spread(right, 2)] + [("no", s) for s in spread(refused, 2 if right else 0)]
        run = judge.judge([s for _, s in chosen], (target, version, arch))
        # The lines of its own expansions are told from ours by nothing; those are asked again alone.
        again = [s for s in run if any("Parsing error" in why for why in run[s])]
        for statement in again:
            run.update(judge.run([statement], target, version, arch))
        for ours, statement in dict.fromkeys(chosen):
            verdict, why = ("no" if run[statement] else "ok"), ""
            if verdict != ours:
                why = lax(statement) if ours == "no" else early_reason(statement, run[statement])
                verdict += " but"
            lines.append(f"{verdict}\t{version} {target} {size}\t{why}\t{statement}")
    (ROOT / "fixtures/ptx/verdicts.early.txt").write_text("\n".join(lines) + "\n")


def early_enough(needs, version, target):
    """Whether a module of this version for this target has what a statement needs."""
    words = needs.split()
    targets = [word[3:] for word in words if word.startswith("sm_")]
    numbers = [tuple(map(int, word.split("."))) for word in words if not word.startswith("sm_")]
    enough = all(number <= tuple(map(int, version.split("."))) for number in numbers)
    return enough and (not targets or any(has(target[3:], needed) for needed in targets))


def write_directives(ptxas, release):
    """The least version and target that take each module."""

    def takes(body, version, target):
        path = f"{ptxas.folder}/directive.ptx"
        Path(path).write_text(f".version {version}\n.target sm_{target}\n{body}\n")
        command = [ptxas.path, "-arch", f"compute_{max(int(target), 75)}", "-c", path, "-o", os.devnull]
        done = subprocess.run(command, capture_output=True, text=True)
        # What is said of the version alone, whatever stands in the module.
        general = "does not support .target|'Compile only|32-Bit ABI|aborted|warning|ABI"
        lines = (done.stdout + done.stderr).splitlines()
        return not any(line for line in lines if not re.search(general, line))

    lines = [
        f"# ptxas {release}: the least version and target that take the module, each with the other at its newest.",
        "# Recorded by tests/record_verdicts.py --directives.",
    ]
    for body in DIRECTIVES:
        versions = [version for version in VERSIONS if takes(body, version, "90")]
        first, last = versions[0], versions[-1]
        target = next(target for target in OLDER + ["75", "80", "86", "89", "90"] if takes(body, last, target))
        words = ([first] if first != "1.0" else []) + ([f"sm_{target}"] if target != "10" else [])
        if last != VERSIONS[-1]:
            words += ["before", VERSIONS[VERSIONS.index(last) + 1]]
        lines.append(f"{' '.join(words)}\t{body}")
    (ROOT / "fixtures/ptx/verdicts.directives.txt").write_text("\n".join(lines) + "\n")


def write(forms, taken, refused, asked, release):
    """The file, a part of the statements of each form."""
    lines, counts, reasons = [], {}, {}
    for form, rows in forms:
        lines.append(f"= {form}")
        sorts = {}
        for sort, ours, needs, statement in rows:
            if len(statement) > LONGEST and sorts:
                continue
            if statement not in taken:
                same = ours == "no"
                why = refused[statement]
                row = f"no\t{statement}" if same else f"no but\t{reason(statement, why)}\t{statement}"
                sorts.setdefault("refused" if same else "other", []).append(row)
            elif ours == "no":
                row = f"ok but\t{lax(statement)}\t{statement}"
                sorts.setdefault("lax", []).append(row)
            elif statement in asked:
                verdict = "ok" if asked[statement] == needs else "ok more"
                sorts.setdefault("right", []).append(f"{verdict}\t{asked[statement]}\t{statement}")
            else:
                sorts.setdefault("right", []).append(f"ok\t{needs}\t{statement}")
        limits = {"right": MOST_RIGHT, "refused": MOST_REFUSED}
        for sort in ("right", "refused", "other", "lax"):
            kept = spread(sorts.get(sort, []), limits.get(sort, MOST_OTHER))
            lines += kept
        # Counted before any are left out.
        for sort, found in sorts.items():
            for row in found:
                verdict = row.split("\t")[0]
                counts[verdict] = counts.get(verdict, 0) + 1
                if verdict.endswith("but"):
                    why = row.split("\t")[1]
                    reasons[verdict, why] = reasons.get((verdict, why), 0) + 1
        if not sorts.get("refused"):
            lines.append("! ptxas takes all neighbours of this form")
        if not any(row.startswith("ok\t") for row in sorts.get("right", [])):
            lines.append("! no target of this ptxas takes this form")
    total = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items()))
    head = [
        f"# ptxas {release}, read and checked only: -arch compute_N -c, N and .version as the statement needs.",
        "# Recorded by tests/record_verdicts.py: verdict, what ptxas asks for or why ours differs, statement.",
        f"# Of {len(forms)} forms these are a part; all statements: {total}.",
    ]
    head += [f"# {number} {verdict}: {why}." for (verdict, why), number in sorted(reasons.items())]
    (ROOT / "fixtures/ptx/verdicts.forms.txt").write_text("\n".join(head + lines) + "\n")
    print(total)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptxas")
    parser.add_argument("--samples")
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--directives", action="store_true")
    parser.add_argument("--early", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.ptxas or install(f"{folder}/ptxas", EARLY if arguments.early else PACKAGES)
        ptxas = Ptxas(path, folder)
        release = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        release = re.search(r"V[\d.]+", release)[0]
        if arguments.old:
            return write_old(ptxas, release)
        if arguments.early:
            return write_early(ptxas, release)
        if arguments.directives:
            return write_directives(ptxas, release)
        forms = samples(arguments.samples)
        every = [statement for _, rows in forms for *_, statement in rows]
        taken, refused = {}, {}
        left = list(dict.fromkeys(every))
        for place in PLACES:
            mode = "texmode" in place[0]
            # Another target helps only where ptxas names this one.
            words = re.compile("target|architecture|expected to be in range")
            named = lambda s: any(words.search(why) for why in refused.get(s, ["target"]))
            part = [s for s in left if s.startswith(("tex", "tld", "txq")) or not mode and named(s)]
            run = ptxas.judge(part, place)
            for statement in part:
                if run[statement]:
                    refused.setdefault(statement, run[statement])
                else:
                    taken[statement] = place
            left = [statement for statement in left if statement not in taken]
        measured = [statement for statement, place in taken.items() if place != PLACES[-1]]
        write(forms, taken, refused, needs_of(ptxas, measured, taken), release)


if __name__ == "__main__":
    main()
