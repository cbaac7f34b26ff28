//! Renumbering: drops what is not reachable or not in a block, and numbers the rest in layout order.
//!
//! Passes leave dead ids behind; dumps read better, and side tables stay small, without them.

use super::*;
use crate::id::{EntityRef, side_table};

/// The same function with dense ids in layout order. `order` must be right; everything outside it is dropped.
pub fn compact(mut func: Func) -> Func {
    let mut out = Func {
        values: PrimaryMap::with_capacity(func.insts.len()),
        insts: PrimaryMap::with_capacity(func.insts.len()),
        blocks: PrimaryMap::with_capacity(func.order.len()),
        spans: side_table(func.insts.len(), Span::NONE),
        entry: Block::new(0),
        order: Vec::with_capacity(func.order.len()),
    };
    let mut new_value: Vec<Option<Value>> = vec![None; func.values.len()];
    let mut new_block: Vec<Option<Block>> = vec![None; func.blocks.len()];

    // Definitions first: a use may stand before its definition in layout order (the edges back).
    for &block in &func.order {
        let data = &mut func.blocks[block];
        let id = out.blocks.push(BlockData { term_span: data.term_span, ..BlockData::default() });
        new_block[block.index()] = Some(id);
        out.order.push(id);
        let mut define = |value: &mut Value, ty: Type, def: ValueDef| {
            let id = out.values.push(ValueData { ty, def });
            new_value[value.index()] = Some(id);
            *value = id;
        };
        for (n, param) in data.params.iter_mut().enumerate() {
            define(param, func.values[*param].ty, ValueDef::Param(id, n as u16));
        }
        for inst in &mut data.insts {
            let old = &mut func.insts[*inst];
            let mut results = std::mem::take(&mut old.results);
            let new = out.insts.next_key();
            for (n, result) in results.iter_mut().enumerate() {
                define(result, func.values[*result].ty, ValueDef::Result(new, n as u16));
            }
            let op = std::mem::replace(&mut old.op, Op::ParamBase);
            out.insts.push(InstData { op, args: std::mem::take(&mut old.args), results });
            out.spans[new] = func.spans[*inst];
            *inst = new;
        }
        out.blocks[id].params = std::mem::take(&mut data.params);
        out.blocks[id].insts = std::mem::take(&mut data.insts);
        out.blocks[id].term = std::mem::take(&mut data.term);
    }

    let map = |value: &mut Value| {
        if let Some(new) = new_value[value.index()] {
            *value = new;
        }
    };
    for data in out.insts.values_mut() {
        data.args.iter_mut().for_each(map);
    }
    for data in out.blocks.values_mut() {
        match &mut data.term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => map(value),
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in data.term.edges_mut() {
            if let Some(new) = new_block[edge.block.index()] {
                edge.block = new;
            }
            edge.args.iter_mut().for_each(map);
        }
    }
    if let Some(entry) = new_block[func.entry.index()] {
        out.entry = entry;
    }
    out
}
