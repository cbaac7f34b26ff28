"""The rows of our op tables, read from their source, and the manuals' text of each."""
import importlib
import os
import re
from pathlib import Path

OPS = Path(__file__).resolve().parents[2] / "src/amd/ops"
COLUMNS = ["gfx9", "gfx10", "gfx11", "gfx12"]
# The columns that a recorded manual describes.
MANUALS = {"gfx9": "cdna", "gfx11": "rdna3", "gfx12": "rdna4"}
CLASSES = {"Vop3sd": "VOP3SDOp", "Vop3p": "VOP3POp"}
GFX12_CLASSES = {"Flat": "VFLATOp", "Global": "VGLOBALOp", "Scratch": "VSCRATCHOp"}
ROW = re.compile(r"^    (\w+)\s+\[([^\]]*)\]\s*<-\s*\[([^\]]*)\]\s*\(\s*(\w+)\s+(\w+)\s+(\w+)\s+(\w+)\s*\)\s*"
                 r"Sem::(\w+)(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?(.*);", re.M)


class Row:
    def __init__(self, name, format, defs, uses, codes, sem, argument, rest):
        self.name, self.format, self.sem, self.argument = name, format, sem, argument or ""
        self.defs = [d.strip() for d in defs.split(",") if d.strip()]
        self.uses = [u.strip() for u in uses.split(",") if u.strip()]
        flags = re.search(r"flags\(([^)]*)\)", rest)
        self.flags = set(re.split(r"[ |]+", flags.group(1))) if flags else set()
        needs = re.search(r"needs (\w+)", rest)
        self.needs = needs.group(1) if needs else None
        self.codes = {column: None if code == "_" else (format, int(code, 0)) for column, code in zip(COLUMNS, codes)}
        exceptions = re.search(r"in\(([^)]*)\)", rest)
        words = exceptions.group(1).split() if exceptions else []
        for column, other, number in zip(words[::3], words[1::3], words[2::3]):
            self.codes[column.lower()] = (other, int(number, 0))
        self.aliases = {}
        alias = re.search(r"alias\(([^)]*)\)", rest)
        waiting = []
        for word in alias.group(1).split() if alias else []:
            if word.startswith('"'):
                self.aliases.update({column: word.strip('"') for column in waiting})
                waiting = []
            else:
                waiting.append(word.lower())


def rows():
    found = []
    for path in sorted(OPS.glob("*.rs")):
        text = path.read_text()
        format = re.search(r"^ops! \{ (\w+);", text, re.M)
        if not format:
            continue
        rows_here = [Row(m[1], format[1], m[2], m[3], m.groups()[3:7], m[8], m[9], m[10]) for m in ROW.finditer(text)]
        written = len(re.findall(r"^    \w+\s+\[.*<-", text, re.M))
        assert len(rows_here) == written, f"{path}: {written - len(rows_here)} rows not understood"
        found += rows_here
    return found


class Manual:
    def __init__(self, column):
        module = importlib.import_module(f"tinygrad.runtime.autogen.amd.{MANUALS[column]}.str_pcode")
        self.column = column
        self.by_code, self.by_name = {}, {}
        for op, text in module.PCODE.items():
            self.by_code[type(op).__name__, op.value] = (op.name.lower(), text)
            self.by_name.setdefault(re.sub(r"_e(32|64)$", "", op.name.lower()), text)

    def text(self, row):
        """By number; that the names agree is a check of both."""
        format, number = row.codes[self.column]
        cls = GFX12_CLASSES.get(format) if self.column == "gfx12" else None
        found = self.by_code.get((cls or CLASSES.get(format, format.upper() + "Op"), number))
        if found is None:
            return None
        name = re.sub(r"_e(32|64)$", "", found[0])
        ours = {n.removesuffix("_rtn").removesuffix("_sdst") for n in (row.name, row.aliases.get(self.column, row.name))}
        ours |= {row.name, row.aliases.get(self.column)}
        assert name in ours, f"{row.name} on {self.column} has the number of {name}"
        return found[1]

    def text_of(self, name):
        return self.by_name[name]


def version():
    import importlib.metadata
    return importlib.metadata.version("tinygrad")
