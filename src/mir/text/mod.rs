//! The text form of machine IR, for dumps and for tests: [`print()`] and [`parse()`], with `print(parse(s)) == s` for what
//! [`print()`] wrote.
//!
//! ```text
//! func @scale max_workgroup_items=256 {
//!   abi kernarg_ptr user_sgprs=2 workgroup_id=x workitem_dims=0
//!   %0: s2
//!   %1: v1
//!   %2: v1 linear
//! bb0 -> bb1, bb2 | bb1:
//!   %0 = copy s[0:1]
//!   global_load_b32 %1, v0, %0 offset:16 glc            @120..140
//!   %1, %2 = parallel_copy %2, 7
//!   v_add_f32 %1, %1, 0x3f800000 mode:3,0,ftz
//!   branch_mask %3, bb1, bb2
//! bb1 -> bb1 | bb1, bb2 depth 1:
//!   ..
//! }
//! ```
//! A block's header holds its logical successors, after `|` the linear ones once `exec` has filled them, and its loop depth.
//! Blocks stand in layout order; those outside the layout follow, marked `unplaced`. Operands stand in the order of
//! the op's row, defs first, tied uses included; modifiers that are not the op's default follow. `%1` is a whole register,
//! `%1[0]` and `%1[0:1]` are parts. A comment runs from `;` to the end of the line.

mod parse;
mod print;

pub use parse::{parse, parse_with};
pub use print::print;

use crate::amd::{Cache, Encoding};

/// Names of hidden arguments that [`super::Abi::hidden_args`] may hold.
const HIDDEN_NAMES: &[&str] = &[
    "hidden_block_count_x",
    "hidden_block_count_y",
    "hidden_block_count_z",
    "hidden_group_size_x",
    "hidden_group_size_y",
    "hidden_group_size_z",
    "hidden_remainder_x",
    "hidden_remainder_y",
    "hidden_remainder_z",
    "hidden_global_offset_x",
    "hidden_global_offset_y",
    "hidden_global_offset_z",
    "hidden_grid_dims",
    "hidden_dynamic_lds_size",
    "hidden_private_base",
    "hidden_shared_base",
    "hidden_queue_ptr",
];

const ENCODINGS: &[(Encoding, &str)] = &[
    (Encoding::Vop3, "e64"),
    (Encoding::Dpp16, "dpp16"),
    (Encoding::Dpp8, "dpp8"),
    (Encoding::Sdwa, "sdwa"),
    (Encoding::Vop3Dpp16, "e64_dpp16"),
    (Encoding::Vop3Dpp8, "e64_dpp8"),
];

const CACHE: &[(Cache, &str)] = &[
    (Cache::GLC, "glc"),
    (Cache::SLC, "slc"),
    (Cache::DLC, "dlc"),
    (Cache::SC0, "sc0"),
    (Cache::SC1, "sc1"),
    (Cache::NT, "nt"),
    (Cache::SCOPE_SE, "scope_se"),
    (Cache::SCOPE_DEV, "scope_dev"),
    (Cache::TH_RETURN, "th_return"),
    (Cache::TH_NT, "th_nt"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amd::lane::{MemKind, Sem};
    use crate::amd::op::{Format, Opcode, slots::*};
    use crate::amd::{Flags, Op, OpInfo};

    const fn row(
        name: &'static str,
        format: Format,
        defs: &'static [crate::amd::Slot],
        uses: &'static [crate::amd::Slot],
    ) -> OpInfo {
        let code = Some(Opcode { format, number: 0 });
        let sem = Sem::Load(MemKind::dwords(1));
        OpInfo { name, aliases: &[], codes: [code; 4], needs: None, defs, uses, flags: Flags::empty(), sem }
    }
    static LOAD: OpInfo = row("global_load_b32", Format::Global, &[V32], &[VOFF32, SOFF64]);
    static ADD: OpInfo = row("v_add_f32", Format::Vop2, &[V32], &[SRCF32, V32]);
    static DOT: OpInfo = row("v_dot4_i32_i8", Format::Vop3p, &[V32], &[SRC32, SRC32, SRC32]);
    static BRANCH: OpInfo = row("s_cbranch_scc1", Format::Sopp, &[], &[LABEL]);
    static END: OpInfo = row("s_endpgm", Format::Sopp, &[], &[]);

    fn lookup(name: &str) -> Option<Op> {
        [&LOAD, &ADD, &DOT, &BRANCH, &END].into_iter().find(|op| op.name == name).map(Op)
    }

    const TEXT: &str = "\
func @scale$1.x max_workgroup_items=256 local_bytes=16 spill_bytes=8 lds_bytes=1024 {
  abi dispatch_ptr kernarg_ptr user_sgprs=4 workgroup_id=xz workitem_dims=1
  hidden hidden_dynamic_lds_size 120 4
  entry bb1
  %0: s2
  %1: v1
  %2: v1 linear
  %3: v4
bb1 -> bb0, bb2 | bb0, bb2:
  %0 = copy s[0:1]
  global_load_b32 %1, v0, %0 offset:-16 glc scope_se scope_dev @120..140
  global_load_b32 %3[1], off, off
  %1, %2 = parallel_copy %2, 7
  v_add_f32 %1, 0x3f800000, %1 e64 neg:1 abs:2 clamp omod:1 mode:3,0,ftz
  v_add_f32 %3[2], vcc_lo, v3 dpp16 dpp:273,15,15,bound_ctrl,fi @1..2
  v_add_f32 %3[2], v2, v3 sdwa parts:1,2,4,6,1
  v_dot4_i32_i8 %3[0], %3[1], %3[2], 0 op_sel_hi:3 mode:1,2
  %0 = mask_merge exec, s[4:5]
  %0 = global_addr 3, -8
  spill 1, %1
  %3[2:3] = copy 0xffffffffffffffff
  %3[0] = copy m0
  %0 = copy src_shared_base
  %0[1] = copy src_shared_base[1:1]
  %1 = reload 1
  %1 = undef
  branch_mask %0, bb0, bb2 uniform @3..4
bb0 -> bb2 | bb2, bb0 depth 2:
  s_cbranch_scc1 bb0
  linear
bb2:
  s_endpgm
  switch %1, bb0, bb1
bb3 unplaced:
  barrier bb2 whole
";

    #[test]
    fn print_of_parse_is_the_text() {
        let text = format!("{TEXT}}}\n");
        let func = parse_with(&text, lookup).expect("what was printed reads");
        assert_eq!(print(&func), text);
    }

    #[test]
    fn errors_have_their_place() {
        for (text, at) in [
            ("func @f {\nbb0:\n  v_nothing %0\n  exit\n}", "v_nothing"),
            ("func @f {\n%0: v1\nbb0:\n  %0 = copy %1\n  exit\n}", "%1"),
            ("func @f {\nbb0:\n  exit\n", ""),
            ("", ""),
        ] {
            let diag = parse_with(text, lookup).unwrap_err();
            let start = diag.span.start as usize;
            assert!(text[start.min(text.len())..].starts_with(at), "{}: {:?}", diag.message, &text[start..]);
        }
    }
}
