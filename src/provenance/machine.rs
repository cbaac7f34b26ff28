//! Straight-line instructions over registers that hold named bits.

use super::scalar::scalar;
use super::vector::{Modifiers, vector};
use super::word::Word;
use crate::amd::{Encoding, Inst, Operand};
use std::collections::HashMap;
use std::hash::Hash;

/// Registers of either kind: virtual ones and physical ones.
pub trait Registers: Copy + Eq + Hash {
    /// Size, dwords.
    fn count(self) -> u8;
    fn dword(self, n: u8) -> Self;
}

impl Registers for crate::amd::Reg {
    fn count(self) -> u8 {
        self.dwords
    }
    fn dword(self, n: u8) -> Self {
        self.sub(n, 1)
    }
}

impl Registers for crate::mir::Reg {
    fn count(self) -> u8 {
        self.dwords()
    }
    fn dword(self, n: u8) -> Self {
        self.sub(n, 1)
    }
}

/// What each dword of each register holds. A register that nothing wrote is unknown.
pub struct Machine<R> {
    held: HashMap<R, Word>,
}

impl<R: Registers> Default for Machine<R> {
    fn default() -> Machine<R> {
        Machine { held: HashMap::new() }
    }
}

impl<R: Registers> Machine<R> {
    pub fn read(&self, reg: R) -> Vec<Word> {
        (0..reg.count()).map(|n| self.held.get(&reg.dword(n)).copied().unwrap_or(Word::UNKNOWN)).collect()
    }

    /// Dwords that are missing become unknown.
    pub fn write(&mut self, reg: R, dwords: &[Word]) {
        for n in 0..reg.count() {
            self.held.insert(reg.dword(n), dwords.get(n as usize).copied().unwrap_or(Word::UNKNOWN));
        }
    }

    /// A constant of two dwords is 64 bits.
    pub fn operand(&self, operand: Operand<R>) -> Vec<Word> {
        match operand {
            Operand::Reg(reg) => self.read(reg),
            Operand::Imm(bits) => vec![Word::constant(bits as u32), Word::constant((bits >> 32) as u32)],
            Operand::Label(_) | Operand::Off => vec![],
        }
    }

    /// Executes an instruction that is neither load nor store; results that have no meaning here are unknown.
    pub fn step(&mut self, inst: &Inst<R>) {
        let uses: Vec<Vec<Word>> = inst.uses.iter().map(|&operand| self.operand(operand)).collect();
        let result = if inst.op.is_scalar() {
            scalar(inst.op.name, &uses)
        } else if !matches!(inst.mods.encoding, Encoding::Native | Encoding::Vop3)
            || inst.mods.neg != 0
            || inst.mods.abs != 0
            || inst.mods.clamp
            || inst.mods.omod != 0
        {
            None
        } else {
            let words: Vec<Word> = uses.iter().map(|u| u.first().copied().unwrap_or(Word::UNKNOWN)).collect();
            let mods = Modifiers {
                op_sel: inst.mods.op_sel,
                op_sel_hi: if inst.op.is_vop3p() { inst.mods.op_sel_hi } else { 0b111 },
                table: inst.mods.bitop3,
            };
            vector(inst.op.name, &words, mods).map(|word| vec![word])
        };
        for (n, &def) in inst.defs.iter().enumerate() {
            match &result {
                Some(dwords) if n == 0 => self.write(def, dwords),
                _ => self.write(def, &[]),
            }
        }
    }
}
