//! Statements without control flow: which are made how often, and a few that are more than one instruction.

use super::Generator;
use super::forms::{FLOAT_FORMS, FORMS};

impl Generator<'_> {
    /// Any statement that needs no control flow.
    pub fn simple(&mut self) {
        match self.rng.below(40) {
            0 | 1 => self.carry_chain(),
            2..=6 => self.load(),
            7..=9 => self.store(),
            10 => self.call(),
            11 | 12 => self.count(),
            13 | 14 => self.count_alone(),
            15 => self.rare(),
            16 | 17 => self.rotate_or_bytes(),
            18..=20 if self.config.floats => {
                let form = *self.rng.pick(FLOAT_FORMS);
                self.form(form);
            }
            _ => {
                let form = *self.rng.pick(FORMS);
                self.form(form);
            }
        }
    }

    /// Fences, addresses of all spaces, and an end by a fault that never comes.
    fn rare(&mut self) {
        match self.rng.below(8) {
            0..=2 => {
                let fence = self.words("{membar.cta|membar.gl|membar.sys|fence.sc.cta|fence.sc.gpu|fence.acq_rel.cta|fence.acq_rel.sys|fence.acquire.gpu|fence.release.cluster}");
                emit!(self, format!("{fence};"));
            }
            3 => emit!(self, "setp.gt.u32 %q6, %t0, 5000;\n@%q6 trap;"),
            _ => self.through_generic(),
        }
    }

    /// Additions, subtractions and products of several words, with all that there is of carries.
    fn carry_chain(&mut self) {
        let (a, b, c, d) = (self.reg('r'), self.reg('r'), self.reg('r'), self.reg('r'));
        let (e, f) = (self.reg('r'), self.reg('r'));
        let k = self.constant(32);
        let ty = *self.rng.pick(&["u32", "s32"]);
        let (x, y, z) = (self.reg('d'), self.reg('d'), self.reg('d'));
        let wide = *self.rng.pick(&["u64", "s64"]);
        let op = *self.rng.pick(&["add", "sub"]);
        let (half, other) = (self.words("{lo|hi}"), self.words("{lo|hi}"));
        match self.rng.below(5) {
            0 => emit!(
                self,
                format!(
                    "{op}.cc.{ty} %t1, {a}, {k};\n{op}c.cc.{ty} %t2, {c}, {d};\n{op}c.{ty} {e}, {f}, {b};\nxor.b32 {a}, %t1, %t2;"
                )
            ),
            1 => emit!(
                self,
                format!(
                    "mad.{half}.cc.{ty} %t1, {a}, {b}, {c};\nmadc.{other}.cc.{ty} %t2, {a}, {b}, {d};\naddc.u32 {e}, 0, 0;\n\
                     add.u32 {f}, %t1, %t2;"
                )
            ),
            2 => emit!(
                self,
                format!("{op}.cc.{ty} %t1, {a}, {b};\nmadc.{half}.{ty} {e}, {c}, {d}, {k};\nxor.b32 {f}, {f}, %t1;")
            ),
            3 => emit!(
                self,
                format!(
                    "{op}.cc.{wide} %a1, {x}, {y};\n{op}c.cc.{wide} %a2, {y}, {z};\n{op}c.{wide} {x}, {z}, %a1;\nxor.b64 {y}, {y}, %a2;"
                )
            ),
            _ => emit!(
                self,
                format!(
                    "mad.{half}.cc.{wide} %a1, {x}, {y}, {z};\nmadc.{other}.cc.{wide} %a2, {x}, {y}, {z};\nmadc.{half}.{wide} {x}, {y}, {z}, %a1;\n\
                     xor.b64 {z}, {z}, %a2;"
                )
            ),
        }
    }

    /// What people write for rotations and byte work.
    fn rotate_or_bytes(&mut self) {
        let (a, b, c) = (self.reg('r'), self.reg('r'), self.reg('r'));
        let n = 1 + self.rng.below(31);
        let byte = 8 * (1 + self.rng.below(3));
        match self.rng.below(5) {
            0 => emit!(self, format!("shl.b32 %t1, {a}, {n};\nshr.u32 %t2, {a}, {};\nor.b32 {b}, %t1, %t2;", 32 - n)),
            1 => emit!(
                self,
                format!(
                    "and.b32 %t1, {a}, 0xff00ff;\nshl.b32 %t1, %t1, 8;\nshr.u32 %t2, {b}, 8;\nand.b32 %t2, %t2, 0xff00ff;\nor.b32 {c}, %t1, %t2;"
                )
            ),
            2 => emit!(
                self,
                format!(
                    "shr.u32 %t1, {a}, {byte};\nand.b32 %t1, %t1, 255;\ncvt.s32.s8 %t2, {b};\nadd.s32 {c}, %t1, %t2;"
                )
            ),
            3 => emit!(self, format!("bfe.u32 %t1, {a}, {byte}, 8;\nbfi.b32 {c}, %t1, {b}, {}, 8;", 32 - byte)),
            _ => {
                let (s, t) = (self.rng.below(0x1_0000), self.rng.below(0x1_0000));
                emit!(self, format!("prmt.b32 %t1, {a}, {b}, {s:#x};\nprmt.b32 {c}, %t1, {b}, {t:#x};"));
            }
        }
    }
}
