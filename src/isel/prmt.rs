//! PTX `prmt` with a selector in a register.
//!
//! Spec: PTX ISA, "prmt". Upper bits of the selector are ignored by each sequence. `docs/byteperm.md` has their costs beside what a search
//! rules out, `tests/it/byteperm` the proof over all 65,536 selectors.

use super::{Ctx, Lowered};
use crate::amd::{Mods, ops};
use crate::ir::{InstData, PrmtMode};
use crate::mir::{Operand, Reg};

const fn k(bits: u32) -> Operand {
    Operand::Imm(bits as u64)
}

impl Ctx<'_> {
    pub(super) fn lower_prmt(&mut self, mode: PrmtMode, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [a, b, c] = [0, 1, 2].map(|i| self.src(data.args[i]));
        match mode {
            PrmtMode::Generic => self.prmt_generic(dst, a, b, c),
            PrmtMode::Bytes => self.valu(ops::v_perm_b32, dst, &[b, a, c]),
            PrmtMode::F4e => self.valu(ops::v_alignbyte_b32, dst, &[b, a, c]),
            PrmtMode::B4e => self.prmt_b4e(dst, a, b, c),
            PrmtMode::Rc8 => {
                let byte = self.vtmp(1);
                self.valu(ops::v_alignbyte_b32, byte, &[a, a, c]);
                self.valu(ops::v_perm_b32, dst, &[byte.into(), byte.into(), k(0)]);
            }
            PrmtMode::Ecl => self.prmt_ecl(dst, a, c),
            PrmtMode::Ecr => self.prmt_ecr(dst, a, c),
            PrmtMode::Rc16 => self.prmt_rc16(dst, a, c),
        }
        Ok(())
    }

    /// The picked bytes D, in the order D2 D0 D3 D1, then a second permute that takes a byte or its sign. A nibble's sign bit tops a byte
    /// where `v_perm` can spread it; nibble 3 needs no mask, because its pick (2) and its sign (10) differ in bit 3 alone.
    fn prmt_generic(&mut self, dst: Reg, a: Operand, b: Operand, c: Operand) {
        let [shifted, spread, picks, masks, picked, selector, moved] = [(); 7].map(|()| self.vtmp(1));
        self.valu(ops::v_lshlrev_b32, shifted, &[k(12), c]);
        self.valu(ops::v_perm_b32, spread, &[shifted.into(), c, k(0x0607_0001)]);
        self.valu(ops::v_and_b32, picks, &[k(0x0707_0707), spread.into()]);
        self.valu(ops::v_perm_b32, masks, &[shifted.into(), spread.into(), k(0x0209_080a)]);
        self.valu(ops::v_perm_b32, picked, &[b, a, picks.into()]);
        self.valu(ops::v_bfi_b32, selector, &[masks.into(), k(0x0a0b_0908), k(0x0200_0301)]);
        self.valu(ops::v_alignbit_b32, moved, &[picked.into(), picked.into(), k(8)]);
        self.valu(ops::v_perm_b32, dst, &[moved.into(), picked.into(), selector.into()]);
    }

    /// The selector is a window of 4 bytes in 07 06 05 04 03 02 01 00 seen backwards.
    fn prmt_b4e(&mut self, dst: Reg, a: Operand, b: Operand, c: Operand) {
        let (from, selector) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_not_b32, from, &[c]);
        self.valu(ops::v_alignbyte_b32, selector, &[k(0x0001_0203), k(0x0405_0607), from.into()]);
        self.valu(ops::v_perm_b32, dst, &[a, b, selector.into()]);
    }

    /// Byte k of the selector is max(k, c), or 4 more, which is the same byte of a. No window of constant bytes says that, but both halves of
    /// one do when multiplied: half of the selector = half of 03020100 - 3 * window, with thirds such as 0x54aa in the window. The high half
    /// of the window makes the low half of the selector.
    fn prmt_ecl(&mut self, dst: Reg, a: Operand, c: Operand) {
        let (window, selector) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_alignbyte_b32, window, &[k(0x00ff_53aa), k(0xa954_0000), c]);
        let mods = Mods { op_sel: 0b001, op_sel_hi: 0b100, ..Mods::vop3p() };
        let uses = [window.into(), k(-3i32 as u32), k(0x0302_0100)];
        self.valu_mods(ops::v_pk_mad_u16, &[selector], &uses, mods);
        self.valu(ops::v_perm_b32, dst, &[a, a, selector.into()]);
    }

    /// Selector K - (K << 8c) with K = 03020100: no byte borrows.
    fn prmt_ecr(&mut self, dst: Reg, a: Operand, c: Operand) {
        let (bits, selector) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_lshlrev_b32, bits, &[k(3), c]);
        self.valu(ops::v_lshl_add_u32, selector, &[k(0xfcfd_ff00), bits.into(), k(0x0302_0100)]);
        self.valu(ops::v_perm_b32, dst, &[a, a, selector.into()]);
    }

    /// The half that bit 0 of c names, in both halves.
    fn prmt_rc16(&mut self, dst: Reg, a: Operand, c: Operand) {
        let (bits, low) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_lshlrev_b32, bits, &[k(4), c]);
        self.valu(ops::v_lshrrev_b32, low, &[bits.into(), a]);
        let mods = Mods { op_sel_hi: 0b110, ..Mods::vop3p() };
        self.valu_mods(ops::v_pk_add_u16, &[dst], &[low.into(), k(0)], mods);
    }
}
