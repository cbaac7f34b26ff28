//! The shape of a kernel: start, nested and irreducible control flow, early ends, and the end that shows all registers.

use super::{COUNTER_BYTES, DWORDS, FLOATS, Generator, HALVES, OUT_BYTES, OWN_BYTES, PAIRS, PREDICATES, interesting};

const MAX_DEPTH: u32 = 4;

impl Generator<'_> {
    pub fn body(&mut self) {
        self.start();
        while self.left > 0 {
            self.statement();
        }
        emit!(self, "END:");
        self.store_registers(true);
        emit!(self, "ret;");
    }

    /// Addresses, and a value for every register; shared and local memory as well.
    fn start(&mut self) {
        // %a10 input, %a11 the thread's output, %a12 local (generic), %a13 counters, %a14 the thread's shared memory (generic), %a15 a constant's
        // address; %t11 threads of all warps, %t12 and %t13 the first thread's and its own shared memory, %t14 its slot, %t15 its warp.
        emit!(
            self,
            "ld.param.u64 %a11, [out];\nld.param.u64 %a10, [in];\nld.param.u64 %a13, [counters];\nld.param.u32 %u1, [a];\n\
             ld.param.u32 %u2, [b];\nmov.u32 %u3, %ctaid.x;\nmov.u32 %t0, %tid.x;\nmov.u32 %t2, %ntid.x;\n\
             mad.lo.u32 %t1, %u3, %t2, %t0;\ncvta.to.global.u64 %a10, %a10;\ncvta.to.global.u64 %a11, %a11;\n\
             cvta.to.global.u64 %a13, %a13;",
        );
        emit!(self, format!("mad.wide.u32 %a11, %t1, {OUT_BYTES}, %a11;"));
        emit!(
            self,
            "mov.u64 %a2, local;\ncvta.local.u64 %a12, %a2;\nshl.b32 %t14, %t0, 3;\nmov.u32 %t3, shared;\nadd.u32 %t14, %t14, %t3;"
        );
        // The lanes of the warp that exist: below ntid - 32 * (tid / 32).
        emit!(
            self,
            "and.b32 %t4, %t0, 0xffffffe0;\nsub.u32 %t4, %t2, %t4;\nmin.u32 %t4, %t4, 32;\nsub.u32 %t4, 32, %t4;\n\
             shr.u32 %t15, 0xffffffff, %t4;",
        );
        emit!(
            self,
            format!(
                "add.u32 %t11, %t2, 31;\nand.b32 %t11, %t11, 0xffffffe0;\nmov.u32 %t12, own;\nmad.lo.u32 %t13, %t0, {OWN_BYTES}, %t12;\n\
                 cvt.u64.u32 %a1, %t13;\ncvta.shared.u64 %a14, %a1;\nmov.u64 %a1, table;\ncvta.const.u64 %a15, %a1;"
            )
        );
        for n in 1..=DWORDS {
            match self.rng.below(4) {
                0 => {
                    let value = interesting(&mut self.rng);
                    emit!(self, format!("mov.b32 %r{n}, {value:#x};"));
                }
                1 => emit!(self, format!("mad.lo.u32 %r{n}, %t1, {:#x}, %u1;", self.rng.bits() as u32)),
                2 => emit!(self, format!("add.u32 %r{n}, %t0, %u{};", 1 + self.rng.below(3))),
                _ => emit!(
                    self,
                    format!(
                        "and.b32 %t5, %t1, 127;\nmul.wide.u32 %a1, %t5, 4;\nadd.u64 %a1, %a10, %a1;\nld.global.b32 %r{n}, [%a1+{}];",
                        4 * self.rng.below(64)
                    )
                ),
            }
        }
        for n in 1..=PAIRS {
            let (a, b) = (self.reg('r'), self.reg('r'));
            emit!(self, format!("mov.b64 %d{n}, {{{a}, {b}}};"));
        }
        for n in 1..=HALVES {
            let a = self.reg('r');
            emit!(self, format!("cvt.u16.u32 %h{n}, {a};"));
        }
        for n in 1..=PREDICATES {
            let (a, b) = (self.reg('r'), self.reg('r'));
            emit!(self, format!("setp.lt.s32 %p{n}, {a}, {b};"));
        }
        for n in 1..=FLOATS {
            let a = self.reg('r');
            emit!(self, format!("cvt.rn.f32.s32 %f{n}, {a};"));
        }
        emit!(
            self,
            "st.shared.b64 [%t14], %d1;\nst.shared.v2.b64 [%t13], {%d1, %d2};\nst.shared.v2.b64 [%t13+16], {%d3, %d2};"
        );
        // The lowest threads clear the counters of the block; a block may be smaller than they are many.
        let words = COUNTER_BYTES / 8;
        let turns = words.div_ceil(self.block as usize);
        for turn in 0..turns {
            let first = turn * self.block as usize;
            emit!(
                self,
                format!(
                    "add.u32 %t1, %t0, {first};\nsetp.lt.u32 %q1, %t1, {words};\nshl.b32 %t1, %t1, 3;\nmov.u32 %t3, counts;\n\
                     add.u32 %t1, %t1, %t3;\n@%q1 st.shared.b64 [%t1], 0;"
                )
            );
        }
        for n in 0..4 {
            let (a, b) = (self.reg('r'), self.reg('r'));
            emit!(self, format!("st.local.v4.b32 [local+{}], {{{a}, {b}, {a}, {b}}};", 16 * n));
        }
        emit!(self, "bar.sync 0;");
    }

    /// Everything that a thread has into the first half of its part.
    fn store_registers(&mut self, all: bool) {
        for n in 0..DWORDS {
            if all || self.rng.one_in(3) {
                emit!(self, format!("st.global.b32 [%a11+{}], %r{};", 4 * n, n + 1));
            }
        }
        if !all {
            return;
        }
        for n in 0..PAIRS {
            emit!(self, format!("st.global.b64 [%a11+{}], %d{};", 40 + 8 * n, n + 1));
        }
        for n in 0..HALVES {
            emit!(self, format!("st.global.b16 [%a11+{}], %h{};", 80 + 2 * n, n + 1));
        }
        for n in 0..PREDICATES {
            emit!(self, format!("selp.u32 %t1, 1, 0, %p{};\nst.global.u8 [%a11+{}], %t1;", n + 1, 88 + n));
        }
        for n in 0..FLOATS {
            emit!(self, format!("st.global.b32 [%a11+{}], %f{};", 92 + 4 * n, n + 1));
        }
        emit!(self, "ld.local.b64 %a1, [local+8];\nst.global.b64 [%a11+112], %a1;");
    }

    pub fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn counter(&mut self) -> String {
        self.counters += 1;
        format!("%c{}", self.counters)
    }

    fn statement(&mut self) {
        self.left = self.left.saturating_sub(1);
        let deep = self.depth >= MAX_DEPTH;
        match self.rng.below(24) {
            0..=2 if !deep => self.branch(),
            3 | 4 if !deep => self.repeat(),
            5 if !deep => self.maze(),
            6 if !deep => self.switch(),
            7 if !deep && self.rng.one_in(2) => self.ends_early(),
            8 if self.uniform && self.rng.one_in(2) => self.barrier_apart(),
            9 | 10 if self.uniform => self.together(),
            _ => self.simple(),
        }
    }

    /// Some statements, in a context that not all threads need come to.
    pub fn nested(&mut self, most: u32, uniform: bool) {
        let before = self.uniform;
        self.uniform = uniform && before;
        self.depth += 1;
        for _ in 0..1 + self.rng.below(most) {
            if self.left == 0 {
                self.simple();
                break;
            }
            self.statement();
        }
        self.depth -= 1;
        self.uniform = before;
    }

    /// A predicate for a branch, fresh or old: `p`, or its negation.
    pub fn condition(&mut self) -> String {
        if self.rng.one_in(2) {
            let (a, b) = (self.reg('r'), self.reg('r'));
            let p = self.reg('p');
            emit!(self, format!("setp.lt.u32 {p}, {a}, {b};"));
            return format!("@{p}");
        }
        let sign = if self.rng.one_in(2) { "!" } else { "" };
        format!("@{sign}{}", self.reg('p'))
    }

    fn branch(&mut self) {
        let (els, end) = (self.label(), self.label());
        let uniform = self.rng.one_in(4);
        let condition = if uniform {
            let (a, b) = (self.reg('u'), self.reg('u'));
            emit!(self, format!("setp.lt.s32 %q1, {a}, {b};"));
            "@%q1".to_string()
        } else {
            self.condition()
        };
        let both = self.rng.one_in(2);
        emit!(self, format!("{condition} bra {};", if both { &els } else { &end }));
        self.nested(4, uniform);
        if both {
            emit!(self, format!("bra {end};\n{els}:"));
            self.nested(4, uniform);
        }
        emit!(self, format!("{end}:"));
    }

    /// A loop with a bounded count, perhaps of each thread, with ways out and back in the middle.
    fn repeat(&mut self) {
        let (top, next, end) = (self.label(), self.label(), self.label());
        let counter = self.counter();
        let uniform = self.rng.one_in(3);
        if uniform {
            emit!(self, format!("mov.u32 {counter}, {};", 1 + self.rng.below(3)));
        } else {
            let a = self.reg('r');
            emit!(self, format!("and.b32 {counter}, {a}, 3;"));
        }
        emit!(self, format!("{top}:"));
        self.nested(3, uniform);
        if !uniform && self.rng.one_in(2) {
            let condition = self.condition();
            let to = if self.rng.one_in(2) { &end } else { &next };
            emit!(self, format!("{condition} bra {to};"));
            self.nested(2, false);
        }
        emit!(
            self,
            format!(
                "{next}:\nsub.s32 {counter}, {counter}, 1;\nsetp.gt.s32 %q2, {counter}, 0;\n@%q2 bra {top};\n{end}:"
            )
        );
    }

    /// Blocks that jump among each other in any way; fuel runs out at last.
    fn maze(&mut self) {
        let count = 2 + self.rng.below(4);
        let labels: Vec<String> = (0..count).map(|_| self.label()).collect();
        let end = self.label();
        let fuel = self.counter();
        emit!(self, format!("mov.u32 {fuel}, {};", 3 + self.rng.below(8)));
        if self.rng.one_in(2) {
            let condition = self.condition();
            let to = self.rng.pick(&labels).clone();
            emit!(self, format!("{condition} bra {to};"));
        }
        for label in &labels {
            emit!(self, format!("{label}:\nsub.s32 {fuel}, {fuel}, 1;\nsetp.lt.s32 %q3, {fuel}, 0;\n@%q3 bra {end};"));
            self.nested(2, false);
            for _ in 0..self.rng.below(3) {
                let condition = self.condition();
                let to = if self.rng.one_in(5) { end.clone() } else { self.rng.pick(&labels).clone() };
                emit!(self, format!("{condition} bra {to};"));
            }
            if self.rng.one_in(4) {
                let to = self.rng.pick(&labels).clone();
                emit!(self, format!("bra {to};"));
            }
        }
        emit!(self, format!("{end}:"));
    }

    fn switch(&mut self) {
        let labels: Vec<String> = (0..4).map(|_| self.label()).collect();
        let (list, end) = (self.label(), self.label());
        let (a, uni) = if self.rng.one_in(4) { (self.reg('u'), ".uni") } else { (self.reg('r'), "") };
        emit!(
            self,
            format!("and.b32 %t1, {a}, 3;\n{list}: .branchtargets {};\nbrx.idx{uni} %t1, {list};", labels.join(", "))
        );
        for label in &labels {
            emit!(self, format!("{label}:"));
            self.nested(2, false);
            if !self.rng.one_in(3) {
                emit!(self, format!("bra {end};"));
            }
        }
        emit!(self, format!("{end}:"));
    }

    /// Some threads show a part of their registers and end, or go to the end at once.
    fn ends_early(&mut self) {
        let over = self.label();
        let (a, b) = (self.reg('r'), self.reg('r'));
        emit!(self, format!("and.b32 %t1, {a}, 7;\nsetp.ne.u32 %q4, %t1, {};\n@%q4 bra {over};", self.rng.below(8)));
        emit!(self, format!("add.u32 {a}, {a}, {b};"));
        if self.rng.one_in(3) {
            emit!(self, "bra END;");
        } else {
            self.store_registers(false);
            emit!(self, if self.rng.one_in(2) { "exit;" } else { "ret;" });
        }
        emit!(self, format!("{over}:"));
        self.may_have_ended = true;
    }
}
