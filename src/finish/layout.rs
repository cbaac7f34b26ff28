//! Distances and bytes: branch offsets, branches too far for SIMM16, addresses of variables.
//!
//! Needs: final order; physical registers; SCC and VCC dead at every branch target (a far branch goes through
//! VCC and clobbers SCC). Spec: the AMD ISA manuals, "Branching": SIMM16 counts dwords from the next instruction.

use super::{Code, Fixup, Line};
use crate::amd::{self, Dwords, EncodeError, Feature, File, Op, Operand, Target, ops};
use crate::diag::{Diag, Span, codes};
use crate::id::{EntityRef, SecondaryMap};
use crate::mir::{Block, Inst, InstKind, MirFunc, Reg};

/// One piece of code whose size is known apart from the reach of branches.
enum Piece {
    Inst {
        inst: amd::Inst,
        dwords: Dwords,
        span: Span,
    },
    /// `op` to a block.
    Branch {
        inst: amd::Inst,
        to: Block,
        form: Form,
        span: Span,
    },
    /// An SGPR pair becomes the address of a variable.
    GlobalAddr {
        dst: amd::Reg,
        global: u32,
        addend: i64,
        span: Span,
    },
}

/// How a branch is written. It only ever gets longer.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Near,
    /// With `s_nop` behind: gfx10.1 branches wrongly by 0x3f.
    Padded,
    /// SIMM16 does not reach.
    Far,
}

pub fn assemble(func: &MirFunc, target: &Target) -> Result<Code, Vec<Diag>> {
    let mut pieces = pieces(func, target)?;
    let sizes = Sizes::new(target);
    let mut lengths = Vec::with_capacity(pieces.len());
    for (_, list) in &pieces {
        lengths.push(list.iter().map(|piece| sizes.of(piece)).collect::<Vec<_>>());
    }
    // Branches only ever grow, so this ends; the first round settles nearly every kernel.
    loop {
        let starts = starts(func, &pieces, &lengths);
        let mut grew = false;
        for (index, (_, list)) in pieces.iter_mut().enumerate() {
            let mut at = starts[func.layout[index]];
            for (piece, length) in list.iter_mut().zip(&mut lengths[index]) {
                if let Piece::Branch { to, form, inst, .. } = piece {
                    let distance = i64::from(starts[*to]) - i64::from(at) - 1;
                    let wanted = match i16::try_from(distance) {
                        Err(_) => Form::Far,
                        Ok(0x3f) if target.has(Feature::BranchOffset3fBug) => Form::Padded,
                        Ok(_) => Form::Near,
                    };
                    if wanted > *form {
                        *form = wanted;
                        *length = sizes.branch(inst.op, wanted);
                        grew = true;
                    }
                }
                at += *length;
            }
        }
        if !grew {
            return write(func, target, pieces, &lengths, &starts, &sizes);
        }
    }
}

fn not_encodable(func: &MirFunc, block: Block, error: EncodeError, span: Span) -> Diag {
    let text = format!("an instruction of `{}` ({block}) has no encoding: {error}", func.name);
    Diag::error(codes::LIMIT, span, text)
}

/// The code block by block; branches to the next block are left out.
fn pieces(func: &MirFunc, target: &Target) -> Result<Vec<(Block, Vec<Piece>)>, Vec<Diag>> {
    let mut out = Vec::with_capacity(func.layout.len());
    for (index, &block) in func.layout.iter().enumerate() {
        let next = func.layout.get(index + 1);
        let insts = &func.blocks[block].insts;
        let mut list = Vec::with_capacity(insts.len());
        for inst in insts {
            list.extend(piece(inst, target).map_err(|e| vec![not_encodable(func, block, e, inst.span)])?);
        }
        while let Some(Piece::Branch { to, .. }) = list.last()
            && Some(to) == next
        {
            list.pop();
        }
        out.push((block, list));
    }
    Ok(out)
}

fn piece(inst: &Inst, target: &Target) -> Result<Option<Piece>, EncodeError> {
    let span = inst.span;
    Ok(match &inst.kind {
        InstKind::Op(op) => {
            let physical = physical(op);
            let label = physical.uses.iter().find_map(|u| match u {
                Operand::Label(block) => Some(Block::new(*block as usize)),
                _ => None,
            });
            Some(match label {
                Some(to) => Piece::Branch { inst: physical, to, form: Form::Near, span },
                None => Piece::Inst { dwords: amd::encode(&physical, target)?, inst: physical, span },
            })
        }
        InstKind::GlobalAddr { dst: Reg::Phys(dst), global, addend } => {
            Some(Piece::GlobalAddr { dst: *dst, global: *global, addend: *addend, span })
        }
        InstKind::Undef { .. } => None,
        other => unreachable!("{other:?} is left after allocation"),
    })
}

/// The instruction over physical registers.
pub(super) fn physical(inst: &amd::Inst<Reg>) -> amd::Inst {
    let reg = |r: Reg| match r {
        Reg::Phys(r) => r,
        Reg::Virt(_) => unreachable!("{r} is left after allocation in {inst:?}"),
    };
    amd::Inst {
        op: inst.op,
        defs: inst.defs.iter().map(|&r| reg(r)).collect(),
        uses: inst
            .uses
            .iter()
            .map(|&o| match o {
                Operand::Reg(r) => Operand::Reg(reg(r)),
                Operand::Imm(i) => Operand::Imm(i),
                Operand::Label(l) => Operand::Label(l),
                Operand::Off => Operand::Off,
            })
            .collect(),
        mods: inst.mods,
    }
}

/// Lengths in dwords.
struct Sizes {
    global_addr: u32,
    far: u32,
}

impl Sizes {
    fn new(target: &Target) -> Sizes {
        let global_addr: u32 = global_addr(amd::Reg::VCC, target).iter().map(|(_, dwords)| dwords).sum();
        // The address of a block is made as that of a variable is, then `s_setpc_b64` (on gfx12 behind a wait for it).
        Sizes { global_addr, far: global_addr + 1 + u32::from(target.has(Feature::SampleCounter)) }
    }

    fn of(&self, piece: &Piece) -> u32 {
        match piece {
            Piece::Inst { dwords, .. } => dwords.len() as u32,
            Piece::Branch { .. } => 1,
            Piece::GlobalAddr { .. } => self.global_addr,
        }
    }

    fn branch(&self, op: Op, form: Form) -> u32 {
        match form {
            Form::Near => 1,
            Form::Padded => 2,
            // A conditional one has the inverted branch around.
            Form::Far => u32::from(inverse(op).is_some()) + self.far,
        }
    }
}

fn starts(func: &MirFunc, pieces: &[(Block, Vec<Piece>)], lengths: &[Vec<u32>]) -> SecondaryMap<Block, u32> {
    let mut starts = SecondaryMap::with_default(0);
    let mut at = 0;
    for (index, _) in pieces.iter().enumerate() {
        starts[func.layout[index]] = at;
        at += lengths[index].iter().sum::<u32>();
    }
    starts
}

/// The branch that is taken when `op` is not.
fn inverse(op: Op) -> Option<Op> {
    const PAIRS: [(Op, Op); 3] = [
        (ops::s_cbranch_scc0, ops::s_cbranch_scc1),
        (ops::s_cbranch_vccz, ops::s_cbranch_vccnz),
        (ops::s_cbranch_execz, ops::s_cbranch_execnz),
    ];
    PAIRS.iter().find_map(|&(a, b)| if a == op { Some(b) } else { (b == op).then_some(a) })
}

/// `s_getpc_b64` and the sum. Variables lie behind the code, by less than 4 GiB and by more than an inline constant can say, so the
/// distance is one literal (left to be patched) and the carry. On gfx12 each half is waited for where it is read (`hazards`).
pub(super) fn global_addr(dst: amd::Reg, target: &Target) -> Vec<(amd::Inst, u32)> {
    let (lo, hi) = (dst.sub(0, 1), dst.sub(1, 1));
    let wait = || {
        let all_but_sa_sdst = Operand::Imm((!1 & amd::asm::depctr_bits(target)).into());
        target.has(Feature::SampleCounter).then(|| (amd::Inst::new(ops::s_wait_alu, [], [all_but_sa_sdst]), 1))
    };
    let mut out = vec![(amd::Inst::new(ops::s_getpc_b64, [dst], []), 1)];
    out.extend(wait());
    if target.has(Feature::GetpcZeroExtends) {
        out.push((amd::Inst::new(ops::s_sext_i32_i16, [hi], [hi.into()]), 1));
    }
    out.push((amd::Inst::new(ops::s_add_co_u32, [lo], [lo.into(), Operand::Imm(0xdead_beef)]), 2));
    out.extend(wait());
    out.push((amd::Inst::new(ops::s_add_co_ci_u32, [hi], [hi.into(), Operand::Imm(0)]), 1));
    out
}

struct Writer<'a> {
    target: &'a Target,
    code: Code,
}

impl Writer<'_> {
    fn offset(&self) -> u32 {
        self.code.bytes.len() as u32
    }

    /// Appends the encoding of an instruction, and lists it (where it may name a label).
    fn push(&mut self, dwords: &[u32], listed: amd::Inst, span: Span) {
        let offset = self.offset();
        for dword in dwords {
            self.code.bytes.extend_from_slice(&dword.to_le_bytes());
        }
        for reg in listed.defs.iter().copied().chain(listed.uses.iter().filter_map(|u| match u {
            Operand::Reg(r) => Some(*r),
            _ => None,
        })) {
            let end = u32::from(reg.index) + u32::from(reg.dwords);
            match reg.file {
                File::Vgpr => self.code.vgprs_used = self.code.vgprs_used.max(end),
                File::Sgpr => self.code.sgprs_used = self.code.sgprs_used.max(end),
                _ => {}
            }
        }
        self.code.insts.push(Line { offset, inst: listed, span });
    }

    fn plain(&mut self, inst: amd::Inst, span: Span) -> Result<(), EncodeError> {
        self.push(&amd::encode(&inst, self.target)?, inst, span);
        Ok(())
    }
}

fn write(
    func: &MirFunc,
    target: &Target,
    pieces: Vec<(Block, Vec<Piece>)>,
    lengths: &[Vec<u32>],
    starts: &SecondaryMap<Block, u32>,
    sizes: &Sizes,
) -> Result<Code, Vec<Diag>> {
    let dwords: u32 = lengths.iter().flatten().sum();
    let code = Code {
        bytes: Vec::with_capacity(4 * dwords as usize),
        fixups: vec![],
        insts: Vec::with_capacity(lengths.iter().map(Vec::len).sum()),
        blocks: Vec::with_capacity(pieces.len()),
        vgprs_used: 0,
        sgprs_used: 0,
    };
    let mut w = Writer { target, code };
    for ((block, list), row) in pieces.into_iter().zip(lengths) {
        w.code.blocks.push((block.index() as u32, w.offset()));
        debug_assert_eq!(w.offset(), starts[block] * 4);
        for (piece, length) in list.into_iter().zip(row) {
            let begin = w.offset();
            let result = match piece {
                Piece::Inst { inst, dwords, span } => {
                    w.push(&dwords, inst, span);
                    Ok(())
                }
                Piece::Branch { inst, to, form, span } => {
                    let result = match form {
                        Form::Near => near_branch(&mut w, inst, starts[to], span),
                        Form::Padded => near_branch(&mut w, inst, starts[to], span)
                            .and_then(|()| w.plain(amd::Inst::new(ops::s_nop, [], [Operand::Imm(0)]), span)),
                        Form::Far => far_branch(&mut w, inst.op, starts[to], sizes.far, span),
                    };
                    result.map_err(|e| (e, span))
                }
                Piece::GlobalAddr { dst, global, addend, span } => {
                    variable_address(&mut w, dst, global, addend, span).map_err(|e| (e, span))
                }
            };
            result.map_err(|(e, span)| vec![not_encodable(func, block, e, span)])?;
            debug_assert_eq!(w.offset() - begin, length * 4);
        }
    }
    // Such a shift needs the VGPR behind its amount to be the wave's too.
    if target.has(Feature::Shift64HighRegBug)
        && w.code.insts.iter().any(|line| shifts_by_last(&line.inst, w.code.vgprs_used))
    {
        w.code.vgprs_used += 1;
    }
    Ok(w.code)
}

/// Whether a 64-bit shift takes its amount from the last VGPR of `vgprs`, the eighth of its block. `Target::max_vgprs` leaves one free.
fn shifts_by_last(inst: &amd::Inst, vgprs: u32) -> bool {
    let shift = [ops::v_lshlrev_b64, ops::v_lshrrev_b64, ops::v_ashrrev_i64].contains(&inst.op);
    let is_last = |r: &amd::Reg| r.file == File::Vgpr && r.index % 8 == 7 && u32::from(r.index) + 1 == vgprs;
    shift && matches!(inst.uses.first(), Some(Operand::Reg(r)) if is_last(r))
}

fn near_branch(w: &mut Writer, inst: amd::Inst, to: u32, span: Span) -> Result<(), EncodeError> {
    let distance = i64::from(to) - i64::from(w.offset() / 4) - 1;
    let mut resolved = inst.clone();
    for operand in &mut resolved.uses {
        if let Operand::Label(_) = operand {
            *operand = Operand::Imm(u64::from(distance as i16 as u16));
        }
    }
    w.push(&amd::encode(&resolved, w.target)?, inst, span);
    Ok(())
}

/// Through VCC, which holds nothing across instructions of ours here; SCC is clobbered where the branch is taken. `far`: dwords of it but the
/// inverted branch around.
fn far_branch(w: &mut Writer, op: Op, to: u32, far: u32, span: Span) -> Result<(), EncodeError> {
    let pair = amd::Reg::VCC;
    if let Some(around) = inverse(op) {
        w.plain(amd::Inst::new(around, [], [Operand::Imm(u64::from(far))]), span)?;
    }
    let mut distance = 0;
    for (mut inst, _) in global_addr(pair, w.target) {
        // More than 63 dwords or less than -16 bytes away, so the low half is a literal and the high half an inline constant.
        let half = match inst.op {
            op if op == ops::s_add_co_u32 => Some(distance & 0xffff_ffff),
            op if op == ops::s_add_co_ci_u32 => Some(distance >> 32),
            _ => None,
        };
        if let (Some(half), Some(constant)) = (half, inst.uses.last_mut()) {
            *constant = Operand::Imm(half);
        }
        let is_getpc = inst.op == ops::s_getpc_b64;
        w.plain(inst, span)?;
        if is_getpc {
            distance = (i64::from(to) * 4 - i64::from(w.offset())) as u64;
        }
    }
    if w.target.has(Feature::SampleCounter) {
        let all_but_sa_sdst = Operand::Imm((!1 & amd::asm::depctr_bits(w.target)).into());
        w.plain(amd::Inst::new(ops::s_wait_alu, [], [all_but_sa_sdst]), span)?;
    }
    w.plain(amd::Inst::new(ops::s_setpc_b64, [], [pair.into()]), span)
}

fn variable_address(w: &mut Writer, dst: amd::Reg, global: u32, addend: i64, span: Span) -> Result<(), EncodeError> {
    let mut pc_offset = 0;
    for (inst, _) in global_addr(dst, w.target) {
        let op = inst.op;
        w.plain(inst, span)?;
        if op == ops::s_getpc_b64 {
            pc_offset = w.offset();
        } else if op == ops::s_add_co_u32 {
            let offset = w.offset() - 4;
            w.code.fixups.push(Fixup { offset, pc_offset, global, addend });
        }
    }
    Ok(())
}
