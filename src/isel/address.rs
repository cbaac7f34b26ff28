//! Addresses as the memory instructions take them.
//!
//! Spec: the AMD ISA manuals, "FLAT, Scratch and Global Instructions", "Data Share"; ABI_FACTS, sections 4 (offsets) and 7 (LDS,
//! scratch, apertures).

use super::{Ctx, Lowered};
use crate::amd::{self, Column, Feature, File, ops};
use crate::diag::Diag;
use crate::ir::{Aperture, InstData, IntOp, Mem, Op, Space, Value, Width};
use crate::mir::{Operand, Reg, RegClass};

/// A vector memory path, by instruction family.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Path {
    Global,
    Flat,
    Lds,
    Scratch,
}

/// An address as a family takes it: the operands in front of and behind the data, and the constant offset.
pub(super) struct Address {
    pub path: Path,
    pub first: Operand,
    /// GLOBAL and SCRATCH: the SGPR base or `off`.
    pub last: Option<Operand>,
    pub offset: i32,
}

impl Ctx<'_> {
    /// The address of an access, with as much of the constant offset in the instruction as fits. There is always room for the
    /// rest of a wide access.
    pub(super) fn address(&mut self, mem: &Mem, base: Value) -> Result<Address, Diag> {
        match mem.space {
            Space::Global | Space::Const => Ok(self.global_address(base, mem.offset)),
            Space::Generic => Ok(self.flat_address(base, mem.offset)),
            Space::Shared => Ok(self.lds_address(base, mem.offset)),
            Space::Local => Ok(self.scratch_address(base, mem.offset)),
            Space::Param => Err(self.unsupported("an address in `.param`")),
        }
    }

    /// Smallest and largest constant offset, less the 48 bytes that the last part of a wide access adds.
    fn offset_range(&self, path: Path) -> (i32, i32) {
        let (low, high) = match (path, self.target.column()) {
            (Path::Lds, _) => (0, 0xffff),
            // The hardware may drop it; an access through FLAT has one part, so `more` is never added either.
            (Path::Flat, _) if self.target.has(Feature::FlatOffsetBug) => return (0, 0),
            (_, Column::Gfx12) => (-(1 << 23), (1 << 23) - 1),
            (Path::Flat, Column::Gfx10) => (0, 0x7ff),
            (Path::Flat, _) => (0, 0xfff),
            (_, Column::Gfx10) => (-0x800, 0x7ff),
            (_, _) => (-0x1000, 0xfff),
        };
        (low, high - 48)
    }

    fn fits(&self, path: Path, offset: i32) -> bool {
        let (low, high) = self.offset_range(path);
        (low..=high).contains(&offset)
    }

    fn global_address(&mut self, base: Value, offset: i32) -> Address {
        let make = |first, last, offset| Address { path: Path::Global, first, last: Some(last), offset };
        if let Some((base, offset)) = self.variable_base(base, offset)
            && self.fits(Path::Global, offset)
        {
            let index = self.constant_reg(0, RegClass::Vgpr, 1);
            return make(index.into(), base.into(), offset);
        }
        let fits = self.fits(Path::Global, offset);
        if self.is_sgpr(base) || self.constant(base).is_some() {
            let base = self.src(base);
            let base = self.in_sgpr(base, 2);
            // A 32-bit unsigned offset in a VGPR takes what the instruction cannot.
            let (index, offset) = if fits || offset < 0 { (0, offset) } else { (offset as u64, 0) };
            if self.fits(Path::Global, offset) {
                let index = self.constant_reg(index, RegClass::Vgpr, 1);
                return make(index.into(), base.into(), offset);
            }
            let moved = self.moved64(base.into(), offset);
            return make(moved.into(), Operand::Off, 0);
        }
        if fits && let Some((sgpr_base, index)) = self.base_and_index(base) {
            let (sgpr_base, index) = (self.src(sgpr_base), self.src(index));
            let sgpr_base = self.in_sgpr(sgpr_base, 2);
            let index = self.in_vgpr(index, 1);
            return make(index.into(), sgpr_base.into(), offset);
        }
        let base = self.src(base);
        if fits {
            return make(self.in_vgpr(base, 2).into(), Operand::Off, offset);
        }
        let moved = self.moved64(base, offset);
        make(moved.into(), Operand::Off, 0)
    }

    /// The address of a module variable as the variable's own, which the kernel computes once, and an offset.
    pub(super) fn variable_base(&mut self, address: Value, offset: i32) -> Option<(Reg, i32)> {
        let Op::GlobalAddr(global, addend) = self.func.def(address)?.0.op else { return None };
        let offset = i32::try_from(addend.checked_add(offset as i64)?).ok()?;
        Some((self.variable_reg(global), offset))
    }

    /// base + zero-extended dword, the base in SGPRs. The base must be at hand here: the sum is computed in this block, or the
    /// base in the entry block.
    fn base_and_index(&self, address: Value) -> Option<(Value, Value)> {
        let (sum, _) = self.func.def(address)?;
        if sum.op != Op::Int(IntOp::Add, Width::W64) {
            return None;
        }
        let split = |base: Value, index: Value| {
            let (pack, _) = self.func.def(index)?;
            let zero_extended = pack.op == Op::Pack64 && self.const32(pack.args[1]) == Some(0);
            (zero_extended && self.is_sgpr(base)).then(|| (base, pack.args[0]))
        };
        let (base, index) = split(sum.args[0], sum.args[1]).or_else(|| split(sum.args[1], sum.args[0]))?;
        let here = self.block_of(address) == Some(self.cur);
        let early = self.block_of(base) == Some(self.func.entry) && self.preds[self.func.entry] == 0;
        (here || early).then_some((base, index))
    }

    fn block_of(&self, value: Value) -> Option<crate::ir::Block> {
        match self.func.values[value].def {
            crate::ir::ValueDef::Result(inst, _) => self.home[inst],
            crate::ir::ValueDef::Param(block, _) => Some(block),
        }
    }

    /// A 64-bit address plus a constant, in VGPRs.
    fn moved64(&mut self, base: Operand, offset: i32) -> Reg {
        let moved = self.vtmp(2);
        self.sum64(super::wide::Carry::Add, moved, base, Operand::Imm(offset as i64 as u64));
        moved
    }

    fn flat_address(&mut self, base: Value, offset: i32) -> Address {
        let base = self.src(base);
        if self.fits(Path::Flat, offset) {
            return Address { path: Path::Flat, first: self.in_vgpr(base, 2).into(), last: None, offset };
        }
        let moved = self.moved64(base, offset);
        Address { path: Path::Flat, first: moved.into(), last: None, offset: 0 }
    }

    fn lds_address(&mut self, base: Value, offset: i32) -> Address {
        let base = match self.src(base) {
            Operand::Imm(address) => return self.lds_constant((address as u32).wrapping_add(offset as u32)),
            base => base,
        };
        if self.fits(Path::Lds, offset) {
            return Address { path: Path::Lds, first: self.in_vgpr(base, 1).into(), last: None, offset };
        }
        let moved = self.moved32(base, offset);
        Address { path: Path::Lds, first: moved.into(), last: None, offset: 0 }
    }

    /// A constant LDS address: neighbours share the register of their 64 KiB.
    fn lds_constant(&mut self, address: u32) -> Address {
        let (high, low) = if self.fits(Path::Lds, address as i32) { (0, address) } else { (address, 0) };
        let base = self.constant_reg(high as u64, RegClass::Vgpr, 1);
        Address { path: Path::Lds, first: base.into(), last: None, offset: low as i32 }
    }

    fn moved32(&mut self, base: Operand, offset: i32) -> Reg {
        let moved = self.vtmp(1);
        self.valu(ops::v_add_nc_u32, moved, &[Operand::Imm(offset as u32 as u64), base]);
        moved
    }

    /// Scratch offsets are added to an unsigned address before GFX12, so only a constant address may take one in: a register
    /// could hold a negative number that the offset makes right again.
    fn scratch_address(&mut self, base: Value, offset: i32) -> Address {
        let make = |first, last, offset| Address { path: Path::Scratch, first, last: Some(last), offset };
        let base = self.src(base);
        if let Operand::Imm(address) = base {
            let address = (address as u32).wrapping_add(offset as u32);
            let fits = self.fits(Path::Scratch, address as i32) && address < 1 << 31;
            if fits && self.target.has(Feature::ScratchOff) {
                return make(Operand::Off, Operand::Off, address as i32);
            }
            let (high, low) = if fits { (0, address) } else { (address, 0) };
            let base = self.constant_reg(high as u64, RegClass::Sgpr, 1);
            return make(Operand::Off, base.into(), low as i32);
        }
        if offset == 0 || self.target.column() == Column::Gfx12 && self.fits(Path::Scratch, offset) {
            return make(self.in_vgpr(base, 1).into(), Operand::Off, offset);
        }
        let moved = self.moved32(base, offset);
        make(moved.into(), Operand::Off, 0)
    }

    /// The useful half of an aperture register is its high dword.
    pub(super) fn lower_aperture(&mut self, which: Aperture, data: &InstData) -> Lowered {
        let file = match which {
            Aperture::Shared => File::SharedBase,
            Aperture::Local | Aperture::LocalBase
                if self.target.has(Feature::XCounter) == (which == Aperture::Local) =>
            {
                return Err(self.unsupported("this aperture"));
            }
            Aperture::Local => File::PrivateBase,
            Aperture::LocalBase => File::FlatScratchBase,
        };
        let dst = self.dst(data.results[0]);
        let both = self.stmp(2);
        self.salu(ops::s_mov_b64, &[both], &[Reg::Phys(amd::Reg::new(file, 0, 2)).into()]);
        let useful = if which == Aperture::LocalBase { both } else { both.sub(1, 1) };
        self.copy(dst, useful.into());
        Ok(())
    }
}
