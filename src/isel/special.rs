//! Special registers in terms of fewer: an IR pass before divergence analysis.
//!
//! Spec: PTX ISA, "Special Registers"; DESIGN, "Warp is 32, wave is 32 or 64". What is left for [`super::entry`] are the thread
//! and CTA ids, the CTA's size, the grid's size in threads and the lane.

use crate::diag::Span;
use crate::ir::{Block, Func, IntOp, Kernel, Op, Special, UnaryOp, Value, Width};

/// Expands `%nctaid`, `%warpid`, `%lanemask_*`, and everything that `.reqntid` makes constant.
///
/// `%nctaid` becomes a division; so this runs before divisions are expanded.
pub fn lower_specials(kernel: &mut Kernel) {
    let reqntid = kernel.reqntid;
    let func = &mut kernel.func;
    for block in func.order.clone() {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        for inst in insts {
            if let Op::Special(special) = func.insts[inst].op {
                let span = func.spans[inst];
                let (op, args) = Lower { func, block, span, reqntid }.expand(special);
                func.insts[inst].op = op;
                func.insts[inst].args = args.into_iter().collect();
            }
            func.blocks[block].insts.push(inst);
        }
    }
}

const TID: [Special; 3] = [Special::TidX, Special::TidY, Special::TidZ];
const NTID: [Special; 3] = [Special::NtidX, Special::NtidY, Special::NtidZ];
const GRID: [Special; 3] = [Special::GridX, Special::GridY, Special::GridZ];

struct Lower<'a> {
    func: &'a mut Func,
    block: Block,
    span: Span,
    reqntid: Option<[u32; 3]>,
}

impl Lower<'_> {
    fn expand(&mut self, special: Special) -> (Op, Vec<Value>) {
        match special {
            Special::TidX => self.tid(0),
            Special::TidY => self.tid(1),
            Special::TidZ => self.tid(2),
            Special::NtidX => self.ntid(0),
            Special::NtidY => self.ntid(1),
            Special::NtidZ => self.ntid(2),
            Special::NctaidX => self.nctaid(0),
            Special::NctaidY => self.nctaid(1),
            Special::NctaidZ => self.nctaid(2),
            Special::WarpId => self.warpid(),
            Special::LanemaskEq => {
                let (one, lane) = (self.constant(1), self.read(Special::LaneId));
                (Op::Int(IntOp::Shl, Width::W32), vec![one, lane])
            }
            Special::LanemaskLt => self.mask_below(1),
            Special::LanemaskLe => self.mask_below(2),
            Special::LanemaskGe => self.inverted(1),
            Special::LanemaskGt => self.inverted(2),
            Special::LaneId
            | Special::CtaidX
            | Special::CtaidY
            | Special::CtaidZ
            | Special::GridX
            | Special::GridY
            | Special::GridZ
            | Special::DynamicSharedBytes => (Op::Special(special), vec![]),
        }
    }

    fn tid(&mut self, dim: usize) -> (Op, Vec<Value>) {
        match self.reqntid {
            Some(n) if n[dim] == 1 => (Op::Const32(0), vec![]),
            _ => (Op::Special(TID[dim]), vec![]),
        }
    }

    fn ntid(&mut self, dim: usize) -> (Op, Vec<Value>) {
        match self.reqntid {
            Some(n) => (Op::Const32(n[dim]), vec![]),
            None => (Op::Special(NTID[dim]), vec![]),
        }
    }

    /// The grid in threads over the CTA's threads; HIP launches whole CTAs only, and so does CUDA.
    fn nctaid(&mut self, dim: usize) -> (Op, Vec<Value>) {
        let threads = self.read(GRID[dim]);
        let (op, args) = self.ntid(dim);
        let per_cta = self.push(op, args);
        (Op::Int(IntOp::DivU, Width::W32), vec![threads, per_cta])
    }

    /// Bits below `lane + (unit - 1)`: `(unit << lane) - 1`. A shift of 2 by 31 gives 0, and all ones then.
    fn mask_below(&mut self, unit: u32) -> (Op, Vec<Value>) {
        let (unit, lane, one) = (self.constant(unit), self.read(Special::LaneId), self.constant(1));
        let bit = self.push(Op::Int(IntOp::Shl, Width::W32), vec![unit, lane]);
        (Op::Int(IntOp::Sub, Width::W32), vec![bit, one])
    }

    fn inverted(&mut self, unit: u32) -> (Op, Vec<Value>) {
        let (op, args) = self.mask_below(unit);
        let below = self.push(op, args);
        (Op::Unary(UnaryOp::Not, Width::W32), vec![below])
    }

    /// `(tid.x + ntid.x * (tid.y + ntid.y * tid.z)) / 32`.
    fn warpid(&mut self) -> (Op, Vec<Value>) {
        let mut linear = self.dim(Self::tid, 2);
        for dim in [1, 0] {
            let (size, id) = (self.dim(Self::ntid, dim), self.dim(Self::tid, dim));
            let rows = self.push(Op::Int(IntOp::Mul, Width::W32), vec![size, linear]);
            linear = self.push(Op::Int(IntOp::Add, Width::W32), vec![id, rows]);
        }
        let five = self.constant(5);
        (Op::Int(IntOp::ShrU, Width::W32), vec![linear, five])
    }

    fn dim(&mut self, what: fn(&mut Self, usize) -> (Op, Vec<Value>), dim: usize) -> Value {
        let (op, args) = what(self, dim);
        self.push(op, args)
    }

    fn read(&mut self, special: Special) -> Value {
        self.push(Op::Special(special), vec![])
    }

    fn constant(&mut self, c: u32) -> Value {
        self.push(Op::Const32(c), vec![])
    }

    fn push(&mut self, op: Op, args: Vec<Value>) -> Value {
        let inst = self.func.push(self.block, op, args, self.span);
        self.func.result(inst)
    }
}
