//! Atomic read-modify-write on global, shared and generic memory.
//!
//! Spec: PTX ISA, "atom", "red"; ABI_FACTS, section 8. The form that returns nothing is taken when nobody reads the old
//! value. Integer minimum, maximum, `inc` and `dec` go to the memory as they are, also on fine-grained memory.

use super::address::Path;
use super::memory::group_size;
use super::order::sc_bits;
use super::{Ctx, Lowered, Operands};
use crate::amd::{Cache, Column, Feature, Mods, Op as AmdOp, ops};
use crate::ir::{AtomicOp, InstData, Mem, Order, Scope, Width};
use crate::mir::{Operand, Reg};

/// One op on one path: without and with the old value, 32 and 64 bits.
struct Row {
    ir: AtomicOp,
    path: Path,
    w32: [AmdOp; 2],
    w64: [AmdOp; 2],
}

const fn row(ir: AtomicOp, path: Path, w32: [AmdOp; 2], w64: [AmdOp; 2]) -> Row {
    Row { ir, path, w32, w64 }
}

macro_rules! rows {
    ($($ir:ident $path:ident: $a:ident $b:ident, $c:ident $d:ident;)*) => {
        [$(row(AtomicOp::$ir, Path::$path, [ops::$a, ops::$b], [ops::$c, ops::$d])),*]
    };
}

static ROWS: &[Row] = &rows! {
    Add Global: global_atomic_add_u32 global_atomic_add_u32_rtn, global_atomic_add_u64 global_atomic_add_u64_rtn;
    And Global: global_atomic_and_b32 global_atomic_and_b32_rtn, global_atomic_and_b64 global_atomic_and_b64_rtn;
    Or Global: global_atomic_or_b32 global_atomic_or_b32_rtn, global_atomic_or_b64 global_atomic_or_b64_rtn;
    Xor Global: global_atomic_xor_b32 global_atomic_xor_b32_rtn, global_atomic_xor_b64 global_atomic_xor_b64_rtn;
    MinU Global: global_atomic_min_u32 global_atomic_min_u32_rtn, global_atomic_min_u64 global_atomic_min_u64_rtn;
    MinS Global: global_atomic_min_i32 global_atomic_min_i32_rtn, global_atomic_min_i64 global_atomic_min_i64_rtn;
    MaxU Global: global_atomic_max_u32 global_atomic_max_u32_rtn, global_atomic_max_u64 global_atomic_max_u64_rtn;
    MaxS Global: global_atomic_max_i32 global_atomic_max_i32_rtn, global_atomic_max_i64 global_atomic_max_i64_rtn;
    Inc Global: global_atomic_inc_u32 global_atomic_inc_u32_rtn, global_atomic_inc_u64 global_atomic_inc_u64_rtn;
    Dec Global: global_atomic_dec_u32 global_atomic_dec_u32_rtn, global_atomic_dec_u64 global_atomic_dec_u64_rtn;
    Exchange Global: global_atomic_swap_b32 global_atomic_swap_b32_rtn, global_atomic_swap_b64 global_atomic_swap_b64_rtn;
    CompareExchange Global:
        global_atomic_cmpswap_b32 global_atomic_cmpswap_b32_rtn, global_atomic_cmpswap_b64 global_atomic_cmpswap_b64_rtn;
    Add Flat: flat_atomic_add_u32 flat_atomic_add_u32_rtn, flat_atomic_add_u64 flat_atomic_add_u64_rtn;
    And Flat: flat_atomic_and_b32 flat_atomic_and_b32_rtn, flat_atomic_and_b64 flat_atomic_and_b64_rtn;
    Or Flat: flat_atomic_or_b32 flat_atomic_or_b32_rtn, flat_atomic_or_b64 flat_atomic_or_b64_rtn;
    Xor Flat: flat_atomic_xor_b32 flat_atomic_xor_b32_rtn, flat_atomic_xor_b64 flat_atomic_xor_b64_rtn;
    MinU Flat: flat_atomic_min_u32 flat_atomic_min_u32_rtn, flat_atomic_min_u64 flat_atomic_min_u64_rtn;
    MinS Flat: flat_atomic_min_i32 flat_atomic_min_i32_rtn, flat_atomic_min_i64 flat_atomic_min_i64_rtn;
    MaxU Flat: flat_atomic_max_u32 flat_atomic_max_u32_rtn, flat_atomic_max_u64 flat_atomic_max_u64_rtn;
    MaxS Flat: flat_atomic_max_i32 flat_atomic_max_i32_rtn, flat_atomic_max_i64 flat_atomic_max_i64_rtn;
    Inc Flat: flat_atomic_inc_u32 flat_atomic_inc_u32_rtn, flat_atomic_inc_u64 flat_atomic_inc_u64_rtn;
    Dec Flat: flat_atomic_dec_u32 flat_atomic_dec_u32_rtn, flat_atomic_dec_u64 flat_atomic_dec_u64_rtn;
    Exchange Flat: flat_atomic_swap_b32 flat_atomic_swap_b32_rtn, flat_atomic_swap_b64 flat_atomic_swap_b64_rtn;
    CompareExchange Flat:
        flat_atomic_cmpswap_b32 flat_atomic_cmpswap_b32_rtn, flat_atomic_cmpswap_b64 flat_atomic_cmpswap_b64_rtn;
    Add Lds: ds_add_u32 ds_add_rtn_u32, ds_add_u64 ds_add_rtn_u64;
    And Lds: ds_and_b32 ds_and_rtn_b32, ds_and_b64 ds_and_rtn_b64;
    Or Lds: ds_or_b32 ds_or_rtn_b32, ds_or_b64 ds_or_rtn_b64;
    Xor Lds: ds_xor_b32 ds_xor_rtn_b32, ds_xor_b64 ds_xor_rtn_b64;
    MinU Lds: ds_min_u32 ds_min_rtn_u32, ds_min_u64 ds_min_rtn_u64;
    MinS Lds: ds_min_i32 ds_min_rtn_i32, ds_min_i64 ds_min_rtn_i64;
    MaxU Lds: ds_max_u32 ds_max_rtn_u32, ds_max_u64 ds_max_rtn_u64;
    MaxS Lds: ds_max_i32 ds_max_rtn_i32, ds_max_i64 ds_max_rtn_i64;
    Inc Lds: ds_inc_u32 ds_inc_rtn_u32, ds_inc_u64 ds_inc_rtn_u64;
    Dec Lds: ds_dec_u32 ds_dec_rtn_u32, ds_dec_u64 ds_dec_rtn_u64;
    // LDS has no exchange without the old value.
    Exchange Lds: ds_storexchg_rtn_b32 ds_storexchg_rtn_b32, ds_storexchg_rtn_b64 ds_storexchg_rtn_b64;
    CompareExchange Lds: ds_cmpstore_b32 ds_cmpstore_rtn_b32, ds_cmpstore_b64 ds_cmpstore_rtn_b64;
};

/// GFX9 and GFX10: comparand first.
static CMPST: Row = row(
    AtomicOp::CompareExchange,
    Path::Lds,
    [ops::ds_cmpst_b32, ops::ds_cmpst_rtn_b32],
    [ops::ds_cmpst_b64, ops::ds_cmpst_rtn_b64],
);

impl Ctx<'_> {
    pub(super) fn lower_atomic(&mut self, op: AtomicOp, width: Width, mem: &Mem, data: &InstData) -> Lowered {
        let address = self.address(mem, data.args[0])?;
        let old_first = address.path == Path::Lds
            && op == AtomicOp::CompareExchange
            && !ops::ds_cmpstore_b32.exists_on(self.target);
        let found = if old_first { Some(&CMPST) } else { ROWS.iter().find(|r| r.ir == op && r.path == address.path) };
        let Some(row) = found else {
            return Err(self.unsupported(format_args!("an atomic `{}` in `.{}`", op.word(), mem.space.word())));
        };
        let wanted = self.is_read(data.results[0]);
        let machine = match width {
            Width::W32 => row.w32[wanted as usize],
            Width::W64 => row.w64[wanted as usize],
        };
        let result = data.results[0];
        let defs: &[Reg] =
            &[if wanted || !machine.defs.is_empty() { self.dst(result) } else { Reg::Phys(crate::amd::Reg::NULL) }];
        let defs = if machine.defs.is_empty() { &[] } else { defs };

        let mut uses = Operands::from_slice(&[address.first]);
        let dwords = width.ty().dwords();
        match (op, address.path) {
            (AtomicOp::CompareExchange, Path::Lds) => {
                let [old, new] = [1, 2].map(|i| {
                    let value = self.src(data.args[i]);
                    Operand::from(self.in_vgpr(value, dwords))
                });
                uses.extend(if old_first { [old, new] } else { [new, old] });
            }
            (AtomicOp::CompareExchange, _) => {
                // {new, comparand}, low dwords first.
                let pair = self.vtmp(group_size(2 * dwords));
                self.fill(pair.sub(0, dwords), data.args[2]);
                self.fill(pair.sub(dwords, dwords), data.args[1]);
                uses.push(pair.into());
            }
            _ => {
                let value = self.src(data.args[1]);
                uses.push(self.in_vgpr(value, dwords).into());
            }
        }
        uses.extend(address.last);

        let (acquire, release) =
            (matches!(mem.order, Order::Acquire | Order::AcqRel), matches!(mem.order, Order::Release | Order::AcqRel));
        if release {
            self.release(mem.scope);
        }
        let cache = if address.path == Path::Lds { Cache::empty() } else { self.atomic_cache(mem) };
        self.raw(machine, defs, &uses, Mods { offset: address.offset, cache, ..Mods::default() });
        if acquire {
            self.wait_for_memory();
            self.acquire(mem.scope);
        }
        Ok(())
    }

    /// The bit that asks for the old value belongs to the row.
    fn atomic_cache(&self, mem: &Mem) -> Cache {
        let scope = if mem.order == Order::Volatile { Scope::Sys } else { mem.scope };
        match self.target.column() {
            Column::Gfx12 => self.gfx12_scope(scope),
            Column::Gfx9 if self.target.has(Feature::ScBits) => sc_bits(scope) & Cache::SC1 & system_only(scope),
            Column::Gfx9 | Column::Gfx10 | Column::Gfx11 => Cache::empty(),
        }
    }
}

/// gfx942: an atomic below system scope is done in the L2 of its device.
fn system_only(scope: Scope) -> Cache {
    if scope == Scope::Sys { Cache::all() } else { Cache::empty() }
}
