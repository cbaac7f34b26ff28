//! Dead code: instructions and block parameters that no effect depends on.
//!
//! Leaves: every instruction has an effect or a user, every parameter a user other than itself and its like.

use crate::id::EntityRef;
use crate::ir::{Block, Func, Value, ValueDef};
use smallvec::SmallVec;

pub fn run(func: &mut Func) {
    let mut live = vec![false; func.values.len()];
    let mut work: Vec<Value> = Vec::new();
    // The edges into each block: the source and the number of the edge there.
    let mut preds: Vec<SmallVec<[(Block, u32); 2]>> = vec![SmallVec::new(); func.blocks.len()];
    for &block in &func.order {
        let data = &func.blocks[block];
        for &inst in &data.insts {
            if func.insts[inst].op.has_effect() {
                work.extend(&func.insts[inst].args);
            }
        }
        work.extend(data.term.condition());
        for (n, edge) in data.term.edges().into_iter().enumerate() {
            preds[edge.block.index()].push((block, n as u32));
        }
    }
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut live[value.index()], true) {
            continue;
        }
        match func.values[value].def {
            ValueDef::Result(inst, _) => work.extend(&func.insts[inst].args),
            ValueDef::Param(block, n) => {
                for &(pred, edge) in &preds[block.index()] {
                    if let Some(edge) = func.blocks[pred].term.edge(edge as usize) {
                        work.push(edge.args[n as usize]);
                    }
                }
            }
        }
    }
    let dead_params: Vec<SmallVec<[bool; 8]>> =
        func.blocks.values().map(|data| data.params.iter().map(|p| !live[p.index()]).collect()).collect();
    for block in func.order.clone() {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let kept = insts.into_iter().filter(|&inst| {
            let data = &func.insts[inst];
            data.op.has_effect() || data.results.iter().any(|r| live[r.index()])
        });
        let kept: Vec<_> = kept.collect();
        let data = &mut func.blocks[block];
        data.insts = kept;
        data.params.retain(|p| live[p.index()]);
        for (n, &param) in data.params.iter().enumerate() {
            func.values[param].def = ValueDef::Param(block, n as u16);
        }
        for edge in data.term.edges_mut() {
            let dead = &dead_params[edge.block.index()];
            let mut n = 0;
            edge.args.retain(|_| {
                n += 1;
                !dead[n - 1]
            });
        }
    }
}
