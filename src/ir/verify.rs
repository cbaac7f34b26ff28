//! The verifier: what every pass may rely on.
//!
//! - `order` holds each reachable block once, the entry first, every block after its immediate dominator, nothing else;
//! - the entry has no predecessors' arguments to take: no edge leads to it;
//! - argument counts and types are the op's, edge arguments match the parameters of their block;
//! - every use is dominated by its definition; ids of results and parameters point back at their place.

use super::byteperm::ByteSel;
use super::dom::{Dominators, reverse_postorder};
use super::text::{Mark, print_marked};
use super::*;
use crate::id::EntityRef;

/// Checks a function. The message of a failure ends with the function, the culprit marked.
pub fn verify(func: &Func) -> Result<(), String> {
    let (message, mark) = match check(func) {
        Ok(()) => return Ok(()),
        Err(fault) => fault,
    };
    Err(format!("{message}\n{}", print_marked("invalid", func, false, mark)))
}

type Fault = (String, Option<Mark>);

fn check(func: &Func) -> Result<(), Fault> {
    check_order(func)?;
    let dominators = Dominators::new(func);
    let mut passed: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in &func.order {
        if let Some(idom) = dominators.idom(block)
            && !passed[idom]
        {
            return Err((format!("{block} stands before its dominator {idom}"), None));
        }
        passed[block] = true;
    }

    // Where each value is defined: its block and position, parameters at 0.
    let mut place: SecondaryMap<Value, Option<(Block, usize)>> = SecondaryMap::new();
    for &block in &func.order {
        let data = &func.blocks[block];
        for (n, &param) in data.params.iter().enumerate() {
            define(func, &mut place, param, ValueDef::Param(block, n as u16), (block, 0), Mark::Terminator(block))?;
        }
        for (at, &inst) in data.insts.iter().enumerate() {
            check_inst(func, inst)?;
            for (n, &result) in func.insts[inst].results.iter().enumerate() {
                define(func, &mut place, result, ValueDef::Result(inst, n as u16), (block, at + 1), Mark::Inst(inst))?;
            }
        }
    }

    for &block in &func.order {
        let data = &func.blocks[block];
        let visible = |value: Value, at: usize| match place.get(value).copied().flatten() {
            None => false,
            Some((home, position)) if home == block => position <= at,
            Some((home, _)) => dominators.dominates(home, block),
        };
        for (at, &inst) in data.insts.iter().enumerate() {
            if let Some(value) = func.insts[inst].args.iter().find(|&&v| !visible(v, at)) {
                return Err((format!("{value} does not dominate its use in {inst}"), Some(Mark::Inst(inst))));
            }
        }
        let mark = Some(Mark::Terminator(block));
        let end = data.insts.len();
        let uses = data.term.edges().into_iter().flat_map(|e| e.args.iter().copied());
        if let Some(value) = uses.chain(data.term.condition()).find(|&v| !visible(v, end)) {
            return Err((format!("{value} does not dominate its use at the end of {block}"), mark));
        }
        check_terminator(func, block)?;
    }
    Ok(())
}

fn check_order(func: &Func) -> Result<(), Fault> {
    if func.order.first() != Some(&func.entry) {
        return Err(("the entry is not the first block".into(), None));
    }
    let mut reachable = vec![false; func.blocks.len()];
    for block in reverse_postorder(func) {
        reachable[block.index()] = true;
    }
    for &block in &func.order {
        if !std::mem::replace(&mut reachable[block.index()], false) {
            return Err((format!("{block} is unreachable, or twice in the order"), None));
        }
    }
    if let Some(missing) = reachable.iter().position(|&r| r) {
        return Err((format!("{} is reachable, and not in the order", Block::new(missing)), None));
    }
    Ok(())
}

fn define(
    func: &Func,
    place: &mut SecondaryMap<Value, Option<(Block, usize)>>,
    value: Value,
    def: ValueDef,
    at: (Block, usize),
    mark: Mark,
) -> Result<(), Fault> {
    if func.values[value].def != def {
        return Err((format!("{value} says it is {:?}, and is {def:?}", func.values[value].def), Some(mark)));
    }
    if place[value].replace(at).is_some() {
        return Err((format!("{value} is defined twice"), Some(mark)));
    }
    Ok(())
}

fn check_inst(func: &Func, inst: Inst) -> Result<(), Fault> {
    let data = &func.insts[inst];
    let fail = |message: String| Err((format!("{inst}: {message}"), Some(Mark::Inst(inst))));
    let types: SmallVec<[Type; 4]> = data.args.iter().map(|&a| func.ty(a)).collect();
    match data.op.operands(data.args.len()) {
        Some(expected) if expected == types => {}
        Some(expected) => return fail(format!("arguments are {types:?}, not {expected:?}")),
        None => return fail(format!("the op takes no {} arguments", types.len())),
    }
    let results: SmallVec<[Type; 2]> = data.results.iter().map(|&r| func.ty(r)).collect();
    if results != data.op.results() {
        return fail(format!("results are {results:?}, not {:?}", data.op.results()));
    }
    match &data.op {
        Op::BytePerm(sels) => {
            let ok = |sel: &ByteSel| match *sel {
                ByteSel::Byte(source, byte) | ByteSel::Sign(source, byte) => {
                    (source as usize) < data.args.len() && byte < 4
                }
                ByteSel::Zero | ByteSel::Ones => true,
            };
            if !sels.iter().all(ok) {
                return fail("a byte selector is out of range".into());
            }
        }
        Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. } => {
            if !matches!(mem.bytes, 1 | 2 | 4 | 8) || !matches!(mem.count, 1 | 2 | 4 | 8) {
                return fail("a memory access has elements of 1, 2, 4 or 8 bytes, 1, 2, 4 or 8 of them".into());
            }
            if mem.space == Space::Param && !matches!(data.op, Op::Load(_)) {
                return fail("parameters are only read".into());
            }
        }
        _ => {}
    }
    Ok(())
}

fn check_terminator(func: &Func, block: Block) -> Result<(), Fault> {
    let mark = Some(Mark::Terminator(block));
    let term = &func.blocks[block].term;
    let expected = match term {
        Terminator::Branch { cond, .. } | Terminator::Wait { cond, .. } => Some((*cond, Type::Pred)),
        Terminator::Switch { index, targets } => {
            if targets.is_empty() {
                return Err((format!("the switch of {block} has no targets"), mark));
            }
            Some((*index, Type::B32))
        }
        _ => None,
    };
    if let Some((value, ty)) = expected
        && func.ty(value) != ty
    {
        return Err((format!("{block} decides by {value}, which is no {ty:?}"), mark));
    }
    for edge in term.edges() {
        if edge.block == func.entry {
            return Err((format!("{block} leads to the entry"), mark));
        }
        let params = &func.blocks[edge.block].params;
        let matching = params.len() == edge.args.len()
            && params.iter().zip(&edge.args).all(|(&param, &arg)| func.ty(param) == func.ty(arg));
        if !matching {
            return Err((format!("the arguments of the edge to {} do not fit its parameters", edge.block), mark));
        }
    }
    Ok(())
}

impl Op {
    /// Types of the arguments, for an instruction with `count` of them; none if the op never takes so many.
    pub fn operands(&self, count: usize) -> Option<SmallVec<[Type; 4]>> {
        use Type::*;
        use smallvec::smallvec;
        let memory = |mem: &Mem, values: SmallVec<[Type; 4]>| {
            let mut types: SmallVec<[Type; 4]> = smallvec![];
            if mem.space != Space::Param {
                types.push(mem.space.address_type());
            }
            types.extend(values);
            types
        };
        let types: SmallVec<[Type; 4]> = match self {
            Op::Const32(_) | Op::Const64(_) | Op::ConstPred(_) | Op::Undef(_) | Op::Special(_) => smallvec![],
            Op::GlobalAddr(..) | Op::ParamBase | Op::Aperture(_) | Op::Fence(_) => smallvec![],
            Op::LiveLanes | Op::LaneBits(_) => smallvec![],
            Op::Ballot => smallvec![Pred],
            Op::FromFirstLane | Op::LanePerm(_) | Op::WarpSync => smallvec![B32],
            Op::WarpBarrier => smallvec![B32; 2],
            Op::Shuffle(_) => smallvec![B32, B32, B32],
            Op::LaneRead => smallvec![B32, B32],
            Op::Bar(bar) => {
                let mut types: SmallVec<[Type; 4]> = smallvec![B32; 1 + bar.counted as usize];
                types.extend(bar.kind.reduces().then_some(Pred));
                types
            }
            Op::Pack64 | Op::MulWide { .. } => smallvec![B32, B32],
            Op::Lo | Op::Hi => smallvec![B64],
            Op::Int(IntOp::Shl | IntOp::ShrU | IntOp::ShrS, w) => smallvec![w.ty(), B32],
            Op::Int(_, w) | Op::Cmp(_, w) => smallvec![w.ty(), w.ty()],
            Op::Unary(_, w) => smallvec![w.ty()],
            Op::Mad24 { .. }
            | Op::Lop3(_)
            | Op::FunnelShr
            | Op::Bfe { .. }
            | Op::BitSelect
            | Op::Sad { .. }
            | Op::Dot4 { .. }
            | Op::PrmtDynamic(_) => smallvec![B32, B32, B32],
            Op::Mul24Hi { .. } => smallvec![B32, B32],
            Op::AddCarry(w) | Op::SubBorrow(w) => smallvec![w.ty(), w.ty(), Pred],
            Op::BytePerm(_) => smallvec![B32; count],
            Op::PredBin(_) => smallvec![Pred, Pred],
            Op::RcpF32 | Op::Approx { .. } => smallvec![B32],
            Op::FloatConvert { from, .. } => smallvec![from.ty()],
            Op::PredNot => smallvec![Pred],
            Op::Select(ty) => smallvec![Pred, *ty, *ty],
            Op::Float(op, ty, _) => match op {
                FloatOp::Fma => smallvec![ty.ty(); 3],
                FloatOp::Neg | FloatOp::Abs | FloatOp::Rint => smallvec![ty.ty()],
                FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div => smallvec![ty.ty(); 2],
                FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => smallvec![ty.ty(); 2],
            },
            Op::FCmp(_, ty, _) => smallvec![ty.ty(); 2],
            Op::IntToFloat { from, .. } => smallvec![from.ty()],
            Op::FloatToInt { from, .. } => smallvec![from.ty()],
            Op::Load(mem) => memory(mem, smallvec![]),
            Op::Store(mem) => memory(mem, smallvec![mem.element(); mem.count as usize]),
            Op::Atomic { op: AtomicOp::CompareExchange, width, mem } => memory(mem, smallvec![width.ty(); 2]),
            Op::Atomic { width, mem, .. } => memory(mem, smallvec![width.ty()]),
        };
        (types.len() == count).then_some(types)
    }
}
