//! Generic addresses of local memory where there is no aperture for it: an IR pass behind the optimisations.
//!
//! Spec: ABI_FACTS, section 7. On gfx1250 a lane's local memory lies among the global addresses, at
//! `src_flat_scratch_base + (lane << 52)`, and neither dword of such an address is the offset in local memory. The code here works
//! with addresses as elsewhere, an offset under a high dword that means "local" ([`TAG`]), and turns them into the hardware's
//! right before an access through a generic address. So the low dword stays the offset, and `isspacep` stays a comparison.
//! Only kernels that make generic addresses of local memory, and could not be rid of them, pay for it: in others no
//! such address can turn up.

use crate::amd::{Feature, Target};
use crate::diag::Span;
use crate::ir::{Aperture, Block, CmpOp, Func, IntOp, Op, Space, Special, Type, Value, Width};

/// High dword of generic addresses of local memory: no address has bit 62 differ from bit 63.
const TAG: u32 = 0x4000_0000;

pub fn lower_generic_local(func: &mut Func, target: &Target) {
    let is_local = |op: &Op| *op == Op::Aperture(Aperture::Local);
    let mut insts = func.order.iter().flat_map(|&block| &func.blocks[block].insts);
    if !target.has(Feature::XCounter) || !insts.any(|&inst| is_local(&func.insts[inst].op)) {
        return;
    }
    for block in func.order.clone() {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        for inst in insts {
            let data = &func.insts[inst];
            if is_local(&data.op) {
                func.insts[inst].op = Op::Const32(TAG);
            } else if let Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. } = &data.op
                && mem.space == Space::Generic
            {
                let (address, offset) = (data.args[0], mem.offset);
                let new = Lower { block, span: func.spans[inst], func: &mut *func }.address(address, offset);
                let data = &mut func.insts[inst];
                data.args[0] = new;
                if let Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. } = &mut data.op {
                    mem.offset = 0;
                }
            }
            func.blocks[block].insts.push(inst);
        }
    }
}

struct Lower<'a> {
    func: &'a mut Func,
    block: Block,
    span: Span,
}

impl Lower<'_> {
    /// The address as the hardware takes it. The sum with the constant offset decides what memory is meant.
    fn address(&mut self, mut address: Value, constant: i32) -> Value {
        if constant != 0 {
            let constant = self.push(Op::Const64(constant as i64 as u64), &[]);
            address = self.push(Op::Int(IntOp::Add, Width::W64), &[address, constant]);
        }
        let (offset, high) = (self.push(Op::Lo, &[address]), self.push(Op::Hi, &[address]));
        let tag = self.push(Op::Const32(TAG), &[]);
        let is_local = self.push(Op::Cmp(CmpOp::Eq, Width::W32), &[high, tag]);
        let (lane, twenty) = (self.push(Op::Special(Special::LaneId), &[]), self.push(Op::Const32(20), &[]));
        let lane = self.push(Op::Int(IntOp::Shl, Width::W32), &[lane, twenty]);
        let within = self.push(Op::Pack64, &[offset, lane]);
        let base = self.push(Op::Aperture(Aperture::LocalBase), &[]);
        let hardware = self.push(Op::Int(IntOp::Add, Width::W64), &[within, base]);
        self.push(Op::Select(Type::B64), &[is_local, hardware, address])
    }

    fn push(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.func.push(self.block, op, args.iter().copied(), self.span);
        self.func.result(inst)
    }
}
