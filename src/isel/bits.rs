//! Bit fields, selects between bits, funnel shifts, and the ops of image and checksum code (`sad`, `dp4a`).

use super::{Ctx, Lowered};
use crate::amd::{Feature, Mods, Op as AmdOp, ops};
use crate::ir::InstData;
use crate::mir::{Operand, Reg};

impl Ctx<'_> {
    /// `v_alignbit_b32` is this very op. The scalar unit shifts a pair.
    pub(super) fn lower_funnel(&mut self, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [hi, lo, amount] = [0, 1, 2].map(|i| self.src(data.args[i]));
        if !self.is_sgpr(data.results[0]) {
            self.valu(ops::v_alignbit_b32, dst, &[hi, lo, amount]);
            return Ok(());
        }
        let (pair, out) = (self.stmp(2), self.stmp(2));
        let amount = self.masked5(amount);
        self.copy(pair.sub(0, 1), lo);
        self.copy(pair.sub(1, 1), hi);
        self.salu(ops::s_lshr_b64, &[out], &[pair.into(), amount]);
        self.copy(dst, out.sub(0, 1).into());
        Ok(())
    }

    /// `operand & 31`, in an SGPR or constant.
    fn masked5(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Imm(bits) => Operand::Imm(bits & 31),
            other => {
                let tmp = self.stmp(1);
                self.salu(ops::s_and_b32, &[tmp], &[other, Operand::Imm(31)]);
                tmp.into()
            }
        }
    }

    /// `s_bfe` takes position [4:0] and length [22:16] in one operand.
    pub(super) fn lower_bfe(&mut self, signed: bool, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [a, pos, len] = [0, 1, 2].map(|i| self.src(data.args[i]));
        if !self.is_sgpr(data.results[0]) {
            self.valu(if signed { ops::v_bfe_i32 } else { ops::v_bfe_u32 }, dst, &[a, pos, len]);
            return Ok(());
        }
        let (pos, len) = (self.masked5(pos), self.masked5(len));
        let field = match (pos, len) {
            (Operand::Imm(pos), Operand::Imm(len)) => Operand::Imm(len << 16 | pos),
            (pos, Operand::Imm(len)) => self.combined_field(pos, Operand::Imm(len << 16)),
            (pos, len) => {
                let shifted = self.stmp(1);
                self.salu(ops::s_lshl_b32, &[shifted], &[len, Operand::Imm(16)]);
                self.combined_field(pos, shifted.into())
            }
        };
        self.salu(if signed { ops::s_bfe_i32 } else { ops::s_bfe_u32 }, &[dst], &[a, field]);
        Ok(())
    }

    fn combined_field(&mut self, pos: Operand, len: Operand) -> Operand {
        let field = self.stmp(1);
        self.salu(ops::s_or_b32, &[field], &[pos, len]);
        field.into()
    }

    pub(super) fn lower_bit_select(&mut self, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        if !self.is_sgpr(data.results[0]) && self.fold_logic(dst, data) {
            return Ok(());
        }
        let [mask, a, b] = [0, 1, 2].map(|i| self.src(data.args[i]));
        if !self.is_sgpr(data.results[0]) {
            self.valu(ops::v_bfi_b32, dst, &[mask, a, b]);
            return Ok(());
        }
        let (x, y) = (self.stmp(1), self.stmp(1));
        self.salu(ops::s_and_b32, &[x], &[a, mask]);
        match mask {
            Operand::Imm(bits) => self.salu(ops::s_and_b32, &[y], &[b, Operand::Imm(!bits & 0xffff_ffff)]),
            mask => self.salu(ops::s_and_not1_b32, &[y], &[b, mask]),
        }
        self.salu(ops::s_or_b32, &[dst], &[x.into(), y.into()]);
        Ok(())
    }

    /// `v_sad_u32` is unsigned; flipping both signs keeps the distance.
    pub(super) fn lower_sad(&mut self, signed: bool, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [mut a, mut b, c] = [0, 1, 2].map(|i| self.src(data.args[i]));
        if signed {
            (a, b) = (self.flipped_sign(a), self.flipped_sign(b));
        }
        self.valu(ops::v_sad_u32, dst, &[a, b, c]);
        Ok(())
    }

    fn flipped_sign(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Imm(bits) => Operand::Imm(bits ^ 0x8000_0000),
            other => {
                let tmp = self.vtmp(1);
                self.valu(ops::v_xor_b32, tmp, &[Operand::Imm(0x8000_0000), other]);
                tmp.into()
            }
        }
    }

    pub(super) fn lower_dot4(&mut self, a_signed: bool, b_signed: bool, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [a, b, c] = [0, 1, 2].map(|i| self.src(data.args[i]));
        match (a_signed, b_signed) {
            (false, false) if self.target.has(Feature::DotU8) => self.valu(ops::v_dot4_u32_u8, dst, &[a, b, c]),
            (true, true) if self.target.has(Feature::DotI8Signed) => self.valu(ops::v_dot4_i32_i8, dst, &[a, b, c]),
            _ if self.target.has(Feature::DotIu8) => {
                // A neg bit makes its operand signed.
                let mods = Mods { neg: a_signed as u8 | (b_signed as u8) << 1, ..Mods::vop3p() };
                self.valu_mods(ops::v_dot4_i32_iu8, &[dst], &[a, b, c], mods);
            }
            _ => self.dot4_by_bytes(a_signed, b_signed, dst, [a, b, c]),
        }
        Ok(())
    }

    /// Four multiply-adds of 24-bit operands; a byte of either kind and their products fit.
    fn dot4_by_bytes(&mut self, a_signed: bool, b_signed: bool, dst: Reg, [a, b, c]: [Operand; 3]) {
        let mut sum = c;
        for byte in 0..4u64 {
            let x = self.byte(a_signed, a, byte);
            let y = self.byte(b_signed, b, byte);
            let next = if byte == 3 { dst } else { self.vtmp(1) };
            self.valu(ops::v_mad_i32_i24, next, &[x.into(), y.into(), sum]);
            sum = next.into();
        }
    }

    fn byte(&mut self, signed: bool, of: Operand, byte: u64) -> Reg {
        let tmp = self.vtmp(1);
        let op: AmdOp = if signed { ops::v_bfe_i32 } else { ops::v_bfe_u32 };
        self.valu(op, tmp, &[of, Operand::Imm(8 * byte), Operand::Imm(8)]);
        tmp
    }
}
