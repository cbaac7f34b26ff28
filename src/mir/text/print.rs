//! Prints machine IR.

use super::{CACHE, ENCODINGS};
use crate::amd::{self, File, Mods, Sdwa};
use crate::mir::{Block, FloatMode, Inst, InstKind, MirFunc, Operand, Part, Reg, RegClass, Terminator};
use std::fmt::Write;

/// The text of a function.
pub fn print(func: &MirFunc) -> String {
    let mut out = String::new();
    let p = Printer { func };
    p.header(&mut out);
    let mut placed = vec![false; func.blocks.len()];
    for &block in &func.layout {
        placed[block.as_u32() as usize] = true;
        p.block(&mut out, block, true);
    }
    for block in func.blocks.keys().filter(|b| !placed[b.as_u32() as usize]) {
        p.block(&mut out, block, false);
    }
    out.push_str("}\n");
    out
}

struct Printer<'a> {
    func: &'a MirFunc,
}

// Writing to a String cannot fail, so the results of `write!` are dropped by `let _`.
impl Printer<'_> {
    fn header(&self, out: &mut String) {
        let f = self.func;
        let _ = write!(out, "func @{}", f.name);
        for (name, value) in [
            ("max_workgroup_items", f.max_workgroup_items),
            ("min_workgroups", f.min_workgroups),
            ("local_bytes", f.local_bytes),
            ("spill_bytes", f.spill_bytes),
            ("lds_bytes", f.lds_bytes),
        ] {
            if value != 0 {
                let _ = write!(out, " {name}={value}");
            }
        }
        out.push_str(" {\n");
        let abi = &f.abi;
        if *abi != Default::default() {
            out.push_str("  abi");
            if abi.dispatch_ptr {
                out.push_str(" dispatch_ptr");
            }
            if abi.kernarg_ptr {
                out.push_str(" kernarg_ptr");
            }
            if let Some(first) = abi.flat_scratch_init {
                let _ = write!(out, " flat_scratch_init={first}");
            }
            let _ = write!(out, " user_sgprs={}", abi.user_sgprs);
            if abi.workgroup_id != [false; 3] {
                out.push_str(" workgroup_id=");
                ["x", "y", "z"].iter().zip(abi.workgroup_id).filter(|d| d.1).for_each(|d| out.push_str(d.0));
            }
            let _ = writeln!(out, " workitem_dims={}", abi.workitem_dims);
        }
        for (name, offset, size) in &abi.hidden_args {
            let _ = writeln!(out, "  hidden {name} {offset} {size}");
        }
        if f.entry.as_u32() != 0 {
            let _ = writeln!(out, "  entry {}", f.entry);
        }
        for (vreg, data) in f.vregs.iter() {
            let class = match data.class {
                RegClass::Vgpr => 'v',
                RegClass::Sgpr => 's',
            };
            let linear = if data.linear { " linear" } else { "" };
            let _ = writeln!(out, "  {vreg}: {class}{}{linear}", data.dwords);
        }
    }

    fn block(&self, out: &mut String, block: Block, placed: bool) {
        let data = &self.func.blocks[block];
        let _ = write!(out, "{block}");
        if !placed {
            out.push_str(" unplaced");
        }
        if !data.logical_succs.is_empty() || !data.linear_succs.is_empty() {
            out.push_str(" ->");
            list(out, " ", data.logical_succs.iter());
        }
        if !data.linear_succs.is_empty() {
            out.push_str(" |");
            list(out, " ", data.linear_succs.iter());
        }
        if data.loop_depth != 0 {
            let _ = write!(out, " depth {}", data.loop_depth);
        }
        out.push_str(":\n");
        for inst in &data.insts {
            out.push_str("  ");
            self.inst(out, inst);
            span(out, inst.span);
        }
        out.push_str("  ");
        self.terminator(out, &data.term);
        span(out, data.term_span);
    }

    fn inst(&self, out: &mut String, inst: &Inst) {
        match &inst.kind {
            InstKind::Op(op) => self.op(out, op),
            InstKind::Copy { dst, src } => {
                let _ = write!(out, "{} = copy {}", self.reg(*dst), self.operand(src));
            }
            InstKind::ParallelCopy(copies) => {
                list(out, "", copies.iter().map(|c| self.reg(c.0)));
                out.push_str(" = parallel_copy");
                list(out, " ", copies.iter().map(|c| self.operand(&c.1)));
            }
            InstKind::MaskMerge { dst, src, scratch } => {
                let (dst, src, scratch) = (self.reg(*dst), self.operand(src), self.reg(*scratch));
                let _ = write!(out, "{dst} = mask_merge {src}, {scratch}");
            }
            InstKind::GlobalAddr { dst, global, addend } => {
                let _ = write!(out, "{} = global_addr {global}, {addend}", self.reg(*dst));
            }
            InstKind::Spill { slot, src } => {
                let _ = write!(out, "spill {slot}, {}", self.reg(*src));
            }
            InstKind::Reload { dst, slot } => {
                let _ = write!(out, "{} = reload {slot}", self.reg(*dst));
            }
            InstKind::Undef { dst } => {
                let _ = write!(out, "{} = undef", self.reg(*dst));
            }
            InstKind::LiveLanes { dst } => {
                let _ = write!(out, "{} = live_lanes", self.reg(*dst));
            }
        }
        if inst.float_mode != FloatMode::default() {
            let FloatMode { round_f32, round_f64, ftz_f32 } = inst.float_mode;
            let ftz = if ftz_f32 { ",ftz" } else { "" };
            let _ = write!(out, " mode:{round_f32},{round_f64}{ftz}");
        }
    }

    fn op(&self, out: &mut String, inst: &amd::Inst<Reg>) {
        out.push_str(inst.op.name);
        let operands = inst.defs.iter().map(|&r| self.reg(r)).chain(inst.uses.iter().map(|o| self.operand(o)));
        list(out, " ", operands);
        mods(out, &inst.mods, &inst.op.default_mods());
    }

    fn terminator(&self, out: &mut String, term: &Terminator) {
        let _ = match term {
            Terminator::Jump(b) => write!(out, "jump {b}"),
            Terminator::BranchScc { then, els } => write!(out, "branch_scc {then}, {els}"),
            Terminator::BranchMask { mask, uniform, then, els } => {
                let uniform = if *uniform { " uniform" } else { "" };
                write!(out, "branch_mask {}, {then}, {els}{uniform}", self.reg(*mask))
            }
            Terminator::Switch { index, targets } => {
                let _ = write!(out, "switch {}", self.reg(*index));
                targets.iter().try_for_each(|t| write!(out, ", {t}"))
            }
            Terminator::Exit => write!(out, "exit"),
            Terminator::Trap => write!(out, "trap"),
            Terminator::Wait { mask, next } => write!(out, "wait {}, {next}", self.reg(*mask)),
            Terminator::Barrier { whole, next } => {
                write!(out, "barrier {next}{}", if *whole { " whole" } else { "" })
            }
            Terminator::Linear => write!(out, "linear"),
        };
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Reg(r) => self.reg(*r),
            Operand::Imm(v) if *v < 0x10000 => v.to_string(),
            Operand::Imm(v) => format!("{v:#x}"),
            Operand::Label(l) => format!("bb{l}"),
            Operand::Off => "off".to_string(),
        }
    }

    fn reg(&self, reg: Reg) -> String {
        match reg {
            Reg::Virt(Part { vreg, first: 0, dwords }) if self.func.vregs[vreg].dwords == dwords => vreg.to_string(),
            Reg::Virt(_) => reg.to_string(),
            Reg::Phys(r) => phys(r),
        }
    }
}

/// A physical register: as the assembler prints it, with a range where the name alone does not say the size.
fn phys(r: amd::Reg) -> String {
    let natural = match r.file {
        File::M0 | File::Null | File::Scc => 1,
        File::SharedBase | File::SharedLimit | File::PrivateBase | File::PrivateLimit | File::FlatScratchBase => 2,
        File::Vgpr | File::Agpr | File::Sgpr | File::Ttmp => return r.to_string(),
        File::Vcc | File::Exec | File::FlatScratch | File::XnackMask => return r.to_string(),
    };
    if r.index == 0 && r.dwords == natural {
        return r.to_string();
    }
    format!("{r}[{}:{}]", r.index, r.index + r.dwords as u16 - 1)
}

fn mods(out: &mut String, mods: &Mods, default: &Mods) {
    if let Some((_, name)) = ENCODINGS.iter().find(|e| e.0 == mods.encoding) {
        let _ = write!(out, " {name}");
    }
    let signed = |out: &mut String, name: &str, value: i32, default: i32| {
        if value != default {
            let _ = write!(out, " {name}:{value}");
        }
    };
    signed(out, "offset", mods.offset, default.offset);
    signed(out, "offset0", mods.offset0.into(), default.offset0.into());
    signed(out, "offset1", mods.offset1.into(), default.offset1.into());
    for (flag, name) in CACHE {
        if mods.cache.contains(*flag) {
            let _ = write!(out, " {name}");
        }
    }
    signed(out, "neg", mods.neg.into(), default.neg.into());
    signed(out, "abs", mods.abs.into(), default.abs.into());
    if mods.clamp {
        out.push_str(" clamp");
    }
    signed(out, "omod", mods.omod.into(), default.omod.into());
    signed(out, "op_sel", mods.op_sel.into(), default.op_sel.into());
    signed(out, "op_sel_hi", mods.op_sel_hi.into(), default.op_sel_hi.into());
    if let Some(dpp) = mods.dpp {
        let _ = write!(out, " dpp:{},{},{}", dpp.ctrl, dpp.row_mask, dpp.bank_mask);
        out.push_str(if dpp.bound_ctrl { ",bound_ctrl" } else { "" });
        out.push_str(if dpp.fetch_inactive { ",fi" } else { "" });
    }
    if let Some(Sdwa { dst, unused, src, sext }) = mods.sdwa {
        let _ = write!(out, " parts:{},{},{},{},{sext}", dst as u8, unused as u8, src[0] as u8, src[1] as u8);
    }
}

fn span(out: &mut String, span: crate::diag::Span) {
    if !span.is_none() {
        let _ = write!(out, " @{}..{}", span.start, span.end);
    }
    out.push('\n');
}

/// The items with commas between, `lead` before the first.
fn list(out: &mut String, lead: &str, items: impl Iterator<Item = impl std::fmt::Display>) {
    for (i, item) in items.enumerate() {
        let _ = write!(out, "{}{item}", if i == 0 { lead } else { ", " });
    }
}
