//! The same proof over the bytes of finished code: registers are assigned, forms are shortened, and what is executed is decoded
//! from the code object. One selector of every class on every family, each with its bytes as a snapshot, which llvm-mc judges line by line.

use super::*;
use crate::mc;
use std::collections::BTreeSet;
use std::fmt::Write;
use warp2wave::amd::Inst;
use warp2wave::{Options, object, translate};

/// A selector for each class: what decides the sequence, and what it is called.
const CLASSES: &[(&str, &str)] = &[
    ("identity", "prmt.b32 %d, %a, %b, 0x3210;"),
    ("the other operand", "prmt.b32 %d, %a, %b, 0x7654;"),
    ("bytes of both", "prmt.b32 %d, %a, %b, 0x5140;"),
    ("byte swap", "prmt.b32 %d, %a, %b, 0x0123;"),
    ("rotation by a byte", "prmt.b32 %d, %a, %a, 0x2103;"),
    ("window of both", "prmt.b32 %d, %a, %b, 0x5432;"),
    ("one byte everywhere", "prmt.b32 %d, %a, %b, 0x2222;"),
    ("sign of an odd byte", "prmt.b32 %d, %a, %b, 0x9991;"),
    ("signs of odd bytes of both", "prmt.b32 %d, %a, %b, 0xfb91;"),
    ("field with the sign of an even byte", "prmt.b32 %d, %a, %b, 0x8880;"),
    ("sign of byte 2 as a field", "prmt.b32 %d, %a, %b, 0xaaa2;"),
    ("sign of an even byte everywhere", "prmt.b32 %d, %a, %b, 0x8888;"),
    ("one even sign beside bytes", "prmt.b32 %d, %a, %b, 0x9a41;"),
    ("one even sign, bytes of both", "prmt.b32 %d, %a, %b, 0x87a5;"),
    ("two even signs of one", "prmt.b32 %d, %a, %b, 0xa8a8;"),
    ("two even signs of both", "prmt.b32 %d, %a, %b, 0xc8b1;"),
    ("three even signs", "prmt.b32 %d, %a, %b, 0xca81;"),
    ("four even signs", "prmt.b32 %d, %a, %b, 0xeca8;"),
    ("zero extension of a byte", "prmt.b32 %d, %a, 0, 0x4440;"),
    ("zero extension of a half", "prmt.b32 %d, %a, 0, 0x4432;"),
    ("bytes between zeros", "prmt.b32 %d, %a, 0, 0x4140;"),
    ("bytes under ones", "prmt.b32 %d, %a, -1, 0x4240;"),
    ("bytes under a constant", "prmt.b32 %d, %a, 0x64006400, 0x7150;"),
    ("register, generic", "prmt.b32 %d, %a, %b, %c;"),
    ("register, f4e", "prmt.b32.f4e %d, %a, %b, %c;"),
    ("register, b4e", "prmt.b32.b4e %d, %a, %b, %c;"),
    ("register, rc8", "prmt.b32.rc8 %d, %a, %b, %c;"),
    ("register, ecl", "prmt.b32.ecl %d, %a, %b, %c;"),
    ("register, ecr", "prmt.b32.ecr %d, %a, %b, %c;"),
    ("register, rc16", "prmt.b32.rc16 %d, %a, %b, %c;"),
];

/// The decoded kernel of a code object, with the dwords of each instruction.
fn decoded(text: &str, id: &str) -> Vec<(Inst, Vec<u32>)> {
    let target = Target::parse(id).expect("a processor");
    let bytes = translate(text, &Options::new(target.clone())).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let read = object::read(bytes.bytes()).expect("our own object");
    let kernel = &read.kernels[0];
    let code = read.image(kernel.entry_address, kernel.code_bytes).expect("the code is in the file");
    let words: Vec<u32> = code.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let (mut at, mut out) = (0, vec![]);
    while at < words.len() {
        let (inst, dwords) = amd::decode(&words[at..], &target).expect("our own code");
        out.push((inst, words[at..at + dwords].to_vec()));
        at += dwords;
    }
    out
}

/// What the kernel stores first, and the instructions between the loads and the store through which the loaded words flow.
fn traced(code: &[(Inst, Vec<u32>)], inputs: &[Word]) -> (Word, Vec<usize>) {
    let mut machine: Machine<amd::Reg> = Machine::default();
    let (mut out, mut lines, mut data) = (Word::UNKNOWN, vec![], BTreeSet::new());
    for (n, (inst, _)) in code.iter().enumerate() {
        let op = inst.op;
        if op.flags.contains(amd::Flags::LOAD) && op.name.starts_with("global") {
            let from = inst.mods.offset as usize / 4;
            let def = inst.defs[0];
            machine.write(def, &inputs[from..from + def.dwords as usize]);
            data.extend((0..def.dwords).map(|n| def.sub(n, 1)));
        } else if op.flags.contains(amd::Flags::STORE) {
            out = machine.operand(inst.uses[1])[0];
        } else {
            if inst.uses.iter().any(|operand| matches!(operand, amd::Operand::Reg(reg) if data.contains(reg))) {
                lines.push(n);
                data.extend(&inst.defs);
            }
            machine.step(inst);
        }
    }
    (out, lines)
}

/// Constants in registers that the lines read, in front of them.
fn with_constants(code: &[(Inst, Vec<u32>)], lines: &[usize]) -> Vec<usize> {
    let mut wanted: BTreeSet<amd::Reg> = BTreeSet::new();
    for &n in lines {
        for operand in &code[n].0.uses {
            if let amd::Operand::Reg(reg) = operand {
                wanted.insert(*reg);
            }
        }
    }
    let first = lines.first().copied().unwrap_or(0);
    let constant = |n: &usize| {
        let (inst, _) = &code[*n];
        matches!(inst.op.name, "s_mov_b32" | "v_mov_b32" | "s_movk_i32")
            && inst.uses.iter().all(|u| matches!(u, amd::Operand::Imm(_)))
            && inst.defs.iter().all(|def| wanted.contains(def))
    };
    let last = lines.last().copied().unwrap_or(first);
    let mut all: BTreeSet<usize> = (0..last).filter(constant).collect();
    all.extend(lines);
    all.into_iter().collect()
}

#[test]
fn selector_classes_as_bytes() {
    let mut sections: Vec<(Vec<&str>, String)> = vec![];
    for id in FAMILIES {
        let target = Target::parse(id).expect("a processor");
        let mut text = String::new();
        let mut judged: Vec<(String, Vec<u32>)> = vec![];
        for (class, line) in CLASSES {
            let mut program = Program::new();
            program.line(line);
            let source = format!("{}    ret;\n}}\n", program.text);
            let code = decoded(&source, id);
            let (_, lines) = traced(&code, &[0, 1, 2].map(Word::named));
            let _ = writeln!(text, "{line} ; {class}");
            for n in with_constants(&code, &lines) {
                let (inst, words) = &code[n];
                let hex: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
                let spelled = amd::asm::print(inst, &target);
                let _ = writeln!(text, "    {:<27} {spelled}", hex.join(" "));
                judged.push((spelled, words.clone()));
            }
        }
        if mc::judge::present() {
            let texts: Vec<&str> = judged.iter().map(|(text, _)| &text[..]).collect();
            for ((text, words), theirs) in judged.iter().zip(mc::assemble(&target, &texts)) {
                assert_eq!(theirs.as_ref(), Ok(words), "{text} on {id}: ours on the right");
            }
        }
        match sections.iter_mut().find(|(_, known)| *known == text) {
            Some((ids, _)) => ids.push(id),
            None => sections.push((vec![id], text)),
        }
    }
    for (ids, text) in sections {
        insta::assert_snapshot!(format!("byteperm_{}", ids.join("_")), text);
    }
}

/// Constants are the classes' own; a register selector takes each value that counts.
#[test]
fn selector_classes_are_right_as_bytes() {
    let [a, b, _] = [0, 1, 2].map(Word::named);
    for id in FAMILIES {
        for (class, line) in CLASSES {
            let mut program = Program::new();
            program.line(line);
            let code = decoded(&format!("{}    ret;\n}}\n", program.text), id);
            let (mode, operands) = line.split_once(" %d, ").expect("prmt");
            let mode = mode.strip_prefix("prmt.b32").expect("prmt").trim_start_matches('.');
            let operands: Vec<&str> = operands.trim_end_matches(';').split(", ").collect();
            let word = |text: &str| match text {
                "%a" => a,
                "%b" => b,
                number => Word::constant(number_of(number)),
            };
            let selectors: Vec<u32> = match (operands[2], mode) {
                ("%c", "") => (0..0x1_0000).step_by(0x357).chain([0xffff, 0x8ace, 0xeca8]).collect(),
                ("%c", _) => (0..4).collect(),
                (number, _) => vec![number_of(number)],
            };
            for selector in selectors {
                let c = Word::named(2);
                let count = if mode.is_empty() { 16 } else { 2 };
                let c =
                    Word(std::array::from_fn(|n| if n < count { Bit::known(selector >> n & 1 == 1) } else { c.0[n] }));
                let want = expected(rule(mode, selector), &word(operands[0]), &word(operands[1]));
                let (got, _) = traced(&code, &[a, b, c]);
                assert!(got == want, "{class} by {selector:#x} on {id} is {got:?}, not {want:?}");
            }
        }
    }
}

fn number_of(text: &str) -> u32 {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).expect("a number"),
        None => text.parse::<i32>().expect("a number") as u32,
    }
}
