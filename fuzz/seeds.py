#!/usr/bin/env python3
"""Writes a dictionary and the first inputs of every fuzz target, from the grammar and the fixtures.

    cargo build --release && fuzz/seeds.py target/release/warp2wave
    cargo fuzz run ptx -- -dict=fuzz/ptx.dict
"""
import hashlib
import random
import re
import subprocess
import sys
from pathlib import Path

FUZZ = Path(__file__).resolve().parent
ROOT = FUZZ.parent
TARGETS = ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250", "gfx9-generic"]
WORDS = """.visible .entry .func .reg .param .global .const .shared .local .align .version .target .address_size .ptr .maxntid
.reqntid .extern .weak .branchtargets .callprototype .file .loc .pragma .section %tid.x %r< @%p @!%p { } ; [ ]""".split()
ARGUMENTS = ["out=u32[8]={1,2,3}", "f32:1.5", 'str:"a\\n"', "u8[]=@file", "i64[16]=range:-8:2", "out:f32:3", "bytes:0102 03"]


def put(target, content, name=None):
    folder = FUZZ / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / (name or hashlib.sha1(content).hexdigest())).write_bytes(content)


def dictionary():
    words = set(WORDS)
    for path in (ROOT / "grammar").glob("*.forms"):
        for line in path.read_text().splitlines():
            words.update(re.findall(r"\.[A-Za-z_][\w:]*|\b[a-z][a-z0-9_]{1,20}\b", line.split("#")[0]))
    (FUZZ / "ptx.dict").write_text("".join(f'"{word}"\n' for word in sorted(words)))


def main():
    warp2wave = sys.argv[1]
    dictionary()
    rng = random.Random(1)
    sources = sorted(path for path in (ROOT / "fixtures").rglob("*.ptx") if path.stat().st_size < 12_000)
    for number, path in enumerate(sources):
        content = path.read_bytes()
        for target in ["ptx", "check"] + ["eval"] * (len(content) < 5_000):
            put(target, content)
        if number % 4:
            continue
        family = TARGETS[number // 4 % len(TARGETS)]
        file = FUZZ / "corpus" / "object" / f"{path.stem}.{family}"
        file.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([warp2wave, "translate-file", path, "--target", family, "-o", file], capture_output=True)
        if file.exists():
            text = subprocess.run([warp2wave, "disasm", file], capture_output=True, text=True).stdout
            words = [int(word, 16).to_bytes(4, "little") for word in re.findall(r"(?<= )[0-9A-F]{8}(?= |$)", text, re.M)]
            # The first byte chooses the processor, the second how the code runs.
            for at in range(0, min(len(words), 500), 100):
                put("code", bytes([number % 39, 7]) + b"".join(words[at:at + 100]))
    for argument in ARGUMENTS:
        put("run_arg", argument.encode())
    for target in ["forms", "verify", "control_flow"]:
        for _ in range(20):
            put(target, rng.randbytes(120))


if __name__ == "__main__":
    main()
