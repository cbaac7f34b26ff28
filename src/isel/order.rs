//! The memory model: cache bits of accesses, what fences and ordered accesses add.
//!
//! Spec: PTX ISA, "Memory Consistency Model"; AMDGPUUsage, "Memory Model"; ABI_FACTS, section 8. LDS needs only its counter at 0.

use super::{Ctx, Lowered};
use crate::amd::{self, Cache, Column, Feature, Mods, Op as AmdOp, ops};
use crate::ir::{Mem, Order, Scope};
use crate::mir::{Operand, Reg};

impl Ctx<'_> {
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
        let bits = match self.target.column() {
            Column::Gfx10 => Cache::SLC,
            Column::Gfx11 => Cache::SLC | Cache::DLC,
            Column::Gfx9 | Column::Gfx12 => Cache::GLC | Cache::SLC,
        };
        strong | self.streaming(mem, bits)
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

    fn streaming(&self, mem: &Mem, old_bits: Cache) -> Cache {
        match (mem.nontemporal, self.target.column()) {
            (false, _) => Cache::empty(),
            (true, Column::Gfx12) => Cache::TH_NT,
            (true, Column::Gfx9) if self.target.has(Feature::ScBits) => Cache::NT,
            (true, _) => old_bits,
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
