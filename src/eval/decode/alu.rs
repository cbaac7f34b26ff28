//! Instructions that only compute: `mov`, comparisons, selections, and whatever `int` and `float` know.

use super::super::code::*;
use super::super::int::{Alu, Compute, Fun, int};
use super::super::words::Words;
use super::super::{float, int as ints};
use super::operand::{LOCAL_HIGH, SHARED_HIGH};
use super::{Decoder, Fault, Res};
use crate::ptx::tree::{Inst, Operand, OperandKind, ScalarType};
use crate::ptx::word;

impl<'m> Decoder<'m, '_> {
    pub fn alu(&mut self, inst: &Inst<'m>) -> Res<()> {
        let words = || Words::new(inst, &self.shared.module.names);
        let alu = match inst.opcode {
            word::CVT => float::cvt(&mut words()),
            word::SELP | word::SLCT => selection(inst, &mut words()),
            word::LOP3 => return self.lop3(inst),
            opcode => ints::pick(opcode, &mut words()).or_else(|| float::pick(opcode, &mut words())),
        };
        let alu = alu.ok_or(Fault::Form)?;
        self.shared.computes_floats |= alu.to.is_float() || alu.from.iter().any(|ty| ty.is_float());
        if inst.operands.len() != alu.from.len() + 1 {
            return Err(Fault::Form);
        }
        let mut s = vec![];
        for (n, &ty) in alu.from.iter().enumerate() {
            s.push(self.src(self.operand(inst, n + 1)?, ty)?);
        }
        if alu.carry_in {
            s.push(CARRY);
        }
        for &extra in &alu.extra {
            s.push(self.constant(extra));
        }
        let (d, ty) = self.dst(self.operand(inst, 0)?)?;
        self.compute(&alu, d, &s)?;
        // Only `cvt` may name a register wider than its type.
        if let Some(register) = ty
            && register.size_bytes() > alu.to.size_bytes()
            && alu.to.is_signed()
        {
            self.extend(d, alu.to, register);
        }
        Ok(())
    }

    fn compute(&mut self, alu: &Alu, d: Slot, s: &[Slot]) -> Res<()> {
        let mut slots = [ZERO; 4];
        if s.len() > 4 {
            return Err(Fault::Form);
        }
        slots[..s.len()].copy_from_slice(s);
        self.push(match alu.fun {
            Fun::One(f) => Kind::Compute { f, d, s: slots },
            Fun::Two(f) => Kind::Compute2 { f, d: [d, if alu.carry_out { CARRY } else { SINK }], s: slots },
        });
        Ok(())
    }

    /// Spreads the sign of a result over the rest of its register.
    fn extend(&mut self, d: Slot, from: ScalarType, to: ScalarType) {
        fn run(a: u64, from: u64, to: u64, _: u64) -> u64 {
            let a = ((a << (64 - from)) as i64 >> (64 - from)) as u64;
            if to >= 64 { a } else { a & ((1 << to) - 1) }
        }
        let bits = |ty: ScalarType| u64::from(ty.size_bytes().unwrap_or(8)) * 8;
        let (from, to) = (self.constant(bits(from)), self.constant(bits(to)));
        self.push(Kind::Compute { f: run, d, s: [d, from, to, ZERO] });
    }

    /// `lop3.or.b32 d|p, a, b, c, table, q`: p = (d != 0) or q.
    fn lop3(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        let combine = w.one_of(&["or", "and"]);
        if w.ty() != Some(ScalarType::B32) || !w.done() {
            return Err(Fault::Form);
        }
        fn run(a: u64, b: u64, c: u64, table: u64) -> u64 {
            (0..32).fold(0, |d, n| d | (table >> ((a >> n & 1) << 2 | (b >> n & 1) << 1 | c >> n & 1) & 1) << n)
        }
        let mut s = [ZERO; 4];
        for (n, slot) in s.iter_mut().enumerate().take(3) {
            *slot = self.src(self.operand(inst, n + 1)?, ScalarType::B32)?;
        }
        let table = self.literal(self.operand(inst, 4)?).ok_or(Fault::Form)?;
        s[3] = self.constant(table & 0xff);
        let to = self.operand(inst, 0)?;
        let Some(combine) = combine else {
            let (d, _) = self.dst(to)?;
            self.push(Kind::Compute { f: run, d, s });
            return Ok(());
        };
        let OperandKind::Pair(pair) = to.kind else { return Err(Fault::Form) };
        let [first, second] = self.shared.module.list(pair) else { return Err(Fault::Form) };
        let q = self.src(self.operand(inst, 5)?, ScalarType::Pred)?;
        let ((d, _), (p, _)) = (self.dst(first)?, self.dst(second)?);
        let temporary = self.slot();
        self.push(Kind::Compute { f: run, d: temporary, s });
        let f = if combine == "or" {
            |d: u64, q: u64, _: u64, _: u64| (d, u64::from(d != 0) | q)
        } else {
            |d: u64, q: u64, _: u64, _: u64| (d, u64::from(d != 0) & q)
        };
        self.push(Kind::Compute2 { f, d: [d, p], s: [temporary, q, ZERO, ZERO] });
        Ok(())
    }

    /// `setp` and `set`, which may combine the comparison with a predicate.
    pub fn compare(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        const TESTS: &[&str] = &[
            "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu",
            "num", "nan",
        ];
        let test = w.one_of(TESTS).ok_or(Fault::Form)?;
        let combine = w.one_of(&["and", "or", "xor"]);
        let ftz = w.flag("ftz");
        let result = if inst.opcode == word::SET { w.ty().ok_or(Fault::Form)? } else { ScalarType::Pred };
        let ty = w.ty().ok_or(Fault::Form)?;
        if !w.done() {
            return Err(Fault::Form);
        }
        let (f, env) = if ty.is_float() {
            self.shared.computes_floats = true;
            float::comparison(test, ty, ftz).ok_or(Fault::Form)?
        } else {
            (comparison(test, ty).ok_or(Fault::Form)?, 0)
        };
        let packed = matches!(ty, ScalarType::F16x2 | ScalarType::Bf16x2);
        let (a, b) = (self.src(self.operand(inst, 1)?, ty)?, self.src(self.operand(inst, 2)?, ty)?);
        let env = self.constant(env);
        // Bits 0 and 16 of packed comparisons.
        let outcome = self.slot();
        self.push(Kind::Compute { f, d: outcome, s: [a, b, ZERO, env] });
        let with = match (combine, inst.operands.len()) {
            (None, 3) => ZERO,
            (Some(_), 4) => self.src(self.operand(inst, 3)?, ScalarType::Pred)?,
            _ => return Err(Fault::Form),
        };
        let combined: Compute = match combine {
            None => |t, _, _, _| t,
            Some("and") => |t, c, _, _| t & (c | c << 16),
            Some("or") => |t, c, _, _| t | c | c << 16,
            _ => |t, c, _, _| t ^ (c | c << 16),
        };
        let to = self.operand(inst, 0)?;
        if result != ScalarType::Pred {
            self.push(Kind::Compute { f: combined, d: outcome, s: [outcome, with, ZERO, ZERO] });
            let f: Compute = match (result, packed) {
                (ScalarType::U32 | ScalarType::S32, false) => |t, _, _, _| if t & 1 != 0 { 0xffff_ffff } else { 0 },
                (ScalarType::U16 | ScalarType::S16, false) => |t, _, _, _| if t & 1 != 0 { 0xffff } else { 0 },
                (ScalarType::F32, false) => |t, _, _, _| if t & 1 != 0 { 0x3f80_0000 } else { 0 },
                (ScalarType::F16, false) => |t, _, _, _| if t & 1 != 0 { 0x3c00 } else { 0 },
                (ScalarType::Bf16, false) => |t, _, _, _| if t & 1 != 0 { 0x3f80 } else { 0 },
                (ScalarType::U32 | ScalarType::S32, true) => |t, _, _, _| (t & 0x1_0001) * 0xffff,
                (ScalarType::F16x2, true) => |t, _, _, _| (t & 0x1_0001) * 0x3c00,
                (ScalarType::Bf16x2, true) => |t, _, _, _| (t & 0x1_0001) * 0x3f80,
                _ => return Err(Fault::Form),
            };
            let (d, _) = self.dst(to)?;
            self.push(Kind::Compute { f, d, s: [outcome, ZERO, ZERO, ZERO] });
            return Ok(());
        }
        let (first, second) = self.pair(to)?;
        let (p, q) = (self.dst(&first)?.0, second.map_or(Ok(SINK), |o| self.dst(&o).map(|(slot, _)| slot))?);
        let f = match (combine, packed) {
            // The second is the other half, or the complement of the comparison under the same combination.
            (_, true) if combine.is_none() => |t: u64, _: u64, _: u64, _: u64| (t & 1, t >> 16 & 1),
            (Some("and"), true) => |t: u64, c: u64, _: u64, _: u64| (t & 1 & c, t >> 16 & c),
            (Some("or"), true) => |t: u64, c: u64, _: u64, _: u64| (t & 1 | c, t >> 16 & 1 | c),
            (_, true) => |t: u64, c: u64, _: u64, _: u64| (t & 1 ^ c, t >> 16 & 1 ^ c),
            (None, false) => |t: u64, _: u64, _: u64, _: u64| (t, t ^ 1),
            (Some("and"), false) => |t: u64, c: u64, _: u64, _: u64| (t & c, (t ^ 1) & c),
            (Some("or"), false) => |t: u64, c: u64, _: u64, _: u64| (t | c, t ^ 1 | c),
            (_, false) => |t: u64, c: u64, _: u64, _: u64| (t ^ c, t ^ 1 ^ c),
        };
        self.push(Kind::Compute2 { f, d: [p, q], s: [outcome, with, ZERO, ZERO] });
        Ok(())
    }

    /// `p|q`, or one destination.
    pub fn pair(&self, operand: &Operand) -> Res<(Operand, Option<Operand>)> {
        match operand.kind {
            OperandKind::Pair(pair) => match self.shared.module.list(pair) {
                [first, second] => Ok((*first, Some(*second))),
                _ => Err(Fault::Form),
            },
            _ => Ok((*operand, None)),
        }
    }

    // ---- moves ----

    pub fn mov(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        let vector = w.one_of(&["v2", "v4"]);
        let ty = w.ty().ok_or(Fault::Form)?;
        if !w.done() || ty == ScalarType::B128 {
            return Err(Fault::Form);
        }
        let (to, from) = (*self.operand(inst, 0)?, *self.operand(inst, 1)?);
        let module = self.shared.module;
        if vector.is_some() {
            return self.mov_vector(&to, &from, ty);
        }
        match (to.kind, from.kind) {
            (_, OperandKind::Vector(parts)) => {
                let parts = module.list(parts);
                let part = part_bits(parts.len(), ty)?;
                let (d, _) = self.dst(&to)?;
                let bits = self.constant(part.into());
                for (n, operand) in parts.iter().enumerate() {
                    let value = self.src(operand, bits_type(part)?)?;
                    let shift = self.constant(n as u64 * u64::from(part));
                    fn insert(d: u64, part: u64, shift: u64, bits: u64) -> u64 {
                        d | (part & ((1 << bits) - 1)) << shift
                    }
                    let before = if n == 0 { ZERO } else { d };
                    self.push(Kind::Compute { f: insert, d, s: [before, value, shift, bits] });
                }
            }
            (OperandKind::Vector(parts), _) => {
                let parts = module.list(parts);
                let part = part_bits(parts.len(), ty)?;
                let value = self.src(&from, ty)?;
                let bits = self.constant(part.into());
                for (n, operand) in parts.iter().enumerate() {
                    let (d, _) = self.dst(operand)?;
                    let shift = self.constant(n as u64 * u64::from(part));
                    fn extract(a: u64, shift: u64, bits: u64, _: u64) -> u64 {
                        a >> shift & ((1 << bits) - 1)
                    }
                    self.push(Kind::Compute { f: extract, d, s: [value, shift, bits, ZERO] });
                }
            }
            _ => {
                let value = self.src(&from, ty)?;
                let (d, _) = self.dst(&to)?;
                self.copy(d, value, ty);
            }
        }
        Ok(())
    }

    /// A move of a type's bits.
    fn copy(&mut self, d: Slot, s: Slot, ty: ScalarType) {
        let f: Compute = match ty.size_bytes() {
            Some(1) => |a, _, _, _| a & 0xff,
            Some(2) => |a, _, _, _| a & 0xffff,
            Some(4) => |a, _, _, _| a & 0xffff_ffff,
            _ => |a, _, _, _| a,
        };
        self.push(Kind::Compute { f, d, s: [s, ZERO, ZERO, ZERO] });
    }

    /// Between vectors, or from a vector of special registers.
    fn mov_vector(&mut self, to: &Operand, from: &Operand, ty: ScalarType) -> Res<()> {
        let (to, from) = (self.vector(to)?, self.vector(from)?);
        if to.len() != from.len() {
            return Err(Fault::Form);
        }
        // All sources are read before the first write.
        let mut values = vec![];
        for operand in &from {
            let (value, held) = (self.src(operand, ty)?, self.slot());
            self.copy(held, value, ty);
            values.push(held);
        }
        for (operand, value) in to.iter().zip(values) {
            let (d, _) = self.dst(operand)?;
            self.copy(d, value, ty);
        }
        Ok(())
    }

    /// The elements of a vector operand: a list, a vector register, a special register with components.
    pub fn vector(&self, operand: &Operand) -> Res<Vec<Operand>> {
        let span = operand.span;
        match operand.kind {
            OperandKind::Vector(list) => Ok(self.shared.module.list(list).to_vec()),
            OperandKind::Name(name) if word::is_special_register(name) => {
                let parts = (0..4).filter_map(|n| word::component(name, n));
                Ok(parts.map(|name| Operand { kind: OperandKind::Name(name), span }).collect())
            }
            OperandKind::Name(name) => match self.binding(name) {
                Some(super::names::Binding::Register { elements, .. }) if elements > 1 => {
                    Ok((0..elements).map(|n| Operand { kind: OperandKind::Component(name, n), span }).collect())
                }
                _ => Ok(vec![*operand]),
            },
            _ => Ok(vec![*operand]),
        }
    }

    pub fn cvta(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        let to = w.flag("to");
        let spaces = ["global", "const", "shared", "shared::cta", "local", "param", "param::entry"];
        let space = w.one_of(&spaces).ok_or(Fault::Form)?;
        if w.ty() != Some(ScalarType::U64) || !w.done() {
            return Err(Fault::Form);
        }
        let from = self.operand(inst, 1)?;
        let value = match from.kind {
            OperandKind::Name(name) if self.binding(name).is_none_or(|b| !is_register(b)) => {
                self.variable(name, 0, from.span)?.1
            }
            OperandKind::NameOffset(name, offset) => self.variable(name, offset.bytes(), from.span)?.1,
            _ => self.src(from, ScalarType::U64)?,
        };
        let (d, _) = self.dst(self.operand(inst, 0)?)?;
        let high = match space {
            "shared" | "shared::cta" => SHARED_HIGH << 32,
            "local" => LOCAL_HIGH << 32,
            _ => 0,
        };
        let high = self.constant(high);
        let f: Compute = if to { |a, high, _, _| a.wrapping_sub(high) } else { |a, high, _, _| a.wrapping_add(high) };
        self.push(Kind::Compute { f, d, s: [value, high, ZERO, ZERO] });
        Ok(())
    }

    pub fn isspacep(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        let space = w.one_of(&["global", "shared", "shared::cta", "local"]).ok_or(Fault::Form)?;
        let address = self.src(self.operand(inst, 1)?, ScalarType::U64)?;
        let (d, _) = self.dst(self.operand(inst, 0)?)?;
        let f: Compute = match space {
            "global" => |a, _, _, _| u64::from(!matches!(a >> 32, SHARED_HIGH | LOCAL_HIGH)),
            "local" => |a, _, _, _| u64::from(a >> 32 == LOCAL_HIGH),
            _ => |a, _, _, _| u64::from(a >> 32 == SHARED_HIGH),
        };
        self.push(Kind::Compute { f, d, s: [address, ZERO, ZERO, ZERO] });
        if w.done() { Ok(()) } else { Err(Fault::Form) }
    }
}

fn is_register(binding: super::names::Binding) -> bool {
    matches!(binding, super::names::Binding::Register { .. })
}

/// The bits of each of `count` parts of a value.
fn part_bits(count: usize, ty: ScalarType) -> Res<u32> {
    let bits = ty.size_bytes().unwrap_or(0) * 8;
    match count as u32 {
        count @ (2 | 4 | 8) if bits / count >= 8 && bits <= 64 => Ok(bits / count),
        _ => Err(Fault::Form),
    }
}

fn bits_type(bits: u32) -> Res<ScalarType> {
    Ok(match bits {
        8 => ScalarType::B8,
        16 => ScalarType::B16,
        32 => ScalarType::B32,
        _ => return Err(Fault::Form),
    })
}

fn comparison(test: &str, ty: ScalarType) -> Option<Compute> {
    let bits = matches!(ty, ScalarType::B16 | ScalarType::B32 | ScalarType::B64);
    match test {
        "eq" => int!(ty, a b _c _d => a == b),
        "ne" => int!(ty, a b _c _d => a != b),
        // Untyped bits have no order; `lo` and its kin are for unsigned numbers.
        _ if bits => None,
        "lo" | "ls" | "hi" | "hs" if ty.is_signed() => None,
        "lt" | "lo" => int!(ty, a b _c _d => a < b),
        "le" | "ls" => int!(ty, a b _c _d => a <= b),
        "gt" | "hi" => int!(ty, a b _c _d => a > b),
        "ge" | "hs" => int!(ty, a b _c _d => a >= b),
        _ => None,
    }
}

fn selection(inst: &Inst<'_>, w: &mut Words<'_>) -> Option<Alu> {
    let ftz = w.flag("ftz");
    let ty = w.ty()?;
    if inst.opcode == word::SELP {
        return (w.done() && !ftz)
            .then(|| Alu::new(|a, b, c, _| if c != 0 { a } else { b }, ty, &[ty, ty, ScalarType::Pred]));
    }
    let by = w.ty()?;
    let f: Compute = match by {
        ScalarType::S32 if !ftz => |a, b, c, _| if c as i32 >= 0 { a } else { b },
        // -0 is not negative; a NaN chooses b.
        ScalarType::F32 => |a, b, c, _| if f32::from_bits(c as u32) >= 0.0 { a } else { b },
        _ => return None,
    };
    if ftz {
        // A negative subnormal counts as zero.
        let f: Compute = |a, b, c, _| {
            let c = f32::from_bits(c as u32);
            if c >= 0.0 || c.is_subnormal() { a } else { b }
        };
        return w.done().then(|| Alu::new(f, ty, &[ty, ty, by]));
    }
    w.done().then(|| Alu::new(f, ty, &[ty, ty, by]))
}
