//! Loads, stores and fences.
//!
//! Spec: PTX ISA, "ld", "st", "State Spaces"; ABI_FACTS, sections 4 (offsets), 7 (LDS, scratch) and 8 (memory model). Kernel
//! parameters and uniform constants go through the scalar cache; `.shared` is LDS; `.local` is scratch where that is
//! architected; generic addresses take FLAT. PTX guarantees that an access is aligned to all of its bytes.

use super::{Ctx, Lowered, Operands, Place};
use crate::amd::{self, Cache, Column, Feature, File, Mods, Op as AmdOp, ops};
use crate::diag::{Diag, codes};
use crate::ir::byteperm::ByteSel;
use crate::ir::{Aperture, InstData, IntOp, Mem, Op, Order, Scope, Space, Value, Width};
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

/// Loads: unsigned byte, signed byte, unsigned short, signed short, 1, 2, 4 dwords.
type LoadRow = [AmdOp; 7];
/// Stores: byte, short, 1, 2, 4 dwords.
type StoreRow = [AmdOp; 5];

fn load_row(path: Path) -> LoadRow {
    use ops::*;
    match path {
        Path::Global => [
            global_load_u8,
            global_load_i8,
            global_load_u16,
            global_load_i16,
            global_load_b32,
            global_load_b64,
            global_load_b128,
        ],
        Path::Flat => {
            [flat_load_u8, flat_load_i8, flat_load_u16, flat_load_i16, flat_load_b32, flat_load_b64, flat_load_b128]
        }
        Path::Lds => [ds_load_u8, ds_load_i8, ds_load_u16, ds_load_i16, ds_load_b32, ds_load_b64, ds_load_b128],
        Path::Scratch => [
            scratch_load_u8,
            scratch_load_i8,
            scratch_load_u16,
            scratch_load_i16,
            scratch_load_b32,
            scratch_load_b64,
            scratch_load_b128,
        ],
    }
}

fn store_row(path: Path) -> StoreRow {
    use ops::*;
    match path {
        Path::Global => [global_store_b8, global_store_b16, global_store_b32, global_store_b64, global_store_b128],
        Path::Flat => [flat_store_b8, flat_store_b16, flat_store_b32, flat_store_b64, flat_store_b128],
        Path::Lds => [ds_store_b8, ds_store_b16, ds_store_b32, ds_store_b64, ds_store_b128],
        Path::Scratch => {
            [scratch_store_b8, scratch_store_b16, scratch_store_b32, scratch_store_b64, scratch_store_b128]
        }
    }
}

/// The op of a row for so many dwords at once.
fn by_dwords<const N: usize>(row: [AmdOp; N], dwords: u8) -> AmdOp {
    match dwords {
        1 => row[N - 3],
        2 => row[N - 2],
        _ => row[N - 1],
    }
}

impl Ctx<'_> {
    /// Gives all results of a load of several dword elements their parts of one group.
    pub(super) fn load_tuple(&mut self, data: &InstData) {
        let Op::Load(mem) = &data.op else { return };
        let dwords = group_size(mem.dwords());
        let tuple = match self.places[data.results[0]] {
            Place::Sgpr => self.stmp(dwords),
            Place::Vgpr => self.vtmp(dwords),
        };
        let each = mem.element().dwords();
        for (n, &result) in data.results.iter().enumerate() {
            self.regs[result] = Some(tuple.sub(n as u8 * each, each));
        }
    }

    pub(super) fn lower_load(&mut self, mem: &Mem, data: &InstData) -> Lowered {
        if mem.space == Space::Param {
            return self.load_param(mem, data);
        }
        if self.is_sgpr(data.results[0]) {
            let dst = self.load_dst(mem, data);
            let (base, offset) = match self.variable_base(data.args[0], mem.offset) {
                Some(found) => found,
                None => {
                    let base = self.src(data.args[0]);
                    (self.in_sgpr(base, 2), mem.offset)
                }
            };
            self.scalar_loads(dst, base, offset);
            return Ok(());
        }
        let address = self.address(mem, data.args[0])?;
        let cache = self.load_cache(mem);
        if matches!(mem.order, Order::Acquire | Order::AcqRel) {
            self.load_into(mem, data, &address, cache);
            self.wait_for_memory();
            self.acquire(mem.scope);
        } else {
            self.load_into(mem, data, &address, cache);
        }
        Ok(())
    }

    fn load_into(&mut self, mem: &Mem, data: &InstData, address: &Address, cache: Cache) {
        let row = load_row(address.path);
        if mem.bytes >= 4 {
            let dst = self.load_dst(mem, data);
            self.vector_loads(address, dst, mem.dwords(), cache);
        } else if mem.count == 1 {
            let dst = self.dst(data.results[0]);
            let op = row[(mem.bytes as usize - 1) * 2 + mem.signed as usize];
            self.memory(op, &[dst], address, None, cache, 0);
        } else {
            let total = mem.bytes * mem.count;
            let raw = self.vtmp(group_size(total.div_ceil(4)));
            if total == 2 {
                self.memory(row[2], &[raw], address, None, cache, 0);
            } else {
                self.vector_loads(address, raw, total / 4, cache);
            }
            self.extract_elements(mem, data, raw, 0);
        }
    }

    /// The register or group that a load of dwords fills.
    fn load_dst(&mut self, mem: &Mem, data: &InstData) -> Reg {
        if mem.count == 1 {
            return self.dst(data.results[0]);
        }
        if self.regs[data.results[0]].is_none() {
            self.load_tuple(data);
        }
        self.reg_of(data.results[0]).sub(0, mem.dwords())
    }

    fn vector_loads(&mut self, address: &Address, dst: Reg, dwords: u8, cache: Cache) {
        let row = load_row(address.path);
        for (first, n) in chunks(dwords, 4) {
            self.memory(by_dwords(row, n), &[dst.sub(first, n)], address, None, cache, 4 * first as i32);
        }
    }

    /// Takes the elements of a vector of bytes or shorts, which starts `skip_bytes` into the group, out of its dwords.
    fn extract_elements(&mut self, mem: &Mem, data: &InstData, raw: Reg, skip_bytes: u8) {
        for (n, &result) in data.results.iter().enumerate() {
            if !self.is_read(result) {
                continue;
            }
            let at = skip_bytes + n as u8 * mem.bytes;
            let (dword, dst) = (raw.sub(at / 4, 1), self.dst(result));
            let (first_bit, bits) = ((at % 4) as u64 * 8, mem.bytes as u64 * 8);
            if self.mir.class(raw) == RegClass::Sgpr {
                let field = Operand::Imm(bits << 16 | first_bit);
                let op = if mem.signed { ops::s_bfe_i32 } else { ops::s_bfe_u32 };
                let out = if self.is_sgpr(result) { dst } else { self.stmp(1) };
                self.salu(op, &[out], &[dword.into(), field]);
                self.copy(dst, out.into());
                continue;
            }
            match (mem.signed, first_bit + bits) {
                (false, 32) => self.valu(ops::v_lshrrev_b32, dst, &[Operand::Imm(first_bit), dword.into()]),
                (true, 32) => self.valu(ops::v_ashrrev_i32, dst, &[Operand::Imm(first_bit), dword.into()]),
                (signed, _) => {
                    let op = if signed { ops::v_bfe_i32 } else { ops::v_bfe_u32 };
                    self.valu(op, dst, &[dword.into(), Operand::Imm(first_bit), Operand::Imm(bits)]);
                }
            }
        }
    }

    /// Kernel parameters: scalar loads of whole dwords, from which bytes and shorts are taken.
    fn load_param(&mut self, mem: &Mem, data: &InstData) -> Lowered {
        let base = self.kernarg_reg();
        if mem.bytes < 4 {
            let (first, end) = (mem.offset & !3, mem.offset + (mem.bytes * mem.count) as i32);
            let dwords = ((end - first + 3) / 4) as u8;
            let raw = self.stmp(group_size(dwords));
            self.scalar_loads(raw.sub(0, dwords), base, first);
            self.extract_elements(mem, data, raw, (mem.offset - first) as u8);
            return Ok(());
        }
        let dst = self.load_dst(mem, data);
        if self.is_sgpr(data.results[0]) {
            self.scalar_loads(dst, base, mem.offset);
        } else {
            let tmp = self.stmp(group_size(mem.dwords()));
            self.scalar_loads(tmp.sub(0, mem.dwords()), base, mem.offset);
            self.copy(dst, tmp.sub(0, mem.dwords()).into());
        }
        Ok(())
    }

    pub(super) fn scalar_loads(&mut self, dst: Reg, base: Reg, offset: i32) {
        let limit = if self.target.column() == Column::Gfx12 { 1 << 23 } else { 1 << 20 };
        let (base, offset) = if (-limit..limit).contains(&offset) {
            (base, offset)
        } else {
            let moved = self.stmp(2);
            let (low, high) = (offset as u32 as u64, (offset >> 31) as u32 as u64);
            self.salu(ops::s_add_co_u32, &[moved.sub(0, 1)], &[base.sub(0, 1).into(), Operand::Imm(low)]);
            self.salu(ops::s_add_co_ci_u32, &[moved.sub(1, 1)], &[base.sub(1, 1).into(), Operand::Imm(high)]);
            (moved, 0)
        };
        for (first, n) in chunks(dst.dwords(), 8) {
            let op = match n {
                1 => ops::s_load_b32,
                2 => ops::s_load_b64,
                4 => ops::s_load_b128,
                _ => ops::s_load_b256,
            };
            let mods = Mods { offset: offset + 4 * first as i32, ..Mods::default() };
            self.raw(op, &[dst.sub(first, n)], &[base.into(), Operand::Off], mods);
        }
    }

    pub(super) fn lower_store(&mut self, mem: &Mem, data: &InstData) -> Lowered {
        let address = self.address(mem, data.args[0])?;
        let values = &data.args[1..];
        let cache = self.store_cache(mem);
        // The data's registers are asked for before anything is written, so that copies stand in front of the release.
        let before = std::mem::take(&mut self.seq);
        if matches!(mem.order, Order::Release | Order::AcqRel) {
            self.release(mem.scope);
        }
        let release = std::mem::replace(&mut self.seq, before);
        let row = store_row(address.path);
        if mem.bytes >= 4 {
            let dwords = mem.dwords();
            let tuple = self.gather(mem, values);
            self.seq.extend(release);
            for (first, n) in chunks(dwords, 4) {
                let part = tuple.sub(first, n);
                self.memory(by_dwords(row, n), &[], &address, Some(part), cache, 4 * first as i32);
            }
        } else if mem.count == 1 {
            let value = self.src(values[0]);
            let value = self.in_vgpr(value, 1);
            self.seq.extend(release);
            self.memory(row[mem.bytes as usize - 1], &[], &address, Some(value), cache, 0);
        } else {
            let packed = self.pack_elements(mem, values);
            self.seq.extend(release);
            let total = mem.bytes * mem.count;
            if total == 2 {
                self.memory(row[1], &[], &address, Some(packed.sub(0, 1)), cache, 0);
            } else {
                for (first, n) in chunks(total / 4, 4) {
                    let part = packed.sub(first, n);
                    self.memory(by_dwords(row, n), &[], &address, Some(part), cache, 4 * first as i32);
                }
            }
        }
        Ok(())
    }

    /// The values of a store in one group: the group of the load that they come from, or a new one.
    fn gather(&mut self, mem: &Mem, values: &[Value]) -> Reg {
        let each = mem.element().dwords();
        if let [only] = values {
            let value = self.src(*only);
            return self.in_vgpr(value, each);
        }
        if let Some(tuple) = self.loaded_together(mem, values) {
            return tuple;
        }
        let tuple = self.vtmp(group_size(mem.dwords()));
        for (n, &value) in values.iter().enumerate() {
            self.fill(tuple.sub(n as u8 * each, each), value);
        }
        tuple
    }

    fn loaded_together(&mut self, mem: &Mem, values: &[Value]) -> Option<Reg> {
        let (first, _) = self.func.def(values[0])?;
        let Op::Load(from) = &first.op else { return None };
        let same = from.bytes == mem.bytes && first.results[..] == *values && !self.is_sgpr(values[0]);
        if !same {
            return None;
        }
        let operands: Operands = values.iter().map(|&v| self.src(v)).collect();
        match operands[0] {
            Operand::Reg(reg) => Some(reg.sub(0, mem.dwords())),
            _ => None,
        }
    }

    /// Bytes or shorts side by side in dwords.
    fn pack_elements(&mut self, mem: &Mem, values: &[Value]) -> Reg {
        let total = mem.bytes * mem.count;
        let packed = self.vtmp(group_size(total.div_ceil(4)));
        let per_dword = (4 / mem.bytes).min(mem.count) as usize;
        for (n, part) in values.chunks(per_dword).enumerate() {
            let sources: Operands = part.iter().map(|&v| self.src(v)).collect();
            let sels = std::array::from_fn(|byte| {
                let (element, within) = (byte as u8 / mem.bytes, byte as u8 % mem.bytes);
                // Bytes behind the last element are not stored.
                if (element as usize) < part.len() { ByteSel::Byte(element, within) } else { ByteSel::Zero }
            });
            self.byteperm(packed.sub(n as u8, 1), sels, &sources);
        }
        packed
    }

    /// Writes a memory instruction at `address` plus `more` bytes.
    pub(super) fn memory(
        &mut self,
        op: AmdOp,
        defs: &[Reg],
        address: &Address,
        data: Option<Reg>,
        cache: Cache,
        more: i32,
    ) {
        let mut uses = Operands::from_slice(&[address.first]);
        uses.extend(data.map(Operand::from));
        uses.extend(address.last);
        let cache = if address.path == Path::Lds { Cache::empty() } else { cache };
        self.raw(op, defs, &uses, Mods { offset: address.offset + more, cache, ..Mods::default() });
    }

    /// The address of an access, with as much of the constant offset in the instruction as fits. There is always room for the
    /// rest of a wide access.
    pub(super) fn address(&mut self, mem: &Mem, base: Value) -> Result<Address, Diag> {
        match mem.space {
            Space::Global | Space::Const => Ok(self.global_address(base, mem.offset)),
            Space::Generic => Ok(self.flat_address(base, mem.offset)),
            Space::Shared => Ok(self.lds_address(base, mem.offset)),
            Space::Local => self.scratch_address(base, mem.offset),
            Space::Param => Err(self.unsupported("an address in `.param`")),
        }
    }

    /// Smallest and largest constant offset, less the 48 bytes that the last part of a wide access adds.
    fn offset_range(&self, path: Path) -> (i32, i32) {
        let (low, high) = match (path, self.target.column()) {
            (Path::Lds, _) => (0, 0xffff),
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
    fn variable_base(&mut self, address: Value, offset: i32) -> Option<(Reg, i32)> {
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
    fn scratch_address(&mut self, base: Value, offset: i32) -> Result<Address, Diag> {
        if !self.target.has(Feature::ArchitectedScratch) {
            let message =
                format!("`.local` memory on {} needs a scratch set-up that is not written yet", self.target.name());
            return Err(Diag::unsupported(codes::UNSUPPORTED_TARGET, self.span, message));
        }
        let make = |first, last, offset| Address { path: Path::Scratch, first, last: Some(last), offset };
        let base = self.src(base);
        if let Operand::Imm(address) = base {
            let address = (address as u32).wrapping_add(offset as u32);
            if self.fits(Path::Scratch, address as i32) && address < 1 << 31 {
                return Ok(make(Operand::Off, Operand::Off, address as i32));
            }
            let base = self.constant_reg(address as u64, RegClass::Sgpr, 1);
            return Ok(make(Operand::Off, base.into(), 0));
        }
        if offset == 0 || self.target.column() == Column::Gfx12 && self.fits(Path::Scratch, offset) {
            return Ok(make(self.in_vgpr(base, 1).into(), Operand::Off, offset));
        }
        let moved = self.moved32(base, offset);
        Ok(make(moved.into(), Operand::Off, 0))
    }

    // The memory model.

    pub(super) fn load_cache(&self, mem: &Mem) -> Cache {
        let scope = scope_of(mem);
        let strong = match (self.target.column(), scope) {
            (_, None) => Cache::empty(),
            (Column::Gfx9, Some(scope)) if self.target.has(Feature::ScBits) => sc_bits(scope),
            (Column::Gfx9, Some(Scope::Cta)) => Cache::empty(),
            (Column::Gfx9, Some(_)) => Cache::GLC,
            (Column::Gfx10, Some(Scope::Cta)) => Cache::GLC,
            (Column::Gfx10, Some(_)) => Cache::GLC | Cache::DLC,
            (Column::Gfx11, Some(_)) if mem.order == Order::Volatile => Cache::GLC | Cache::DLC,
            (Column::Gfx11, Some(_)) => Cache::GLC,
            (Column::Gfx12, Some(scope)) => self.gfx12_scope(scope),
        };
        strong | self.streaming(mem, Cache::GLC | Cache::SLC)
    }

    pub(super) fn store_cache(&self, mem: &Mem) -> Cache {
        let scope = scope_of(mem);
        let strong = match (self.target.column(), scope) {
            (_, None) => Cache::empty(),
            (Column::Gfx9, Some(scope)) if self.target.has(Feature::ScBits) => sc_bits(scope),
            (Column::Gfx9 | Column::Gfx10, Some(_)) => Cache::empty(),
            (Column::Gfx11, Some(_)) if mem.order == Order::Volatile => Cache::DLC,
            (Column::Gfx11, Some(_)) => Cache::empty(),
            (Column::Gfx12, Some(scope)) => self.gfx12_scope(scope),
        };
        let gfx11 = self.target.column() == Column::Gfx11;
        let bits = Cache::GLC | Cache::SLC | if gfx11 { Cache::DLC } else { Cache::empty() };
        strong | self.streaming(mem, bits)
    }

    pub(super) fn gfx12_scope(&self, scope: Scope) -> Cache {
        match scope {
            Scope::Cta if self.target.has(Feature::WgpMode) => Cache::SCOPE_SE,
            Scope::Cta => Cache::empty(),
            Scope::Cluster | Scope::Gpu => Cache::SCOPE_DEV,
            Scope::Sys => Cache::SCOPE_SYS,
        }
    }

    fn streaming(&self, mem: &Mem, glc_bits: Cache) -> Cache {
        match (mem.nontemporal, self.target.column()) {
            (false, _) => Cache::empty(),
            (true, Column::Gfx12) => Cache::TH_NT,
            (true, Column::Gfx9) if self.target.has(Feature::ScBits) => Cache::NT,
            (true, _) => glc_bits,
        }
    }

    pub(super) fn lower_fence(&mut self, scope: Scope) -> Lowered {
        self.release(scope);
        self.acquire(scope);
        Ok(())
    }

    /// Makes earlier writes visible at a scope: write-backs, then a wait for all memory operations.
    pub(super) fn release(&mut self, scope: Scope) {
        let device = matches!(scope, Scope::Cluster | Scope::Gpu);
        match self.target.column() {
            Column::Gfx9 if self.target.has(Feature::ScBits) && scope != Scope::Cta => {
                self.cache_op(ops::buffer_wbl2, sc_bits(scope));
            }
            Column::Gfx9 if self.target.has(Feature::WriteBackL2) && scope == Scope::Sys => {
                self.cache_op(ops::buffer_wbl2, Cache::empty());
            }
            Column::Gfx12 if scope == Scope::Sys => self.cache_op(ops::global_wb, Cache::SCOPE_SYS),
            Column::Gfx12 if device && self.target.has(Feature::XCounter) => {
                self.cache_op(ops::global_wb, Cache::SCOPE_DEV);
            }
            Column::Gfx9 | Column::Gfx10 | Column::Gfx11 | Column::Gfx12 => {}
        }
        if self.target.column() == Column::Gfx9 && scope == Scope::Cta {
            // A work-group shares one L1 here, and its stores go through it in order: only LDS has to be waited for.
            return self.raw(ops::s_waitcnt, &[], &[Operand::Imm(0xc07f)], Mods::default());
        }
        self.wait_for_memory();
    }

    /// Drops cached copies of what others may have written.
    pub(super) fn acquire(&mut self, scope: Scope) {
        let cta = scope == Scope::Cta;
        match self.target.column() {
            Column::Gfx9 if cta => {}
            Column::Gfx9 if self.target.has(Feature::ScBits) => self.cache_op(ops::buffer_inv, sc_bits(scope)),
            Column::Gfx9 => {
                if scope == Scope::Sys && self.target.has(Feature::InvL2) {
                    self.cache_op(ops::buffer_invl2, Cache::empty());
                }
                self.cache_op(ops::buffer_wbinvl1_vol, Cache::empty());
            }
            Column::Gfx10 | Column::Gfx11 => {
                if !cta {
                    self.cache_op(ops::buffer_gl1_inv, Cache::empty());
                }
                self.cache_op(ops::buffer_gl0_inv, Cache::empty());
            }
            Column::Gfx12 => {
                let bits = self.gfx12_scope(scope);
                if !bits.is_empty() {
                    self.cache_op(ops::global_inv, bits);
                }
            }
        }
    }

    fn cache_op(&mut self, op: AmdOp, cache: Cache) {
        self.raw(op, &[], &[], Mods { cache, ..Mods::default() });
    }

    /// Waits until nothing of this wave's memory operations is outstanding.
    pub(super) fn wait_for_memory(&mut self) {
        let imm = |word: u64| [Operand::Imm(word)];
        match self.target.column() {
            // vmcnt and lgkmcnt 0, expcnt untouched.
            Column::Gfx9 | Column::Gfx10 => self.raw(ops::s_waitcnt, &[], &imm(0x0070), Mods::default()),
            Column::Gfx11 => self.raw(ops::s_waitcnt, &[], &imm(0x0007), Mods::default()),
            Column::Gfx12 => {
                self.raw(ops::s_wait_loadcnt_dscnt, &[], &imm(0), Mods::default());
                self.raw(ops::s_wait_storecnt, &[], &imm(0), Mods::default());
            }
        }
        if self.target.has(Feature::StoreCounter) {
            let null = Reg::Phys(amd::Reg::NULL);
            self.raw(ops::s_waitcnt_vscnt, &[], &[null.into(), Operand::Imm(0)], Mods::default());
        }
    }

    /// The useful half of an aperture register is its high dword.
    pub(super) fn lower_aperture(&mut self, which: Aperture, data: &InstData) -> Lowered {
        let file = match which {
            Aperture::Shared => File::SharedBase,
            Aperture::Local if self.target.has(Feature::XCounter) => {
                return Err(self.unsupported("a generic address of `.local` memory"));
            }
            Aperture::Local => File::PrivateBase,
        };
        let dst = self.dst(data.results[0]);
        let both = self.stmp(2);
        self.salu(ops::s_mov_b64, &[both], &[Reg::Phys(amd::Reg::new(file, 0, 2)).into()]);
        self.copy(dst, both.sub(1, 1).into());
        Ok(())
    }
}

/// The scope at which an access is strong; `None` for a weak one.
fn scope_of(mem: &Mem) -> Option<Scope> {
    match mem.order {
        Order::Weak => None,
        Order::Volatile => Some(Scope::Sys),
        Order::Relaxed | Order::Acquire | Order::Release | Order::AcqRel => Some(mem.scope),
    }
}

pub(super) fn sc_bits(scope: Scope) -> Cache {
    match scope {
        Scope::Cta => Cache::SC0,
        Scope::Cluster | Scope::Gpu => Cache::SC1,
        Scope::Sys => Cache::SC0 | Cache::SC1,
    }
}

/// Sizes that a group of registers comes in.
pub(super) fn group_size(dwords: u8) -> u8 {
    match dwords {
        0..=4 => dwords,
        5..=8 => 8,
        _ => 16,
    }
}

/// Cuts so many dwords into accesses of `most` and of 1, 2, 4 for the rest.
fn chunks(dwords: u8, most: u8) -> impl Iterator<Item = (u8, u8)> {
    let mut first = 0;
    std::iter::from_fn(move || {
        let left = dwords - first;
        if left == 0 {
            return None;
        }
        let mut n = most;
        while n > left {
            n /= 2;
        }
        first += n;
        Some((first - n, n))
    })
}
