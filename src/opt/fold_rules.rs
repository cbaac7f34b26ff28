//! The rules of [`super::fold`]: identities of single ops.
//!
//! A rule returns a value that equals the op's for every input. Constants stand on the right of commutative ops when
//! the rules for them are tried.

use super::eval::{Const, compare};
use super::fold::{Args, Folder};
use crate::ir::byteperm::ByteSel;
use crate::ir::{CmpOp, FCmpOp, FloatTy, IntOp, Op, PredOp, Type, UnaryOp, Value, Width};

impl Folder<'_> {
    pub(super) fn rule(&mut self, op: &Op, args: &[Value]) -> Option<Value> {
        match *op {
            Op::Lo | Op::Hi => self.half(op, args[0]),
            Op::Pack64 => self.pack(args[0], args[1]),
            Op::Int(op, width) => self.int_rule(op, width, args[0], args[1]),
            Op::Unary(op, width) => self.unary_rule(op, width, args[0]),
            Op::Lop3(table) => self.lop3_rule(table, args),
            Op::FunnelShr => self.funnel_rule(args[0], args[1], args[2]),
            Op::Bfe { signed } => self.bfe_rule(signed, args[0], args[1], args[2]),
            Op::BitSelect => self.bit_select_rule(args[0], args[1], args[2]),
            Op::BytePerm(sels) => self.byteperm_rule(sels, args),
            Op::PrmtDynamic(mode) => {
                let selector = self.constant32(args[2])?;
                Some(self.build(Op::BytePerm(ByteSel::prmt(mode, selector)), &args[..2]))
            }
            Op::MulWide { signed } => self.mul_wide_rule(signed, args[0], args[1]),
            Op::Cmp(op, width) => self.cmp_rule(op, width, args[0], args[1]),
            Op::PredBin(op) => self.pred_rule(op, args[0], args[1]),
            Op::PredNot => self.not_rule(args[0]),
            Op::Select(ty) => self.select_rule(ty, args[0], args[1], args[2]),
            _ => None,
        }
    }

    fn half(&mut self, op: &Op, pair: Value) -> Option<Value> {
        let high = *op == Op::Hi;
        let (def, args) = self.op_of(pair)?;
        match def {
            Op::Pack64 => Some(args[usize::from(high)]),
            Op::Undef(_) => Some(self.build(Op::Undef(Type::B32), &[])),
            _ => {
                // What has other uses is computed as a whole anyway.
                let (def, args) = self.single_use(pair)?;
                self.half_of(high, def, &args)
            }
        }
    }

    fn half_of(&mut self, high: bool, def: Op, args: &Args) -> Option<Value> {
        let half = if high { Op::Hi } else { Op::Lo };
        match def {
            Op::Int(op @ (IntOp::And | IntOp::Or | IntOp::Xor), Width::W64) => {
                let (a, b) = (self.build(half.clone(), &args[..1]), self.build(half, &args[1..2]));
                Some(self.int(op, Width::W32, a, b))
            }
            Op::Int(op @ (IntOp::Add | IntOp::Sub | IntOp::Mul), Width::W64) if !high => {
                let (a, b) = (self.build(Op::Lo, &args[..1]), self.build(Op::Lo, &args[1..2]));
                Some(self.int(op, Width::W32, a, b))
            }
            Op::MulWide { signed } => {
                let op = match (high, signed) {
                    (false, _) => IntOp::Mul,
                    (true, false) => IntOp::MulHiU,
                    (true, true) => IntOp::MulHiS,
                };
                Some(self.int(op, Width::W32, args[0], args[1]))
            }
            Op::Int(op @ (IntOp::Shl | IntOp::ShrU | IntOp::ShrS), Width::W64) => {
                let n = self.constant32(args[1])? & 63;
                let (low, high_in) = (self.build(Op::Lo, &args[..1]), self.build(Op::Hi, &args[..1]));
                // 32 and more are rules of the shift itself.
                if n == 0 || n >= 32 {
                    return None;
                }
                let amount = self.c32(n);
                Some(match (op, high) {
                    (IntOp::Shl, false) => self.int(IntOp::Shl, Width::W32, low, amount),
                    (IntOp::Shl, true) => {
                        let amount = self.c32(32 - n);
                        self.build(Op::FunnelShr, &[high_in, low, amount])
                    }
                    (_, false) => self.build(Op::FunnelShr, &[high_in, low, amount]),
                    (op, true) => self.int(op, Width::W32, high_in, amount),
                })
            }
            Op::Unary(UnaryOp::Not, Width::W64) => {
                let a = self.build(half, &args[..1]);
                Some(self.build(Op::Unary(UnaryOp::Not, Width::W32), &[a]))
            }
            Op::Select(Type::B64) => {
                let (a, b) = (self.build(half.clone(), &args[1..2]), self.build(half, &args[2..3]));
                Some(self.build(Op::Select(Type::B32), &[args[0], a, b]))
            }
            _ => None,
        }
    }

    fn pack(&mut self, low: Value, high: Value) -> Option<Value> {
        if let (Some((Op::Lo, a)), Some((Op::Hi, b))) = (self.op_of(low), self.op_of(high))
            && a[0] == b[0]
        {
            return Some(a[0]);
        }
        None
    }

    fn is_undef(&self, value: Value) -> bool {
        matches!(self.op_of(value), Some((Op::Undef(_), _)))
    }

    fn zero(&mut self, width: Width) -> Value {
        self.build(Const::of_width(width, 0).op(), &[])
    }

    fn constant_of(&mut self, width: Width, bits: u64) -> Value {
        self.build(Const::of_width(width, bits).op(), &[])
    }

    fn int_rule(&mut self, op: IntOp, width: Width, a: Value, b: Value) -> Option<Value> {
        use IntOp::*;
        let commutes = matches!(op, Add | Mul | MulHiU | MulHiS | MinU | MinS | MaxU | MaxS | And | Or | Xor | AddSatS);
        if commutes && self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.int(op, width, b, a));
        }
        if a == b {
            match op {
                And | Or | MinU | MinS | MaxU | MaxS => return Some(a),
                Xor | Sub => return Some(self.zero(width)),
                _ => {}
            }
        }
        if let Some(c) = self.constant(b).map(Const::bits) {
            if let Some(value) = self.int_constant_rule(op, width, a, b, c) {
                return Some(value);
            }
        }
        if let (Shl | ShrU | ShrS, Some((Op::Int(And, Width::W32), masked))) = (op, self.op_of(b)) {
            // Amounts are taken modulo the width.
            let last = width.bits() - 1;
            if self.constant32(masked[1]).is_some_and(|mask| mask & last == last) {
                return Some(self.int(op, width, a, masked[0]));
            }
        }
        if width == Width::W64 && matches!(op, And | Or | Xor) {
            return self.by_halves(op, a, b);
        }
        if matches!(op, And | Or | Xor | MinU | MaxU) {
            return self.int_bits_rule(op, a, b);
        }
        None
    }

    /// 64-bit logic on pairs that were put together from dwords.
    fn by_halves(&mut self, op: IntOp, a: Value, b: Value) -> Option<Value> {
        let is_pack = |this: &Self, v: Value| matches!(this.op_of(v), Some((Op::Pack64, _)));
        let trivial = |c: Option<Const>| {
            c.is_some_and(|c| {
                [0, u32::MAX].contains(&(c.bits() as u32)) || [0, u32::MAX].contains(&((c.bits() >> 32) as u32))
            })
        };
        if !is_pack(self, a) && !is_pack(self, b) && !trivial(self.constant(b)) {
            return None;
        }
        let mut halves = [a; 2];
        for (half, part) in halves.iter_mut().zip([Op::Lo, Op::Hi]) {
            let (a, b) = (self.build(part.clone(), &[a]), self.build(part, &[b]));
            *half = self.int(op, Width::W32, a, b);
        }
        Some(self.build(Op::Pack64, &halves))
    }

    fn int_constant_rule(&mut self, op: IntOp, width: Width, a: Value, b: Value, c: u64) -> Option<Value> {
        use IntOp::*;
        let ones = if width == Width::W32 { u64::from(u32::MAX) } else { u64::MAX };
        let amount = c as u32 & (width.bits() - 1);
        match (op, c) {
            (Add | Sub | Or | Xor | AddSatS | SubSatS | MaxU, 0) => return Some(a),
            (And | Mul | MulHiU | MulHiS | MinU, 0) => return Some(self.zero(width)),
            (And | MinU, _) if c == ones => return Some(a),
            (Or | MaxU, _) if c == ones => return Some(b),
            (Xor, _) if c == ones => return Some(self.build(Op::Unary(UnaryOp::Not, width), &[a])),
            (Mul | DivU | DivS, 1) => return Some(a),
            (MulHiU | RemU | RemS, 1) => return Some(self.zero(width)),
            (Shl | ShrU | ShrS, _) if amount == 0 => return Some(a),
            (Sub, _) => {
                let negated = self.constant_of(width, c.wrapping_neg());
                return Some(self.int(Add, width, a, negated));
            }
            (Mul, _) if c.is_power_of_two() => {
                let amount = self.c32(c.trailing_zeros());
                return Some(self.int(Shl, width, a, amount));
            }
            (Mul, _) if c == ones => return Some(self.build(Op::Unary(UnaryOp::Neg, width), &[a])),
            (DivU, _) if c.is_power_of_two() => {
                let amount = self.c32(c.trailing_zeros());
                return Some(self.int(ShrU, width, a, amount));
            }
            (RemU, _) if c.is_power_of_two() => {
                let mask = self.constant_of(width, c - 1);
                return Some(self.int(And, width, a, mask));
            }
            _ => {}
        }
        if let Some((Op::Int(inner, w), args)) = self.op_of(a)
            && w == width
            && let Some(d) = self.constant(args[1]).map(Const::bits)
        {
            let merged = match (op, inner) {
                (Add, Add) => Some((Add, c.wrapping_add(d))),
                (And, And) => Some((And, c & d)),
                (Or, Or) => Some((Or, c | d)),
                (Xor, Xor) => Some((Xor, c ^ d)),
                _ => None,
            };
            if let Some((op, bits)) = merged {
                let bits = self.constant_of(width, bits);
                return Some(self.int(op, width, args[0], bits));
            }
            if matches!(op, Shl | ShrU | ShrS) && op == inner {
                let inner_amount = d as u32 & (width.bits() - 1);
                let sum = amount + inner_amount;
                if sum < width.bits() {
                    let sum = self.c32(sum);
                    return Some(self.int(op, width, args[0], sum));
                }
                if op != ShrS {
                    return Some(self.zero(width));
                }
                let last = self.c32(width.bits() - 1);
                return Some(self.int(ShrS, width, args[0], last));
            }
        }
        if let (Some((Op::GlobalAddr(global, addend), _)), Add) = (self.op_of(a), op)
            && let Some(sum) = addend.checked_add(c as i64)
        {
            return Some(self.build(Op::GlobalAddr(global, sum), &[]));
        }
        if width == Width::W64 && matches!(op, Shl | ShrU | ShrS) && amount >= 32 {
            return self.long_shift(op, a, amount - 32);
        }
        let bits = self.bits(a);
        match op {
            // What is left above the shift is known.
            ShrU if bits.max() >> amount == 0 => Some(self.zero(width)),
            ShrS if u32::from(bits.signs) + amount >= width.bits() && bits.signs > 1 => {
                // Only copies of the sign are left.
                let last = width.bits() - 1;
                if bits.zeros >> last & 1 != 0 {
                    Some(self.zero(width))
                } else if amount < last {
                    let last = self.c32(last);
                    Some(self.int(ShrS, width, a, last))
                } else {
                    None
                }
            }
            ShrS if bits.zeros >> (width.bits() - 1) & 1 != 0 => Some(self.int(ShrU, width, a, b)),
            And if c | bits.zeros == u64::MAX => Some(a),
            And if c & !bits.zeros == 0 => Some(self.zero(width)),
            Or if c & !bits.ones == 0 => Some(a),
            MinU if bits.max() <= c => Some(a),
            MinU if bits.min() >= c => Some(b),
            MaxU if bits.min() >= c => Some(a),
            MaxU if bits.max() <= c => Some(b),
            DivU if bits.max() < c => Some(self.zero(width)),
            RemU if bits.max() < c => Some(a),
            // A product that cannot leave the dword needs no high half.
            MulHiU if width == Width::W32 && u128::from(bits.max()) * u128::from(c) < 1 << 32 => Some(self.zero(width)),
            _ => None,
        }
    }

    /// A 64-bit shift by `32 + amount`.
    fn long_shift(&mut self, op: IntOp, a: Value, amount: u32) -> Option<Value> {
        let zero = self.c32(0);
        let n = self.c32(amount);
        if op == IntOp::Shl {
            let low = self.build(Op::Lo, &[a]);
            let high = self.int(IntOp::Shl, Width::W32, low, n);
            return Some(self.build(Op::Pack64, &[zero, high]));
        }
        let high = self.build(Op::Hi, &[a]);
        let low = self.int(op, Width::W32, high, n);
        let top = if op == IntOp::ShrS {
            let last = self.c32(31);
            self.int(IntOp::ShrS, Width::W32, high, last)
        } else {
            zero
        };
        Some(self.build(Op::Pack64, &[low, top]))
    }

    fn int_bits_rule(&mut self, op: IntOp, a: Value, b: Value) -> Option<Value> {
        let (x, y) = (self.bits(a), self.bits(b));
        match op {
            IntOp::And if y.ones | x.zeros == u64::MAX => Some(a),
            IntOp::And if x.ones | y.zeros == u64::MAX => Some(b),
            IntOp::Or if y.zeros | x.ones == u64::MAX => Some(a),
            IntOp::Or if x.zeros | y.ones == u64::MAX => Some(b),
            IntOp::MinU if x.max() <= y.min() => Some(a),
            IntOp::MinU if y.max() <= x.min() => Some(b),
            IntOp::MaxU if x.max() <= y.min() => Some(b),
            IntOp::MaxU if y.max() <= x.min() => Some(a),
            _ => None,
        }
    }

    fn unary_rule(&mut self, op: UnaryOp, width: Width, a: Value) -> Option<Value> {
        match (op, self.op_of(a)?) {
            (UnaryOp::Not, (Op::Unary(UnaryOp::Not, w), args))
            | (UnaryOp::Neg, (Op::Unary(UnaryOp::Neg, w), args))
            | (UnaryOp::Brev, (Op::Unary(UnaryOp::Brev, w), args))
                if w == width =>
            {
                Some(args[0])
            }
            (UnaryOp::Not | UnaryOp::Brev, (Op::Pack64, args)) => {
                let not = Op::Unary(op, Width::W32);
                let (low, high) = (self.build(not.clone(), &args[..1]), self.build(not, &args[1..2]));
                let (low, high) = if op == UnaryOp::Brev { (high, low) } else { (low, high) };
                Some(self.build(Op::Pack64, &[low, high]))
            }
            _ => None,
        }
    }

    /// Constant and equal arguments leave the table; what is a function of two arguments becomes a plain op where one is.
    fn lop3_rule(&mut self, table: u8, args: &[Value]) -> Option<Value> {
        // Masks of the rows where argument 0, 1, 2 is set.
        const ROWS: [u8; 3] = [0xf0, 0xcc, 0xaa];
        let mut new = table;
        for (n, rows) in ROWS.into_iter().enumerate() {
            let shift = 4 >> n;
            match self.constant32(args[n]) {
                Some(0) => {
                    let kept = new & !rows;
                    new = kept | kept << shift;
                }
                Some(u32::MAX) => {
                    let kept = new & rows;
                    new = kept | kept >> shift;
                }
                _ => {}
            }
        }
        for (n, m) in [(0, 1), (0, 2), (1, 2)] {
            if args[n] == args[m] && self.constant(args[n]).is_none() {
                // Rows where the two differ never come up: give them what the row with m as n has.
                let (rows_n, rows_m) = (ROWS[n], ROWS[m]);
                let shift_m = 4 >> m;
                let both = new & rows_n & rows_m;
                let none = new & !rows_n & !rows_m;
                new = both | both >> shift_m | none | none << shift_m;
            }
        }
        let depends: Vec<usize> = (0..3).filter(|&n| (new & ROWS[n]) >> (4 >> n) != new & !ROWS[n]).collect();
        let value = match depends[..] {
            [] => self.c32(if new == 0 { 0 } else { u32::MAX }),
            [n] if new == ROWS[n] => args[n],
            [n] => self.build(Op::Unary(UnaryOp::Not, Width::W32), &args[n..=n]),
            [n, m] => {
                let (x, y) = (ROWS[n], ROWS[m]);
                let op = match new {
                    t if t == x & y => IntOp::And,
                    t if t == x | y => IntOp::Or,
                    t if t == x ^ y => IntOp::Xor,
                    _ if new == table => return None,
                    _ => return Some(self.build(Op::Lop3(new), args)),
                };
                self.int(op, Width::W32, args[n], args[m])
            }
            _ if new == table => return None,
            _ => self.build(Op::Lop3(new), args),
        };
        Some(value)
    }

    fn funnel_rule(&mut self, high: Value, low: Value, amount: Value) -> Option<Value> {
        if let Some((Op::Int(IntOp::And, Width::W32), masked)) = self.op_of(amount)
            && self.constant32(masked[1]).is_some_and(|mask| mask & 31 == 31)
        {
            return Some(self.build(Op::FunnelShr, &[high, low, masked[0]]));
        }
        if self.constant32(high) == Some(0) {
            return Some(self.int(IntOp::ShrU, Width::W32, low, amount));
        }
        let n = self.constant32(amount)?;
        if n & 31 == 0 {
            return Some(low);
        }
        if n > 31 {
            let n = self.c32(n & 31);
            return Some(self.build(Op::FunnelShr, &[high, low, n]));
        }
        if self.constant32(low) == Some(0) {
            let n = self.c32(32 - n);
            return Some(self.int(IntOp::Shl, Width::W32, high, n));
        }
        None
    }

    fn bfe_rule(&mut self, signed: bool, a: Value, pos: Value, len: Value) -> Option<Value> {
        let (pos, len) = (self.constant32(pos)? & 31, self.constant32(len)? & 31);
        if len == 0 {
            return Some(self.c32(0));
        }
        let n = self.c32(pos);
        if pos + len >= 32 {
            let op = if signed { IntOp::ShrS } else { IntOp::ShrU };
            return Some(self.int(op, Width::W32, a, n));
        }
        if !signed && pos == 0 {
            let mask = self.c32((1 << len) - 1);
            return Some(self.int(IntOp::And, Width::W32, a, mask));
        }
        let bits = self.bits(a);
        let rest = bits.max() >> pos;
        if rest >> len == 0 && (!signed || rest >> (len - 1) == 0) {
            return Some(self.int(IntOp::ShrU, Width::W32, a, n));
        }
        None
    }

    fn bit_select_rule(&mut self, mask: Value, a: Value, b: Value) -> Option<Value> {
        if a == b {
            return Some(a);
        }
        let mask_bits = self.constant32(mask);
        match mask_bits {
            Some(0) => return Some(b),
            Some(u32::MAX) => return Some(a),
            _ => {}
        }
        match (self.constant32(a), self.constant32(b)) {
            (_, Some(0)) => Some(self.int(IntOp::And, Width::W32, mask, a)),
            (Some(0), _) => {
                let rest = self.build(Op::Unary(UnaryOp::Not, Width::W32), &[mask]);
                Some(self.int(IntOp::And, Width::W32, rest, b))
            }
            (Some(u32::MAX), _) => Some(self.int(IntOp::Or, Width::W32, mask, b)),
            _ => None,
        }
    }

    fn byteperm_rule(&mut self, sels: [ByteSel; 4], args: &[Value]) -> Option<Value> {
        // Known bytes first.
        let mut new = sels;
        for sel in &mut new {
            let (source, byte) = match *sel {
                ByteSel::Byte(source, byte) | ByteSel::Sign(source, byte) => (source, byte),
                ByteSel::Zero | ByteSel::Ones => continue,
            };
            let bits = self.bits(args[source as usize]);
            let part = |bits: u64| (bits >> (8 * byte)) as u8;
            let wanted = if matches!(sel, ByteSel::Sign(..)) { 0x80 } else { 0xff };
            if part(bits.zeros) & wanted == wanted {
                *sel = ByteSel::Zero;
            } else if part(bits.ones) & wanted == wanted {
                *sel = ByteSel::Ones;
            }
        }
        // The bytes of one source in their places, with what is known of the others.
        for (source, &arg) in args.iter().enumerate() {
            let source = source as u8;
            let bits = self.bits(arg);
            let same = |(n, sel): (usize, &ByteSel)| {
                let byte = |bits: u64| (bits >> (8 * n)) as u8;
                match *sel {
                    ByteSel::Byte(s, b) => s == source && b as usize == n,
                    ByteSel::Zero => byte(bits.zeros) == 0xff,
                    ByteSel::Ones => byte(bits.ones) == 0xff,
                    // All bits from the top of that byte up are copies of the sign.
                    ByteSel::Sign(s, b) => {
                        s == source && (b as usize) < n && u32::from(bits.signs) >= 32 - (8 * u32::from(b) + 7)
                    }
                }
            };
            if new.iter().enumerate().all(same) {
                return Some(arg);
            }
        }
        // Sources in order of appearance, each once, none without use.
        let mut sources: Args = Args::new();
        for sel in &mut new {
            if let ByteSel::Byte(source, _) | ByteSel::Sign(source, _) = sel {
                let value = args[*source as usize];
                *source = sources.iter().position(|&v| v == value).unwrap_or_else(|| {
                    sources.push(value);
                    sources.len() - 1
                }) as u8;
            }
        }
        if sources.is_empty() {
            let bytes = new.map(|sel| sel.eval(&[]));
            return Some(self.c32(u32::from_le_bytes(bytes)));
        }
        if new != sels || sources[..] != *args {
            return Some(self.build(Op::BytePerm(new), &sources));
        }
        None
    }

    fn mul_wide_rule(&mut self, signed: bool, a: Value, b: Value) -> Option<Value> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.build(Op::MulWide { signed }, &[b, a]));
        }
        let (x, y) = (self.bits(a), self.bits(b));
        // Small enough that the product stays in the low dword and nothing is negative.
        if u128::from(x.max()) * u128::from(y.max()) < 1 << 31 {
            let (low, zero) = (self.int(IntOp::Mul, Width::W32, a, b), self.c32(0));
            return Some(self.build(Op::Pack64, &[low, zero]));
        }
        match self.constant32(b)? {
            0 => Some(self.build(Op::Const64(0), &[])),
            1 => {
                let high = if signed {
                    let last = self.c32(31);
                    self.int(IntOp::ShrS, Width::W32, a, last)
                } else {
                    self.c32(0)
                };
                Some(self.build(Op::Pack64, &[a, high]))
            }
            _ => None,
        }
    }

    fn cmp_rule(&mut self, op: CmpOp, width: Width, a: Value, b: Value) -> Option<Value> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.build(Op::Cmp(swapped(op), width), &[b, a]));
        }
        let truth = |this: &mut Self, v: bool| Some(this.build(Op::ConstPred(v), &[]));
        if a == b {
            use CmpOp::*;
            return truth(self, matches!(op, Eq | LeU | GeU | LeS | GeS));
        }
        if let Some(c) = self.constant(b)
            && let Some((Op::Select(_), select)) = self.op_of(a)
            && let (Some(yes), Some(no)) = (self.constant(select[1]), self.constant(select[2]))
        {
            let holds = |v: Const| compare(op, width, v.bits(), c.bits());
            return match (holds(yes), holds(no)) {
                (true, false) => Some(select[0]),
                (false, true) => Some(self.build(Op::PredNot, &select[..1])),
                (same, _) => truth(self, same),
            };
        }
        let (x, y) = (self.bits(a), self.bits(b));
        let top = width.bits() - 1;
        let both_positive = x.zeros >> top & 1 != 0 && y.zeros >> top & 1 != 0;
        let unsigned = match op {
            CmpOp::LtS if both_positive => CmpOp::LtU,
            CmpOp::LeS if both_positive => CmpOp::LeU,
            CmpOp::GtS if both_positive => CmpOp::GtU,
            CmpOp::GeS if both_positive => CmpOp::GeU,
            op => op,
        };
        match unsigned {
            CmpOp::LtU if x.max() < y.min() => return truth(self, true),
            CmpOp::LtU if x.min() >= y.max() => return truth(self, false),
            CmpOp::LeU if x.max() <= y.min() => return truth(self, true),
            CmpOp::LeU if x.min() > y.max() => return truth(self, false),
            CmpOp::GtU if x.min() > y.max() => return truth(self, true),
            CmpOp::GtU if x.max() <= y.min() => return truth(self, false),
            CmpOp::GeU if x.min() >= y.max() => return truth(self, true),
            CmpOp::GeU if x.max() < y.min() => return truth(self, false),
            CmpOp::Eq if x.zeros & y.ones | x.ones & y.zeros != 0 => return truth(self, false),
            CmpOp::Ne if x.zeros & y.ones | x.ones & y.zeros != 0 => return truth(self, true),
            _ => {}
        }
        if width == Width::W64 && x.max() >> 32 == 0 && y.max() >> 32 == 0 {
            let (a, b) = (self.build(Op::Lo, &[a]), self.build(Op::Lo, &[b]));
            return Some(self.build(Op::Cmp(unsigned, Width::W32), &[a, b]));
        }
        if width == Width::W64 && x.signs > 32 && y.signs > 32 {
            // Both are widened from a signed dword; every order of the pairs is that of the dwords.
            let (a, b) = (self.build(Op::Lo, &[a]), self.build(Op::Lo, &[b]));
            return Some(self.build(Op::Cmp(op, Width::W32), &[a, b]));
        }
        if matches!(op, CmpOp::Eq | CmpOp::Ne)
            && self.constant(b).is_some_and(|c| c.bits() == 0)
            && let Some((Op::Int(IntOp::Xor | IntOp::Sub, w), args)) = self.op_of(a)
            && w == width
        {
            return Some(self.build(Op::Cmp(op, width), &args));
        }
        None
    }

    fn pred_rule(&mut self, op: PredOp, a: Value, b: Value) -> Option<Value> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.build(Op::PredBin(op), &[b, a]));
        }
        if a == b {
            return match op {
                PredOp::And | PredOp::Or => Some(a),
                PredOp::Xor => Some(self.build(Op::ConstPred(false), &[])),
            };
        }
        let Some(Const::Pred(c)) = self.constant(b) else { return None };
        match (op, c) {
            (PredOp::And, true) | (PredOp::Or, false) | (PredOp::Xor, false) => Some(a),
            (PredOp::And, false) | (PredOp::Or, true) => Some(b),
            (PredOp::Xor, true) => Some(self.build(Op::PredNot, &[a])),
        }
    }

    fn not_rule(&mut self, a: Value) -> Option<Value> {
        if let Some((Op::PredNot, args)) = self.op_of(a) {
            return Some(args[0]);
        }
        match self.single_use(a)? {
            (Op::Cmp(op, width), args) => Some(self.build(Op::Cmp(inverse(op), width), &args)),
            (Op::FCmp(op, ty @ FloatTy::F32, env), args) => {
                Some(self.build(Op::FCmp(float_inverse(op), ty, env), &args))
            }
            _ => None,
        }
    }

    fn select_rule(&mut self, ty: Type, p: Value, yes: Value, no: Value) -> Option<Value> {
        if let Some(Const::Pred(p)) = self.constant(p) {
            return Some(if p { yes } else { no });
        }
        if yes == no || self.is_undef(no) {
            return Some(yes);
        }
        if self.is_undef(yes) {
            return Some(no);
        }
        match self.op_of(p) {
            Some((Op::PredNot, args)) => return Some(self.build(Op::Select(ty), &[args[0], no, yes])),
            Some((Op::Undef(_), _)) => return Some(no),
            _ => {}
        }
        if ty == Type::Pred {
            let (y, n) = (self.constant(yes), self.constant(no));
            let (or, and) = (Op::PredBin(PredOp::Or), Op::PredBin(PredOp::And));
            return match (y, n) {
                (Some(Const::Pred(true)), Some(Const::Pred(false))) => Some(p),
                (Some(Const::Pred(false)), Some(Const::Pred(true))) => Some(self.build(Op::PredNot, &[p])),
                (Some(Const::Pred(true)), _) => Some(self.build(or, &[p, no])),
                (_, Some(Const::Pred(false))) => Some(self.build(and, &[p, yes])),
                _ => None,
            };
        }
        // The same choice made before.
        if let Some((Op::Select(_), inner)) = self.op_of(yes)
            && inner[0] == p
        {
            return Some(self.build(Op::Select(ty), &[p, inner[1], no]));
        }
        if let Some((Op::Select(_), inner)) = self.op_of(no)
            && inner[0] == p
        {
            return Some(self.build(Op::Select(ty), &[p, yes, inner[2]]));
        }
        None
    }
}

fn swapped(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq => CmpOp::Eq,
        CmpOp::Ne => CmpOp::Ne,
        CmpOp::LtU => CmpOp::GtU,
        CmpOp::LeU => CmpOp::GeU,
        CmpOp::GtU => CmpOp::LtU,
        CmpOp::GeU => CmpOp::LeU,
        CmpOp::LtS => CmpOp::GtS,
        CmpOp::LeS => CmpOp::GeS,
        CmpOp::GtS => CmpOp::LtS,
        CmpOp::GeS => CmpOp::LeS,
    }
}

fn inverse(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::LtU => CmpOp::GeU,
        CmpOp::LeU => CmpOp::GtU,
        CmpOp::GtU => CmpOp::LeU,
        CmpOp::GeU => CmpOp::LtU,
        CmpOp::LtS => CmpOp::GeS,
        CmpOp::LeS => CmpOp::GtS,
        CmpOp::GtS => CmpOp::LeS,
        CmpOp::GeS => CmpOp::LtS,
    }
}

/// The comparison that holds exactly when the other does not: NaNs change sides.
fn float_inverse(op: FCmpOp) -> FCmpOp {
    match op {
        FCmpOp::Eq => FCmpOp::NeU,
        FCmpOp::Ne => FCmpOp::EqU,
        FCmpOp::Lt => FCmpOp::GeU,
        FCmpOp::Le => FCmpOp::GtU,
        FCmpOp::Gt => FCmpOp::LeU,
        FCmpOp::Ge => FCmpOp::LtU,
        FCmpOp::EqU => FCmpOp::Ne,
        FCmpOp::NeU => FCmpOp::Eq,
        FCmpOp::LtU => FCmpOp::Ge,
        FCmpOp::LeU => FCmpOp::Gt,
        FCmpOp::GtU => FCmpOp::Le,
        FCmpOp::GeU => FCmpOp::Lt,
        FCmpOp::Num => FCmpOp::Nan,
        FCmpOp::Nan => FCmpOp::Num,
    }
}
