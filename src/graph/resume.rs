//! Which blocks lanes may come to in several passes of the wave.
//!
//! At a *resume point* lanes wait while the wave goes on without them; they run on from there in a later pass over the layout. All
//! lanes of a block come through its immediate dominator. So if no resume point stands behind that, up to the block itself, then whenever the
//! dominator has run all lanes that it sends on come to the block in the same pass, and none from anywhere else: the block is
//! not *interrupted*, wherever else in the function lanes wait.
//!
//! A cycle with several entries has no such dominators inside: it is interrupted as a whole or not at all.

use super::{Layout, NONE};

pub struct Interrupted {
    /// By position.
    pub at: Vec<bool>,
    /// By position: resume points before it; blocks of interrupted cycles with several entries count as such.
    points: Vec<u32>,
    /// By position: interrupted blocks before it.
    blocks: Vec<u32>,
}

impl Interrupted {
    /// `resume`: by block.
    pub fn new(layout: &Layout, resume: impl Fn(u32) -> bool) -> Interrupted {
        let n = layout.order.len();
        let mut point: Vec<bool> = layout.order.iter().map(|&b| resume(b)).collect();
        let mut out = Interrupted { at: vec![false; n], points: vec![0; n + 1], blocks: vec![0; n + 1] };
        for (p, &b) in layout.order.iter().enumerate() {
            let several = layout.irreducible_around(b);
            if let Some(c) = several
                && layout.components[c as usize].first == p as u32
            {
                let range = p..layout.components[c as usize].end as usize;
                let start = behind_dominator(layout, layout.blocks() + c);
                if point[range.clone()].contains(&true) || out.points[start as usize] < out.points[p] {
                    point[range].fill(true);
                }
            }
            out.points[p + 1] = out.points[p] + u32::from(point[p]);
            out.at[p] = match several {
                Some(_) => point[p],
                None => out.has_points(behind_dominator(layout, layout.entry_node(b))..p as u32 + 1),
            };
            out.blocks[p + 1] = out.blocks[p] + u32::from(out.at[p]);
        }
        out
    }

    /// Whether a resume point stands at one of these positions.
    pub fn has_points(&self, positions: std::ops::Range<u32>) -> bool {
        self.points[positions.start as usize] < self.points[positions.end.max(positions.start) as usize]
    }

    /// Whether an interrupted block stands at one of these positions.
    pub fn has_blocks(&self, positions: std::ops::Range<u32>) -> bool {
        self.blocks[positions.start as usize] < self.blocks[positions.end.max(positions.start) as usize]
    }
}

/// The first position whose lanes may have run since those of a node were sent on. Of a component that is its entry: lanes leave it in the
/// middle.
fn behind_dominator(layout: &Layout, node: u32) -> u32 {
    match layout.idom[node as usize] {
        NONE => 0,
        above if above < layout.blocks() => layout.head(above) + 1,
        above => layout.head(above),
    }
}
