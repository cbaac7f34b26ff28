//! Loads and stores.
//!
//! Spec: PTX ISA, "ld", "st". Kernel parameters and uniform constants go through the scalar cache; `.shared` is LDS; `.local` is
//! scratch; generic addresses take FLAT. PTX guarantees that an access is aligned to all of its bytes. Addresses are
//! [`super::address`]'s, cache bits and ordering [`super::order`]'s.

use super::address::{Address, Path};
use super::{Ctx, Lowered, Operands, Place};
use crate::amd::{Cache, Column, Mods, Op as AmdOp, ops};
use crate::ir::byteperm::ByteSel;
use crate::ir::{InstData, Mem, Op, Order, Space, Value};
use crate::mir::{Operand, Reg, RegClass};

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
