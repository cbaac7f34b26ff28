//! Lifts what moves whole bytes into byte permutes, and composes permutes.
//!
//! Every value has a *view*: for each of its bytes, the byte of an earlier value that it is, that byte's sign, zero or
//! ones. Shifts and funnel shifts by whole bytes, masks of whole bytes, `or`, `xor` and `add` of values with no byte in
//! common, bit fields on byte edges, selects by byte masks and `lop3` of such all keep the view exact, in 32 and in 64
//! bits. An op that sees through at least one other op, and whose dwords come from at most two dwords each, becomes one
//! permute of those.
//!
//! Accesses to several bytes or shorts become accesses to their dwords, with a permute for each element loaded and one for each dword
//! stored, so that these compose too: pixels as `uchar4` move like words.
//!
//! Leaves: the bypassed ops without users (`dce`). A single shift or mask stays what it is.

use crate::diag::Span;
use crate::id::EntityRef;
use crate::ir::byteperm::ByteSel;
use crate::ir::{Func, Inst, IntOp, Mem, Op, Terminator, Type, UnaryOp, Value, Width};
use smallvec::SmallVec;

/// One byte of a value; byte numbers of 64-bit values go to 7.
type Src = ByteSel<Value>;

/// Bytes 4 to 7 are unused in views of dwords.
type View = [Src; 8];

pub fn run(func: &mut Func) {
    let count = func.values.len();
    let mut pass = Pass { view_of: vec![None; count], views: Vec::new(), forward: vec![None; count], func };
    for block in pass.func.order.clone() {
        let insts = std::mem::take(&mut pass.func.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            pass.inst(inst, &mut out);
        }
        pass.func.blocks[block].insts = out;
    }
    for block in pass.func.order.clone() {
        let mut term = std::mem::take(&mut pass.func.blocks[block].term);
        match &mut term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => {
                *value = pass.resolve(*value);
            }
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in term.edges_mut() {
            for arg in &mut edge.args {
                *arg = pass.resolve(*arg);
            }
        }
        pass.func.blocks[block].term = term;
    }
}

struct Pass<'f> {
    func: &'f mut Func,
    /// Views by number, of the values that have one which is not themselves.
    view_of: Vec<Option<u32>>,
    views: Vec<View>,
    forward: Vec<Option<Value>>,
}

impl Pass<'_> {
    fn inst(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let mut args = std::mem::take(&mut self.func.insts[inst].args);
        for arg in &mut args {
            *arg = self.resolve(*arg);
        }
        self.func.insts[inst].args = args;
        match self.func.insts[inst].op {
            Op::Load(mem) if mem.bytes < 4 && mem.count > 1 => return self.split_load(inst, mem, out),
            Op::Store(mem) if mem.bytes < 4 && mem.count > 1 => return self.join_store(inst, mem, out),
            _ => {}
        }
        let Some(view) = self.view_of_inst(inst) else {
            out.push(inst);
            return;
        };
        let result = self.func.result(inst);
        if self.sees_through(inst)
            && let Some(value) =
                self.materialise(self.most_sources(inst), &view, self.func.ty(result), self.func.spans[inst], out)
        {
            self.forward[result.index()] = Some(value);
            return;
        }
        self.set_view(result, view);
        out.push(inst);
    }

    /// Elements of a dword or less together, then each from its dword.
    fn split_load(&mut self, inst: Inst, mem: Mem, out: &mut Vec<Inst>) {
        let span = self.func.spans[inst];
        let (address, results) = (self.func.insts[inst].args.clone(), self.func.insts[inst].results.clone());
        let load = self.make(Op::Load(in_dwords(mem)), &address, span);
        out.push(load);
        let dwords = self.func.insts[load].results.clone();
        for (n, result) in results.into_iter().enumerate() {
            let at = n as u8 * mem.bytes;
            let last = ByteSel::Byte(0, (at + mem.bytes - 1) & 3);
            let above = if mem.signed { last.sign() } else { ByteSel::Zero };
            let sels = std::array::from_fn(|byte| {
                let byte = byte as u8;
                if byte < mem.bytes { ByteSel::Byte(0, (at & 3) + byte) } else { above }
            });
            let part = self.make(Op::BytePerm(sels), &[dwords[at as usize / 4]], span);
            self.inst(part, out);
            self.forward[result.index()] = Some(self.resolve(self.func.result(part)));
        }
    }

    /// The elements of each dword side by side, then stored together. Bytes behind the last element are not.
    fn join_store(&mut self, inst: Inst, mem: Mem, out: &mut Vec<Inst>) {
        let span = self.func.spans[inst];
        let args = self.func.insts[inst].args.clone();
        let (address, elements) = args.split_at(args.len() - mem.count as usize);
        let mut joined: SmallVec<[Value; 4]> = SmallVec::from_slice(address);
        for elements in elements.chunks((4 / mem.bytes) as usize) {
            let sels = std::array::from_fn(|byte| {
                let (element, within) = (byte as u8 / mem.bytes, byte as u8 % mem.bytes);
                if (element as usize) < elements.len() { ByteSel::Byte(element, within) } else { ByteSel::Zero }
            });
            let dword = self.make(Op::BytePerm(sels), elements, span);
            self.inst(dword, out);
            joined.push(self.resolve(self.func.result(dword)));
        }
        let data = &mut self.func.insts[inst];
        data.op = Op::Store(in_dwords(mem));
        data.args = joined.into_iter().collect();
        out.push(inst);
    }

    fn resolve(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(next) = self.forward[value.index()] {
            value = next;
        }
        value
    }

    fn set_view(&mut self, value: Value, view: View) {
        self.view_of[value.index()] = Some(self.views.len() as u32);
        self.views.push(view);
    }

    /// The bytes of a value: its view, or its own.
    fn view(&self, value: Value) -> View {
        if let Some(n) = self.view_of[value.index()] {
            return self.views[n as usize];
        }
        let loaded = self.loaded_bytes(value);
        std::array::from_fn(|n| match loaded {
            Some((bytes, true)) if n >= bytes as usize => Src::Sign(value, bytes - 1),
            Some((bytes, false)) if n >= bytes as usize => Src::Zero,
            _ => Src::Byte(value, n as u8).folded(|value| self.constant(value)),
        })
    }

    /// How many bytes of a value a load fills, when they are less than a dword, and whether their sign is above them.
    fn loaded_bytes(&self, value: Value) -> Option<(u8, bool)> {
        match self.func.def(value)?.0.op {
            Op::Load(mem) if mem.bytes < 4 => Some((mem.bytes, mem.signed)),
            _ => None,
        }
    }

    fn constant(&self, value: Value) -> Option<u64> {
        match self.func.def(value)?.0.op {
            Op::Const32(v) => Some(u64::from(v)),
            Op::Const64(v) => Some(v),
            _ => None,
        }
    }

    /// Whether an argument's bytes are those of other values. A mere half or pair of dwords is nothing to see through.
    fn sees_through(&self, inst: Inst) -> bool {
        let data = &self.func.insts[inst];
        if matches!(data.op, Op::Pack64 | Op::Lo | Op::Hi) {
            return false;
        }
        data.args.iter().any(|&arg| {
            self.view_of[arg.index()].is_some()
                && self.func.def(arg).is_some_and(|(def, _)| !matches!(def.op, Op::Pack64 | Op::Lo | Op::Hi))
        })
    }

    /// The bytes of an instruction's result, if each is a byte of something.
    fn view_of_inst(&self, inst: Inst) -> Option<View> {
        let data = &self.func.insts[inst];
        let args = &data.args;
        let view = |n: usize| self.view(args[n]);
        let constant = |n: usize| self.constant(args[n]);
        let mut out = [Src::Zero; 8];
        match data.op {
            Op::BytePerm(sels) => {
                for (byte, sel) in out.iter_mut().zip(sels) {
                    *byte = sel.compose(|source, b| view(source as usize)[b as usize]);
                }
            }
            Op::Lo => out[..4].copy_from_slice(&view(0)[..4]),
            Op::Hi => out[..4].copy_from_slice(&view(0)[4..]),
            Op::Pack64 => {
                out[..4].copy_from_slice(&view(0)[..4]);
                out[4..].copy_from_slice(&view(1)[..4]);
            }
            Op::Int(op @ (IntOp::Shl | IntOp::ShrU | IntOp::ShrS), width) => {
                let size = width.bits() as usize / 8;
                let bits = constant(1)? as usize & (width.bits() as usize - 1);
                if !bits.is_multiple_of(8) {
                    return None;
                }
                let (a, by) = (view(0), bits / 8);
                let fill = if op == IntOp::ShrS { a[size - 1].sign() } else { Src::Zero };
                for n in 0..size {
                    out[n] = match op {
                        IntOp::Shl if n < by => Src::Zero,
                        IntOp::Shl => a[n - by],
                        _ if n + by < size => a[n + by],
                        _ => fill,
                    };
                }
            }
            Op::Int(op @ (IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Add), width) => {
                let (a, b) = (view(0), view(1));
                for n in 0..width.bits() as usize / 8 {
                    out[n] = bytewise(op, a[n], b[n])?;
                }
            }
            Op::FunnelShr => {
                let bits = constant(2)? as usize & 31;
                if !bits.is_multiple_of(8) {
                    return None;
                }
                let (high, low) = (view(0), view(1));
                for (n, byte) in out.iter_mut().enumerate().take(4) {
                    let at = n + bits / 8;
                    *byte = if at < 4 { low[at] } else { high[at - 4] };
                }
            }
            Op::Bfe { signed } => {
                let (pos, len) = (constant(1)? as usize & 31, constant(2)? as usize & 31);
                if pos % 8 != 0 || len % 8 != 0 || len == 0 || pos + len > 32 {
                    return None;
                }
                let (a, pos, len) = (view(0), pos / 8, len / 8);
                let fill = if signed { a[pos + len - 1].sign() } else { Src::Zero };
                for (n, byte) in out.iter_mut().enumerate().take(4) {
                    *byte = if n < len { a[pos + n] } else { fill };
                }
            }
            Op::BitSelect => {
                let (mask, a, b) = (view(0), view(1), view(2));
                for n in 0..4 {
                    out[n] = mask[n].select(a[n], b[n])?;
                }
            }
            Op::Lop3(table) => {
                let (a, b, c) = (view(0), view(1), view(2));
                for n in 0..4 {
                    out[n] = a[n].lop3(table, b[n], c[n])?;
                }
            }
            Op::Unary(UnaryOp::Not, Width::W32) => {
                for (byte, a) in out.iter_mut().zip(view(0)).take(4) {
                    *byte = a.inverted()?;
                }
            }
            _ => return None,
        }
        Some(out)
    }

    /// Dwords that a permute in place of an instruction may read: two, or as many as it reads itself.
    fn most_sources(&self, inst: Inst) -> usize {
        let data = &self.func.insts[inst];
        if matches!(data.op, Op::BytePerm(_)) { data.args.len().max(2) } else { 2 }
    }

    /// A value with these bytes, if no more dwords than that make up each of its dwords.
    fn materialise(&mut self, most: usize, view: &View, ty: Type, span: Span, out: &mut Vec<Inst>) -> Option<Value> {
        if ty == Type::B32 {
            let plan = plan(&view[..4], most)?;
            return Some(self.dword(plan, span, out));
        }
        let (low, high) = (plan(&view[..4], most)?, plan(&view[4..], most)?);
        let (low, high) = (self.dword(low, span, out), self.dword(high, span, out));
        let value = self.push(Op::Pack64, &[low, high], span, out);
        self.set_view(value, *view);
        Some(value)
    }

    fn dword(&mut self, plan: Plan, span: Span, out: &mut Vec<Inst>) -> Value {
        let mut args: SmallVec<[Value; 4]> = SmallVec::new();
        for &(value, high) in &plan.sources {
            args.push(if self.func.ty(value) == Type::B32 {
                value
            } else {
                self.push(if high { Op::Hi } else { Op::Lo }, &[value], span, out)
            });
        }
        if let [(source, false)] = plan.sources[..]
            && self.func.ty(source) == Type::B32
            && self.is_itself(source, plan.sels)
        {
            return source;
        }
        if plan.sels == ByteSel::IDENTITY {
            return args[0];
        }
        let value = if args.is_empty() {
            self.push(Op::Const32(u32::from_le_bytes(plan.sels.map(|sel| sel.eval(&[])))), &[], span, out)
        } else {
            self.push(Op::BytePerm(plan.sels), &args, span, out)
        };
        let mut view = [Src::Zero; 8];
        for (byte, sel) in view.iter_mut().zip(plan.sels) {
            let of = |source: u8, b: u8| {
                let (value, high) = plan.sources[source as usize];
                (value, b + if high { 4 } else { 0 })
            };
            *byte = sel.compose(|source, b| {
                let (value, b) = of(source, b);
                Src::Byte(value, b)
            });
        }
        self.set_view(value, view);
        value
    }

    /// Whether a selection of one dword is what that dword holds anyway.
    fn is_itself(&self, source: Value, sels: [ByteSel; 4]) -> bool {
        let own = self.view(source);
        sels.iter().zip(own).all(|(&sel, own)| match sel {
            ByteSel::Byte(_, byte) => own == Src::Byte(source, byte),
            ByteSel::Sign(_, byte) => own == Src::Sign(source, byte),
            ByteSel::Zero => own == Src::Zero,
            ByteSel::Ones => own == Src::Ones,
        })
    }

    fn push(&mut self, op: Op, args: &[Value], span: Span, out: &mut Vec<Inst>) -> Value {
        let inst = self.make(op, args, span);
        out.push(inst);
        self.func.result(inst)
    }

    fn make(&mut self, op: Op, args: &[Value], span: Span) -> Inst {
        let inst = self.func.make(op, args.iter().copied(), span);
        let count = self.func.values.len();
        self.view_of.resize(count, None);
        self.forward.resize(count, None);
        inst
    }
}

/// The same bytes as one element of a short, or as dwords.
fn in_dwords(mem: Mem) -> Mem {
    match mem.bytes * mem.count {
        total @ 0..4 => Mem { bytes: total, count: 1, signed: false, ..mem },
        total => Mem { bytes: 4, count: total / 4, signed: false, ..mem },
    }
}

/// One byte of a bitwise op, or of a sum without carries.
fn bytewise(op: IntOp, a: Src, b: Src) -> Option<Src> {
    match op {
        IntOp::And => a.and(b),
        IntOp::Or => a.or(b),
        IntOp::Xor => a.xor(b),
        IntOp::Add => a.plus(b),
        _ => None,
    }
}

/// A dword as a permute.
struct Plan {
    sels: [ByteSel; 4],
    /// Values, and whether their high dword is meant.
    sources: SmallVec<[(Value, bool); 4]>,
}

fn plan(bytes: &[Src], most: usize) -> Option<Plan> {
    let mut sels = [ByteSel::Zero; 4];
    let mut sources: SmallVec<[(Value, bool); 4]> = SmallVec::new();
    for (sel, &src) in sels.iter_mut().zip(bytes) {
        *sel = src.compose(|value, byte| {
            let key = (value, byte >= 4);
            let n = sources.iter().position(|&s| s == key).unwrap_or_else(|| {
                sources.push(key);
                sources.len() - 1
            });
            ByteSel::Byte(n as u8, byte & 3)
        });
    }
    (sources.len() <= most).then_some(Plan { sels, sources })
}
