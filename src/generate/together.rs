//! What the threads of a block do together: barriers of every kind, and exchanges through shared memory between them.
//!
//! Every thread has a slot of eight bytes. A barrier with a count of threads counts whole warps, so that it stands only where no
//! thread of the block has ended.

use super::Generator;

impl Generator<'_> {
    /// Statements that only the block as a whole executes.
    pub fn together(&mut self) {
        // A thread that has ended in an earlier turn of a loop has no value for a shuffle, and no warp to count.
        let all_here = !self.may_have_ended && self.depth == 0;
        match self.rng.below(12) {
            0 | 1 => {
                let (a, b, u) = (self.reg('u'), self.reg('u'), self.reg('u'));
                let op = *self.rng.pick(&["add.u32", "xor.b32", "mul.lo.u32", "min.u32"]);
                emit!(self, format!("{op} {a}, {b}, {u};"));
            }
            2 => self.counters_of_the_block(),
            3 => self.barrier_reduction(),
            4 if all_here => self.producers(),
            5 if all_here && self.block >= 64 => self.groups(),
            _ if self.config.lanes && all_here => self.lanes(),
            _ => self.exchange(),
        }
    }

    /// The number of a barrier: a constant, or a register that is the same for all.
    fn barrier_number(&mut self) -> String {
        match self.rng.below(16) {
            0 => {
                let u = self.reg('u');
                emit!(self, format!("and.b32 %t10, {u}, 15;"));
                "%t10".to_string()
            }
            1..=5 => self.rng.below(16).to_string(),
            _ => "0".to_string(),
        }
    }

    /// All threads of the block, in whole warps; nothing where some may have ended.
    fn barrier_count(&mut self) -> String {
        if self.may_have_ended || self.depth > 0 || !self.rng.one_in(3) {
            return String::new();
        }
        format!(", {}", self.everyone())
    }

    fn everyone(&mut self) -> String {
        if self.rng.one_in(4) { "%t11".to_string() } else { self.block.next_multiple_of(32).to_string() }
    }

    /// A barrier that all threads come to, some of them from one of these, which others may still be at.
    fn sync_behind(&mut self, numbers: &[&str]) {
        let words = self.words("{bar|bar.cta|barrier|barrier.cta}.sync");
        if let &[register @ "%t10"] = numbers {
            return emit!(self, format!("xor.b32 %t17, {register}, 1;\n{words} %t17;"));
        }
        let number = loop {
            let number = self.rng.below(16).to_string();
            if !numbers.contains(&number.as_str()) {
                break number;
            }
        };
        let count = self.barrier_count();
        emit!(self, format!("{words} {number}{count};"));
    }

    /// A barrier that all threads come to at this instruction.
    fn sync(&mut self) -> String {
        let words = self.words("{bar.sync|bar.sync|bar.cta.sync|barrier.sync|barrier.cta.sync|barrier.sync.aligned|barrier.cta.sync.aligned}");
        let (number, count) = (self.barrier_number(), self.barrier_count());
        format!("{words} {number}{count};")
    }

    fn store_slot(&mut self) {
        if self.rng.one_in(3) {
            let d = self.reg('d');
            emit!(self, format!("st.shared.b64 [%t14], {d};"));
        } else {
            let r = self.reg('r');
            emit!(self, format!("st.shared.b32 [%t14], {r};"));
        }
    }

    /// Reads the slot of any thread from `first` on, among `count`, by a register that need not be the same for all.
    fn load_slot(&mut self, first: u32, count: &str) {
        let (other, to, d) = (self.reg('r'), self.reg('r'), self.reg('d'));
        emit!(
            self,
            format!(
                "mov.u32 %t1, {count};\nrem.u32 %t1, {other}, %t1;\nshl.b32 %t1, %t1, 3;\nmov.u32 %t2, shared;\nadd.u32 %t1, %t1, %t2;"
            )
        );
        let first = 8 * first;
        match self.rng.below(4) {
            0 => emit!(self, format!("ld.shared.b64 {d}, [%t1+{first}];")),
            1 => emit!(self, format!("ld.shared.u8 {to}, [%t1+{}];", first + self.rng.below(8))),
            2 => emit!(self, format!("ld.shared.s16 {to}, [%t1+{}];", first + 2 * self.rng.below(4))),
            _ => emit!(self, format!("ld.shared.b32 {to}, [%t1+{}];", first + 4 * self.rng.below(2))),
        }
    }

    fn exchange(&mut self) {
        self.store_slot();
        let barrier = self.sync();
        emit!(self, barrier);
        self.load_slot(0, "%ntid.x");
        let barrier = self.sync();
        emit!(self, barrier);
    }

    /// What all threads have counted so far, while nobody counts.
    fn counters_of_the_block(&mut self) {
        let barrier = self.sync();
        emit!(self, barrier);
        let d = self.reg('d');
        let at = 8 * self.rng.below(super::COUNTER_BYTES as u32 / 8);
        emit!(self, format!("ld.shared.b64 {d}, [counts+{at}];"));
        let barrier = self.sync();
        emit!(self, barrier);
    }

    fn barrier_reduction(&mut self) {
        let words = self.words("{bar|bar.cta|barrier|barrier.cta}.red");
        let aligned = words.starts_with("barrier") && self.rng.one_in(2);
        let suffix = if aligned { ".aligned" } else { "" };
        let (number, count) = (self.barrier_number(), self.barrier_count());
        let (r, p, q) = (self.reg('r'), self.reg('p'), self.reg('p'));
        let not = if self.rng.one_in(2) { "!" } else { "" };
        if self.rng.one_in(2) {
            emit!(self, format!("{words}.popc{suffix}.u32 {r}, {number}{count}, {not}{p};"));
        } else {
            let op = *self.rng.pick(&["and", "or"]);
            emit!(self, format!("{words}.{op}{suffix}.pred {q}, {number}{count}, {not}{p};"));
        }
    }

    /// Some threads arrive, the others wait for them: whole warps, or any threads.
    fn producers(&mut self) {
        self.store_slot();
        let (arrive, end) = (self.label(), self.label());
        let (number, count) = (self.barrier_number(), self.everyone());
        let warps = self.rng.one_in(2);
        let condition = if warps {
            let limit = 32 * self.rng.below(self.block / 32 + 1);
            emit!(self, format!("setp.lt.u32 %q5, %t0, {limit};"));
            "@%q5".to_string()
        } else {
            self.condition()
        };
        let pattern = if warps { "{bar|bar.cta|barrier|barrier.cta}" } else { "{barrier|barrier.cta}" };
        let (waits, arrives) = (self.words(pattern), self.words(pattern));
        let aligned = |this: &mut Self, words: &str| {
            if warps && words.starts_with("barrier") && this.rng.one_in(2) { ".aligned" } else { "" }
        };
        let suffix = aligned(self, &waits);
        emit!(self, format!("{condition} bra {arrive};\n{waits}.sync{suffix} {number}, {count};"));
        self.load_slot(0, "%ntid.x");
        let suffix = aligned(self, &arrives);
        emit!(self, format!("bra {end};\n{arrive}:\n{arrives}.arrive{suffix} {number}, {count};\n{end}:"));
        self.sync_behind(&[&number]);
    }

    /// Two groups of warps, each with a barrier of its own.
    fn groups(&mut self) {
        self.store_slot();
        let warps = self.block.div_ceil(32);
        let first = 1 + self.rng.below(warps - 1);
        let (els, end) = (self.label(), self.label());
        let n = self.rng.below(16);
        let numbers = [n, (n + 1 + self.rng.below(15)) % 16];
        let limit = 32 * first;
        emit!(self, format!("setp.ge.u32 %q5, %t0, {limit};\n@%q5 bra {els};"));
        for (group, number) in numbers.into_iter().enumerate() {
            let (from, count) = if group == 0 { (0, limit) } else { (limit, self.block - limit) };
            let whole = count.next_multiple_of(32);
            if self.rng.one_in(3) {
                let (r, p) = (self.reg('r'), self.reg('p'));
                let words = self.words("{bar|bar.cta|barrier|barrier.cta}.red.popc");
                emit!(self, format!("{words}.u32 {r}, {number}, {whole}, {p};"));
            } else {
                let words = self.words("{bar|bar.cta|barrier|barrier.cta}.sync");
                emit!(self, format!("{words} {number}, {whole};"));
            }
            self.load_slot(from, &count.to_string());
            if group == 0 {
                emit!(self, format!("bra {end};\n{els}:"));
            }
        }
        emit!(self, format!("{end}:"));
        let numbers = numbers.map(|number| number.to_string());
        self.sync_behind(&[&numbers[0], &numbers[1]]);
    }

    /// Threads come to the barrier by different instructions, which only those without `.aligned` allow.
    pub fn barrier_apart(&mut self) {
        let (els, end) = (self.label(), self.label());
        let condition = self.condition();
        let (red, popc) = (self.rng.one_in(3), self.rng.one_in(2));
        let number = self.barrier_number();
        // The number stays when statements between change everything else.
        if number == "%t10" {
            emit!(self, "mov.u32 %t16, %t10;");
        }
        emit!(self, format!("{condition} bra {els};"));
        for side in 0..2 {
            self.nested(2, false);
            let a = self.reg('r');
            emit!(self, format!("st.shared.b32 [%t14], {a};"));
            let number = if number == "%t10" { "%t16" } else { &number };
            let words = self.words("{barrier|barrier.cta}");
            let (r, p, q) = (self.reg('r'), self.reg('p'), self.reg('p'));
            match (red, popc) {
                (false, _) => emit!(self, format!("{words}.sync {number};")),
                (true, true) => emit!(self, format!("{words}.red.popc.u32 {r}, {number}, {p};")),
                (true, false) => emit!(self, format!("{words}.red.or.pred {q}, {number}, {p};")),
            }
            if side == 0 {
                self.nested(1, false);
                emit!(self, format!("bra {end};\n{els}:"));
            }
        }
        emit!(self, format!("{end}:"));
        self.load_slot(0, "%ntid.x");
        emit!(self, "bar.sync 0;");
    }
}
