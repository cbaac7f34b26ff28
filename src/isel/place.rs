//! Where values live: SGPRs or VGPRs.
//!
//! Optimistic: every uniform value starts in SGPRs and is demoted when the scalar unit cannot compute it, or when one of its
//! inputs is in VGPRs. Demotion is a walk over the readers, so the whole is linear. Predicates are lane masks in SGPRs
//! whatever this says.

use super::byteperm;
use crate::amd::{Feature, Target};
use crate::id::{SecondaryMap, side_table};
use crate::ir::divergence::Divergence;
use crate::ir::{Func, IntOp, Op, Order, Space, Special, Type, UnaryOp, Value, Width};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Sgpr,
    Vgpr,
}

pub(super) fn assign(func: &Func, divergence: &Divergence, target: &Target) -> SecondaryMap<Value, Place> {
    let mut places = side_table(func.values.len(), Place::Sgpr);
    let mut readers: SecondaryMap<Value, Vec<Value>> = side_table(func.values.len(), vec![]);
    let mut demoted = vec![];
    let demote = |value: Value, places: &mut SecondaryMap<Value, Place>, demoted: &mut Vec<Value>| {
        if places[value] == Place::Sgpr && func.ty(value) != Type::Pred {
            places[value] = Place::Vgpr;
            demoted.push(value);
        }
    };
    for &block in &func.order {
        let data = &func.blocks[block];
        for &param in &data.params {
            if !divergence.is_uniform(param) {
                demote(param, &mut places, &mut demoted);
            }
        }
        for &inst in &data.insts {
            let inst = &func.insts[inst];
            // A value read from one lane is in an SGPR wherever it was.
            let args = match inst.op {
                Op::Ballot | Op::FromFirstLane | Op::LanePerm(_) => &inst.args[..0],
                Op::LaneRead => &inst.args[1..],
                _ => &inst.args[..],
            };
            let scalar = args.iter().all(|&arg| places[arg] == Place::Sgpr)
                && has_scalar_form(func, &inst.op, &inst.args, divergence, target);
            // One instruction writes all of the results to registers of one kind.
            let scalar = scalar && inst.results.iter().all(|&result| divergence.is_uniform(result));
            for &result in &inst.results {
                if !scalar {
                    demote(result, &mut places, &mut demoted);
                } else {
                    // What comes later, along an edge back, may still demote it.
                    args.iter().for_each(|&arg| readers[arg].push(result));
                }
            }
        }
        for edge in data.term.edges() {
            for (&arg, &param) in edge.args.iter().zip(&func.blocks[edge.block].params) {
                readers[arg].push(param);
            }
        }
    }
    while let Some(value) = demoted.pop() {
        for reader in std::mem::take(&mut readers[value]) {
            demote(reader, &mut places, &mut demoted);
        }
    }
    places
}

/// Whether the scalar unit can do it, given that all of its arguments are in SGPRs or constant.
fn has_scalar_form(func: &Func, op: &Op, args: &[Value], divergence: &Divergence, target: &Target) -> bool {
    match op {
        Op::Const32(_) | Op::Const64(_) | Op::Undef(_) | Op::GlobalAddr(..) | Op::ParamBase | Op::Aperture(_) => true,
        Op::ConstPred(_) | Op::Cmp(..) | Op::PredBin(_) | Op::PredNot | Op::FCmp(..) => true,
        Op::Special(s) => !matches!(s, Special::TidX | Special::TidY | Special::TidZ | Special::LaneId),
        Op::Pack64 | Op::Lo | Op::Hi => true,
        Op::Int(op, width) => int_has_scalar_form(*op, *width, target),
        Op::Unary(op, _) => match op {
            UnaryOp::Not | UnaryOp::Neg | UnaryOp::Popc | UnaryOp::Ffbh | UnaryOp::Ffbl | UnaryOp::Brev => true,
        },
        Op::MulWide { .. } => target.has(Feature::SMulHi),
        Op::Lop3(_) | Op::FunnelShr | Op::Bfe { .. } | Op::BitSelect => true,
        // A `v_perm_b32` reads SGPRs too, and is shorter than what the scalar unit needs for most permutes.
        Op::BytePerm(sels) => byteperm::is_scalar(func, *sels, args, target),
        Op::Select(_) => divergence.is_uniform(args[0]),
        Op::Load(mem) => {
            let scalar_space = matches!(mem.space, Space::Param) || mem.space == Space::Const && mem.bytes >= 4;
            let tuple = matches!(mem.dwords(), 1 | 2 | 4 | 8) || mem.bytes < 4;
            scalar_space && tuple && mem.order == Order::Weak && args.iter().all(|&a| func.ty(a) == Type::B64)
        }
        Op::Mad24 { .. } | Op::Mul24Hi { .. } | Op::AddCarry(_) | Op::SubBorrow(_) => false,
        Op::Sad { .. } | Op::Dot4 { .. } | Op::PrmtDynamic(_) => false,
        Op::Float(..) | Op::RcpF32 | Op::IntToFloat { .. } | Op::FloatToInt { .. } => false,
        Op::Approx { .. } | Op::FloatConvert { .. } => false,
        // Those that differ between lanes are not asked.
        Op::Ballot | Op::LiveLanes | Op::FromFirstLane | Op::LaneRead | Op::LanePerm(_) | Op::LaneBits(_) => true,
        Op::Store(_)
        | Op::Atomic { .. }
        | Op::Fence(_)
        | Op::Bar(_)
        | Op::Shuffle(_)
        | Op::WarpSync
        | Op::WarpBarrier => false,
    }
}

fn int_has_scalar_form(op: IntOp, width: Width, target: &Target) -> bool {
    match (op, width) {
        (IntOp::Add | IntOp::Sub | IntOp::And | IntOp::Or | IntOp::Xor, _) => true,
        (IntOp::Shl | IntOp::ShrU | IntOp::ShrS, _) => true,
        (IntOp::Mul, Width::W32) => true,
        (IntOp::MulHiU | IntOp::MulHiS, Width::W32) | (IntOp::Mul, Width::W64) => target.has(Feature::SMulHi),
        (IntOp::MinU | IntOp::MinS | IntOp::MaxU | IntOp::MaxS, width) => width == Width::W32,
        (IntOp::MulHiU | IntOp::MulHiS, Width::W64) => false,
        (IntOp::DivU | IntOp::DivS | IntOp::RemU | IntOp::RemS | IntOp::AddSatS | IntOp::SubSatS, _) => false,
    }
}
