//! Rules of [`super::fold`] for truth tables, funnel shifts, bit fields and byte permutes.

use super::fold::{Args, Folder};
use crate::ir::byteperm::ByteSel;
use crate::ir::{IntOp, Op, UnaryOp, Value, Width};

impl Folder<'_> {
    /// Constant and equal arguments leave the table; what is a function of two arguments becomes a plain op where one is.
    pub(super) fn lop3_rule(&mut self, table: u8, args: &[Value]) -> Option<Value> {
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

    pub(super) fn funnel_rule(&mut self, high: Value, low: Value, amount: Value) -> Option<Value> {
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
        // Of a pair that was shifted before: what a left funnel shift by a register is, once the register is known.
        if let (Some((Op::FunnelShr, inner)), Some((Op::Int(IntOp::ShrU, Width::W32), top))) =
            (self.op_of(low), self.op_of(high))
            && inner[0] == top[0]
            && let (Some(first), Some(also)) = (self.constant32(inner[2]), self.constant32(top[1]))
            && first == also
            && first < 32
        {
            return match first + n {
                total @ 0..32 => {
                    let total = self.c32(total);
                    Some(self.build(Op::FunnelShr, &[inner[0], inner[1], total]))
                }
                32 => Some(inner[0]),
                _ => None,
            };
        }
        if self.constant32(low) == Some(0) {
            let n = self.c32(32 - n);
            return Some(self.int(IntOp::Shl, Width::W32, high, n));
        }
        None
    }

    pub(super) fn bfe_rule(&mut self, signed: bool, a: Value, pos: Value, len: Value) -> Option<Value> {
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

    pub(super) fn bit_select_rule(&mut self, mask: Value, a: Value, b: Value) -> Option<Value> {
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

    pub(super) fn byteperm_rule(&mut self, sels: [ByteSel; 4], args: &[Value]) -> Option<Value> {
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
}
