//! Which machine instructions belong to the PTX instruction, and what they do to named bytes.

use super::wrap::{STRIDE_BYTES, Wrapped};
use super::{Bound, Cost, Group, Operands, Step, Unit, Value};
use crate::amd::op::Format;
use crate::amd::{self, Feature, Flags, Inst, Operand, Reg, Target, ops};
use crate::finish::{Code, Line};
use crate::ir::byteperm::ByteSel;
use crate::isel;
use crate::provenance::{Byte, Machine, Word};
use std::collections::BTreeSet;

pub(super) fn group(wrapped: &Wrapped, code: &Code, target: &Target, operands: Operands) -> Group {
    let run = Run::of(wrapped, code, operands);
    let mut lines: Vec<usize> = (0..code.insts.len()).filter(|&n| belongs(wrapped, &code.insts[n])).collect();
    add_constants(code, &mut lines);
    let mut cost = Cost::default();
    let steps: Vec<Step> = lines
        .iter()
        .map(|&n| {
            let inst = &code.insts[n].inst;
            let unit = unit(inst, lines.last().is_some_and(|&last| n < last));
            let words = words(code, n);
            cost.bytes += 4 * words.len() as u32;
            match unit {
                Unit::Vector => cost.vector += 1,
                Unit::Scalar => cost.scalar += 1,
                Unit::Constant => cost.constants += 1,
                Unit::Other => {}
            }
            let gives = run.given[n].as_ref().filter(|word| has_name(word)).map(Word::bytes);
            Step { text: amd::asm::print(inst, target), words, unit, gives }
        })
        .collect();
    let results = results(wrapped, &run);
    let bound = bound(&results);
    let reasons = reasons(wrapped, &results, &steps, bound.as_ref(), target);
    let registers = (0..wrapped.sources.len())
        .map(|n| run.places.iter().find(|(source, _)| *source == n).map(|(_, reg)| reg.to_string()))
        .collect();
    Group { targets: vec![target.name().to_string()], registers, steps, results, cost, bound, reasons }
}

/// Whether a line comes from the instruction; waits belong to the loads around it.
fn belongs(wrapped: &Wrapped, line: &Line) -> bool {
    let inside = !line.span.is_none() && line.span.start >= wrapped.span.start && line.span.end <= wrapped.span.end;
    let name = line.inst.op.name;
    inside && !name.starts_with("s_wait") && !name.starts_with("s_delay")
}

fn is_constant_move(inst: &Inst) -> bool {
    let moves = [ops::s_mov_b32, ops::v_mov_b32, ops::s_mov_b64, ops::s_movk_i32];
    moves.contains(&inst.op) && inst.uses.iter().all(|u| matches!(u, Operand::Imm(_)))
}

/// Constants that the lines read stand further up, under another place of the source.
fn add_constants(code: &Code, lines: &mut Vec<usize>) {
    let Some(&first) = lines.iter().find(|&&n| !is_constant_move(&code.insts[n].inst)) else { return };
    let read: BTreeSet<Reg> = lines
        .iter()
        .flat_map(|&n| &code.insts[n].inst.uses)
        .filter_map(|u| if let Operand::Reg(reg) = u { Some(*reg) } else { None })
        .collect();
    let wanted = |inst: &Inst| is_constant_move(inst) && inst.defs.iter().any(|d| read.iter().any(|r| r.overlaps(*d)));
    lines.extend((0..first).filter(|&n| wanted(&code.insts[n].inst)));
    lines.sort_unstable();
    lines.dedup();
}

/// A constant that is the result itself is an instruction like any other.
fn unit(inst: &Inst, not_last: bool) -> Unit {
    if is_constant_move(inst) && not_last {
        return Unit::Constant;
    }
    let mut formats = inst.op.codes.iter().flatten().map(|code| code.format);
    match formats.next() {
        Some(Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk) => Unit::Scalar,
        Some(Format::Vop1 | Format::Vop2 | Format::Vopc | Format::Vop3 | Format::Vop3sd | Format::Vop3p) => {
            Unit::Vector
        }
        _ => Unit::Other,
    }
}

fn words(code: &Code, n: usize) -> Vec<u32> {
    let start = code.insts[n].offset as usize;
    let end = code.insts.get(n + 1).map_or(code.bytes.len(), |next| next.offset as usize);
    let bytes = code.bytes.get(start..end).unwrap_or(&[]);
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn has_name(word: &Word) -> bool {
    word.bytes().iter().any(|byte| matches!(byte, Byte::Of { .. } | Byte::Sign { .. }))
}

/// The kernel executed over named bits.
struct Run {
    /// What the first def of each line holds.
    given: Vec<Option<Word>>,
    /// Dwords stored, by their offset.
    stored: Vec<(u32, Word)>,
    /// Where sources were loaded to.
    places: Vec<(usize, Reg)>,
}

impl Run {
    fn of(wrapped: &Wrapped, code: &Code, operands: Operands) -> Run {
        let mut machine: Machine<Reg> = Machine::default();
        let mut run = Run { given: vec![None; code.insts.len()], stored: vec![], places: vec![] };
        for (n, line) in code.insts.iter().enumerate() {
            let inst = &line.inst;
            let (load, store) = (inst.op.flags.contains(Flags::LOAD), inst.op.flags.contains(Flags::STORE));
            let memory = match operands {
                Operands::Divergent => load && inst.op.name.starts_with("global"),
                Operands::Uniform => load && inst.op.name.starts_with("s_load"),
            };
            if memory && let Some(&def) = inst.defs.first() {
                for dword in 0..def.dwords {
                    let offset = inst.mods.offset as u32 + 4 * dword as u32;
                    let source = wrapped.sources.iter().position(|source| source.offset_bytes == offset);
                    let reg = def.sub(dword, 1);
                    machine.write(reg, &[source.map_or(Word::UNKNOWN, |source| named(source, inst))]);
                    run.places.extend(source.map(|source| (source, reg)));
                }
            } else if store {
                let data = inst.uses.get(1).map(|&operand| machine.operand(operand)).unwrap_or_default();
                let offset = inst.mods.offset as u32;
                run.stored.extend(data.into_iter().enumerate().map(|(k, word)| (offset + 4 * k as u32, word)));
            } else {
                machine.step(inst);
                run.given[n] = inst.defs.first().and_then(|&def| machine.read(def).first().copied());
            }
        }
        run
    }
}

/// A loaded dword; of a half or byte only what memory has is named.
fn named(source: usize, inst: &Inst) -> Word {
    let word = Word::named(source as u8);
    let bits = if inst.op.name.ends_with("16") { 16 } else { 32 };
    Word(std::array::from_fn(|n| if n < bits { word.0[n] } else { crate::provenance::Bit::Zero }))
}

fn results(wrapped: &Wrapped, run: &Run) -> Vec<Value> {
    let mut out = vec![];
    for (n, (name, dwords)) in wrapped.results.iter().enumerate() {
        for dword in 0..*dwords {
            let offset = n as u32 * STRIDE_BYTES + 4 * dword;
            let word = run.stored.iter().find(|(at, _)| *at == offset).map_or(Word::UNKNOWN, |(_, word)| *word);
            let name = match (dwords, dword) {
                (1, _) => name.clone(),
                (_, 0) => format!("{name}.lo"),
                _ => format!("{name}.hi"),
            };
            out.push(Value { name, bytes: word.bytes() });
        }
    }
    out
}

/// A result as a selection of bytes, if it is one.
fn selection(value: &Value) -> Option<[ByteSel; 4]> {
    let mut sels = [ByteSel::Zero; 4];
    for (sel, byte) in sels.iter_mut().zip(value.bytes) {
        *sel = match byte {
            Byte::Of { source, byte } => ByteSel::Byte(source, byte),
            Byte::Sign { source, byte } => ByteSel::Sign(source, byte),
            Byte::Known(0) => ByteSel::Zero,
            Byte::Known(0xff) => ByteSel::Ones,
            Byte::Known(_) | Byte::Mixed => return None,
        };
    }
    Some(sels)
}

fn bound(results: &[Value]) -> Option<Bound> {
    let [value] = results else { return None };
    let sels = selection(value)?;
    let instructions = isel::byteperm_minimum(sels)?;
    Some(Bound { instructions, by: "by search" })
}

fn reasons(
    wrapped: &Wrapped,
    results: &[Value],
    steps: &[Step],
    bound: Option<&Bound>,
    target: &Target,
) -> Vec<String> {
    let mut out = vec![];
    let even_signs: BTreeSet<String> = results
        .iter()
        .flat_map(|value| value.bytes)
        .filter_map(|byte| match byte {
            Byte::Sign { source, byte } if byte % 2 == 0 => {
                let name = wrapped.sources.get(source as usize).map_or("?", |source| &source.name);
                Some(format!("that of {name}[{}:{}]", 8 * byte + 7, 8 * byte))
            }
            _ => None,
        })
        .collect();
    if !even_signs.is_empty() && bound.is_some_and(|bound| bound.instructions > 1) {
        let list: Vec<String> = even_signs.into_iter().collect();
        let (wanted, moves) = match list.len() {
            1 => ("is", "its byte moves"),
            _ => ("are", "their bytes move"),
        };
        out.push(format!(
            "`v_perm_b32` spreads the sign of bytes 1, 3, 5 and 7 only (selectors 8 to 11); {} {wanted} wanted, so {moves} to an odd \
             place first.",
            list.join(" and ")
        ));
        if list.len() > 2 {
            out.push("A register has two odd places: more than two such signs take two gathers.".into());
        }
    }
    let constants = steps.iter().filter(|step| step.unit == Unit::Constant).count();
    if constants > 0 && !target.has(Feature::Vop3Literal) {
        out.push(
            "A VOP3 instruction takes no literal here, so a selector stands in a register, shared by all uses.".into(),
        );
    } else if constants > 0 {
        out.push(
            "An instruction takes one literal, so a second constant stands in a register, shared by all uses.".into(),
        );
    }
    out
}
