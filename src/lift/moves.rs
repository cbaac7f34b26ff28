//! `mov`, with packing and unpacking, and `cvta`, `isspacep`.
//!
//! PTX ISA, "mov", "cvta", "isspacep", "Generic Addressing". Generic addresses of global memory are the addresses
//! themselves; those of shared and local memory have the aperture's high dword above the offset.

use super::body::Body;
use super::operands::{Fault, Mods, Res, operand};
use crate::ir::byteperm::ByteSel;
use crate::ir::{Aperture, CmpOp, Op, PredOp, Value, Width};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, Operand, OperandKind, ScalarType};
use crate::ptx::word;

impl<'m> Body<'m, '_> {
    pub fn mov(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        let (to, from) = (operand(inst, 0)?, operand(inst, 1)?);
        match (&to.kind, &from.kind) {
            (OperandKind::Vector(_), OperandKind::Vector(_)) => Err(Fault::Form),
            (_, OperandKind::Vector(parts)) => {
                let value = self.pack(self.scope.module.list(*parts), ty, from)?;
                self.dst(to, value)
            }
            (OperandKind::Vector(parts), _) => {
                let value = self.src(from, ty)?;
                self.unpack(self.scope.module.list(*parts), value, ty, to)
            }
            _ => {
                let value = self.src(from, ty)?;
                self.dst(to, value)
            }
        }
    }

    fn pack(&mut self, parts: &'m [Operand], ty: ScalarType, operand: &Operand) -> Res<Value> {
        let part = part_type(parts.len(), ty).ok_or_else(|| wrong_parts(operand))?;
        let mut values = Vec::new();
        for operand in parts {
            values.push(self.src(operand, part)?);
        }
        if part == ScalarType::B32 {
            return Ok(match values[..] {
                [value] => value,
                [low, high] => self.emit(Op::Pack64, [low, high]),
                _ => return Err(Fault::Form),
            });
        }
        let bytes = part.size_bytes().unwrap_or(1) as usize;
        let mut dwords = values.chunks(4 / bytes).map(|chunk| {
            let mut sels = [ByteSel::Zero; 4];
            for (n, sel) in sels.iter_mut().enumerate().take(chunk.len() * bytes) {
                *sel = ByteSel::Byte((n / bytes) as u8, (n % bytes) as u8);
            }
            (sels, chunk)
        });
        let (first, second) = (dwords.next(), dwords.next());
        let Some((sels, chunk)) = first else { return Err(Fault::Form) };
        let low = self.emit(Op::BytePerm(sels), chunk.iter().copied());
        let Some((sels, chunk)) = second else { return Ok(low) };
        let high = self.emit(Op::BytePerm(sels), chunk.iter().copied());
        Ok(self.emit(Op::Pack64, [low, high]))
    }

    fn unpack(&mut self, parts: &'m [Operand], value: Value, ty: ScalarType, operand: &Operand) -> Res<()> {
        let part = part_type(parts.len(), ty).ok_or_else(|| wrong_parts(operand))?;
        let wide = ty.size_bytes() == Some(8);
        let dwords = if wide && parts.len() > 1 {
            [self.emit(Op::Lo, [value]), self.emit(Op::Hi, [value])]
        } else {
            [value, value]
        };
        // All sources are read before the first write.
        let bytes = part.size_bytes().unwrap_or(1);
        for (n, to) in parts.iter().enumerate() {
            let at = n as u32 * bytes;
            let dword = dwords[(at / 4) as usize & 1];
            let shift = (at % 4) as u8;
            let value = if shift == 0 {
                dword
            } else {
                let mut sels = [ByteSel::Zero; 4];
                for (byte, sel) in sels.iter_mut().enumerate().take(bytes as usize) {
                    *sel = ByteSel::Byte(0, shift + byte as u8);
                }
                self.emit(Op::BytePerm(sels), [dword])
            };
            self.dst(to, value)?;
        }
        Ok(())
    }

    pub fn cvta(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let to = mods.flag(word::TO);
        let space = mods
            .one_of(&[
                word::GLOBAL,
                word::SHARED,
                word::SHARED_CTA,
                word::LOCAL,
                word::CONST_,
                word::PARAM,
                word::PARAM_ENTRY,
            ])
            .ok_or(Fault::Form)?;
        let ty = mods.ty()?;
        mods.done()?;
        if ty != ScalarType::U64 {
            return Err(Fault::Form);
        }
        let address = self.src(operand(inst, 1)?, ty)?;
        let value = match aperture(space) {
            None => address,
            Some(aperture) => {
                let low = self.emit(Op::Lo, [address]);
                let high = if to { self.c32(0) } else { self.emit(Op::Aperture(aperture), []) };
                self.emit(Op::Pack64, [low, high])
            }
        };
        self.dst(operand(inst, 0)?, value)
    }

    pub fn isspacep(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let spaces = [word::GLOBAL, word::SHARED, word::SHARED_CTA, word::LOCAL];
        let space = mods.one_of(&spaces).ok_or(Fault::Form)?;
        mods.done()?;
        let address = self.src(operand(inst, 1)?, ScalarType::U64)?;
        let high = self.emit(Op::Hi, [address]);
        let value = match aperture(space) {
            Some(aperture) => {
                let base = self.emit(Op::Aperture(aperture), []);
                self.cmp(CmpOp::Eq, Width::W32, high, base)
            }
            None => {
                let shared = self.emit(Op::Aperture(Aperture::Shared), []);
                let local = self.emit(Op::Aperture(Aperture::Local), []);
                let not_shared = self.cmp(CmpOp::Ne, Width::W32, high, shared);
                let not_local = self.cmp(CmpOp::Ne, Width::W32, high, local);
                self.emit(Op::PredBin(PredOp::And), [not_shared, not_local])
            }
        };
        self.dst(operand(inst, 0)?, value)
    }
}

fn aperture(space: Name) -> Option<Aperture> {
    match space {
        word::SHARED | word::SHARED_CTA => Some(Aperture::Shared),
        word::LOCAL => Some(Aperture::Local),
        _ => None,
    }
}

/// The type of each of `count` parts of a value.
fn part_type(count: usize, ty: ScalarType) -> Option<ScalarType> {
    let size = ty.size_bytes()? as usize;
    if count == 0 || !size.is_multiple_of(count) || size > 8 {
        return None;
    }
    match size / count {
        1 => Some(ScalarType::B8),
        2 => Some(ScalarType::B16),
        4 => Some(ScalarType::B32),
        _ => None,
    }
}

fn wrong_parts(operand: &Operand) -> Fault {
    Fault::operand(operand.span, "the number of elements does not fit the type")
}
