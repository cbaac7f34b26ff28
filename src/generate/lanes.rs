//! What the threads of a warp do together: all of them, or two groups with membermasks of their own.
//!
//! A shuffle's source that is beyond a block that ends within the warp, or no member, is open: its value is thrown away.

use super::Generator;

impl Generator<'_> {
    /// Among the threads of a warp, all of which are here.
    pub fn lanes(&mut self) {
        match self.rng.below(6) {
            0 => self.lanes_apart(),
            1 => self.lanes_without_mask(),
            _ => self.lanes_of("%t15", true),
        }
    }

    /// One instruction for the members that a register names.
    fn lanes_of(&mut self, members: &str, all: bool) {
        let (a, to, p, q) = (self.reg('r'), self.reg('r'), self.reg('p'), self.reg('p'));
        match self.rng.below(9) {
            0 | 1 if all => {
                let b = self.reg_or('r', 32);
                let mode = *self.rng.pick(&["up", "down", "bfly", "idx"]);
                let c = *self.rng.pick(&["31", "0x1f", "0", "0x1c1f", "0x181f", "0x100f"]);
                emit!(
                    self,
                    format!(
                        "shfl.sync.{mode}.b32 %t1|%q1, {a}, {b}, {c}, {members};\nsetp.eq.u32 %q2, %t15, -1;\n@%q2 mov.b32 {to}, %t1;\n\
                         selp.b32 %t2, 1, 0, %q1;\nxor.b32 {to}, {to}, %t2;"
                    )
                );
            }
            0 | 1 => emit!(
                self,
                // From the last member.
                format!("bfind.u32 %t1, {members};\nshfl.sync.idx.b32 {to}, {a}, %t1, 31, {members};")
            ),
            2 => emit!(self, format!("vote.sync.ballot.b32 {to}, {p}, {members};")),
            3 => {
                let mode = *self.rng.pick(&["all", "any", "uni"]);
                emit!(self, format!("vote.sync.{mode}.pred {q}, {p}, {members};"));
            }
            4 => {
                let mask = *self.rng.pick(&[0, 1, 3, 0x8000_0001u32]);
                let mode = *self.rng.pick(&["any", "all"]);
                let result = if mode == "all" && self.rng.one_in(2) { format!("{to}|{q}") } else { to };
                if self.rng.one_in(3) {
                    let d = self.reg('d');
                    emit!(self, format!("and.b64 %a1, {d}, {mask};\nmatch.{mode}.sync.b64 {result}, %a1, {members};"));
                } else {
                    emit!(self, format!("and.b32 %t1, {a}, {mask};\nmatch.{mode}.sync.b32 {result}, %t1, {members};"));
                }
            }
            5 | 6 => {
                let op = match self.rng.below(3) {
                    0 => self.words("{and|or|xor}.b32"),
                    1 if self.config.floats => return self.float_reduction(members),
                    _ => self.words("{add|min|max}.{u32|s32}"),
                };
                emit!(self, format!("redux.sync.{op} {to}, {a}, {members};"));
            }
            7 => emit!(self, format!("elect.sync {to}|{q}, {members};")),
            _ => emit!(self, format!("bar.warp.sync {members};")),
        }
    }

    fn float_reduction(&mut self, members: &str) {
        let (to, a) = (self.reg('f'), self.reg('f'));
        let words = self.words("{min|max}{|.abs}{|.NaN}");
        emit!(self, format!("redux.sync.{words}.f32 {to}, {a}, {members};"));
        self.settle(&to);
    }

    /// Forms of old processors, and `activemask`: all threads of the warp are here, but need not be here together before they meet.
    fn lanes_without_mask(&mut self) {
        emit!(self, "bar.warp.sync %t15;");
        let (a, to, p, q) = (self.reg('r'), self.reg('r'), self.reg('p'), self.reg('p'));
        match self.rng.below(4) {
            0 => {
                let b = self.reg_or('r', 32);
                let mode = *self.rng.pick(&["up", "down", "bfly", "idx"]);
                emit!(
                    self,
                    format!(
                        "shfl.{mode}.b32 %t1|%q1, {a}, {b}, 31;\nsetp.eq.u32 %q2, %t15, -1;\n@%q2 mov.b32 {to}, %t1;"
                    )
                );
            }
            1 => emit!(self, format!("vote.ballot.b32 {to}, {p};")),
            2 => {
                let mode = *self.rng.pick(&["all", "any", "uni"]);
                emit!(self, format!("vote.{mode}.pred {q}, {p};"));
            }
            _ => emit!(self, format!("activemask.b32 {to};")),
        }
    }

    /// The warp falls into two groups, by the bits of a constant, which go on by one path or by two.
    fn lanes_apart(&mut self) {
        let mask = match self.rng.below(4) {
            0 => 0x5555_5555,
            1 => 0xffff,
            2 => 1 << self.rng.below(32),
            _ => self.rng.bits() as u32,
        };
        emit!(
            self,
            format!(
                "mov.u32 %t1, %laneid;\nshr.u32 %t1, {mask:#x}, %t1;\nand.b32 %t1, %t1, 1;\nsetp.ne.u32 %q5, %t1, 0;\n\
                 selp.b32 %t10, {mask:#x}, {:#x}, %q5;\nand.b32 %t10, %t10, %t15;",
                !mask
            )
        );
        if self.rng.one_in(2) {
            return self.lanes_of("%t10", false);
        }
        let (els, end) = (self.label(), self.label());
        emit!(self, format!("@%q5 bra {els};"));
        // The whole warp may meet at several `bar.warp.sync`.
        let meets = self.rng.one_in(3);
        for side in 0..2 {
            for _ in 0..1 + self.rng.below(2) {
                if self.rng.one_in(2) {
                    self.lanes_of("%t10", false);
                } else {
                    self.simple();
                }
            }
            if meets {
                emit!(self, "bar.warp.sync %t15;");
            }
            if side == 0 {
                emit!(self, format!("bra {end};\n{els}:"));
            }
        }
        emit!(self, format!("{end}:"));
    }
}
