//! EXEC masks and branches: from what each lane does to what the wave does.
//!
//! DESIGN, "Divergence by pending masks over a linear layout"; thread frontiers (Diamos et al., "SIMD re-convergence at thread
//! frontiers", MICRO 2011). Lanes that go to a block wait in its *pending mask* until the layout comes to it; the block then
//! takes the mask as EXEC. What is known about a block's lanes decides how it gets them ([`plan::Enter`]):
//!
//! - *straight*: EXEC is right already; all lanes come at once, or from the block before alone. No mask, plain branches.
//! - *saved*: all lanes that reached its immediate dominator come here in the end, so EXEC is saved there and restored here, and
//!   the edges do nothing: a structured `if`, the code behind a loop.
//! - *gathered*: a mask that is cleared (or first written) at the immediate dominator and added to by each edge.
//!
//! A loop's jump back is a plain branch where no lane of the loop can be waiting elsewhere in it; else the lanes that go back gather in a mask of
//! their own, which is tested once behind the loop's last block. A block that may be reached without lanes is skipped, with all
//! that it dominates, unless it is short and nothing in it ignores EXEC.
//!
//! With *resume points* (a barrier that parks, a loop that yields) the end of the layout is a dispatcher ([`dispatch`]), and a mask of the
//! live lanes tells when the wave is done. Where a resume point stands between a block and its immediate dominator
//! ([`crate::graph::resume`]), lanes come to the block in several passes: there every mask is gathered, cleared when taken, and zero
//! from the kernel's start. All other blocks stay as above.
//!
//! Needs: the logical state. Leaves: the linear state; EXEC is constant but in blocks marked `linear_only`; empty blocks are gone, so
//! that critical edges may be there again. No lane runs a block twice or not at all, no block with effects runs without lanes.
//! Not here: waits and hazards of the barriers (`finish`), registers for the masks (`alloc`).

mod dispatch;
mod emit;
mod linear;
mod ops;
mod plan;
mod shape;

use crate::amd::Target;
use crate::mir::MirFunc;

/// Replaces logical control flow by masks and branches.
pub fn insert_masks(func: &mut MirFunc, target: &Target) {
    let shape = shape::normalise(func, target);
    let plan = plan::Plan::new(&shape);
    emit::emit(func, target, &shape, &plan);
    linear::finish(func, shape.end);
}
