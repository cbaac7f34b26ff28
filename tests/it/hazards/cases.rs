//! The pairs, one case or more for each hazard.

/// A body without and with what the hazard needs, and the body as LLVM's machine IR, where LLVM has the like.
pub struct Case {
    /// The name in `docs/hazards.md`.
    pub rule: &'static str,
    pub targets: &'static [&'static str],
    pub body: &'static str,
    pub expected: &'static str,
    pub mir: &'static str,
}

const GFX9: &[&str] = &["gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"];
const CDNA3: &[&str] = &["gfx942", "gfx950"];
const AGPRS: &[&str] = &["gfx90a", "gfx942", "gfx950"];

const STORE_DATA: &str = "store of more than 64 bits, VALU overwrites its data";
const LANE_EXEC: &str = "VALU writes EXEC, v_readlane, v_readfirstlane or v_writelane";
const DOT: &str = "dot product, its result used but as the same op's addend";
const TRANS: &str = "transcendental, VALU reads the result";
const TRANS_1250: &str = "transcendental, VALU reads its result or overwrites its source";
const PERMLANE: &str = "VALU writes EXEC, v_permlane16, v_permlanex16 or v_permlane64";
const MEMORY_READS: &str = "VMEM or DS reads SGPR or EXEC, SALU or SMEM writes it";
const LDS_BRANCH: &str = "LDS, branch, vector memory, or the other way round";
const SMEM_RUN: &str = "a run of SMEM overwrites a source of its own, with XNACK";
const VMEM_RUN: &str = "a run of VMEM loads overwrites a source of its own or goes on with a store, with XNACK";

pub static CASES: &[Case] = &[
    Case {
        rule: "VALU writes SGPR, VMEM reads it",
        targets: GFX9,
        body: "v_readfirstlane_b32 s4, v0
               global_load_b32 v2, v3, s[4:5]",
        expected: "v_readfirstlane_b32 s4, v0
                   s_nop 4
                   global_load_b32 v2, v3, s[4:5]",
        mir: "$sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec
              $vgpr2 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr3, 0, 0, implicit $exec",
    },
    Case {
        rule: "VALU writes SGPR, v_readlane or v_writelane selects by it",
        targets: GFX9,
        body: "v_readfirstlane_b32 s4, v0
               v_readlane_b32 s8, v7, s4",
        expected: "v_readfirstlane_b32 s4, v0
                   s_nop 3
                   v_readlane_b32 s8, v7, s4",
        mir: "$sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec
              $sgpr8 = V_READLANE_B32 $vgpr7, $sgpr4",
    },
    Case {
        rule: "VALU writes VCC, v_div_fmas",
        targets: GFX9,
        body: "v_cmp_eq_u32 vcc, v0, v1 e64
               v_div_fmas_f32 v2, v3, v4, v5",
        expected: "v_cmp_eq_u32 vcc, v0, v1 e64
                   s_nop 3
                   v_div_fmas_f32 v2, v3, v4, v5",
        mir: "$vcc = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              $vgpr2 = V_DIV_FMAS_F32_e64 0, $vgpr3, 0, $vgpr4, 0, $vgpr5, 0, 0, implicit $mode, implicit $vcc, implicit $exec",
    },
    Case {
        rule: "VGPR written, DPP reads it",
        targets: GFX9,
        body: "v_mov_b32 v0, v1
               v_mov_b32 v2, v0 dpp16 dpp:0,15,15,bound_ctrl",
        expected: "v_mov_b32 v0, v1
                   s_nop 1
                   v_mov_b32 v2, v0 dpp16 dpp:0,15,15,bound_ctrl",
        mir: "$vgpr0 = V_MOV_B32_e32 $vgpr1, implicit $exec
              $vgpr2 = V_MOV_B32_dpp undef $vgpr2, $vgpr0, 0, 15, 15, 1, implicit $exec",
    },
    // A load's result is one as well, behind its wait.
    Case {
        rule: "VGPR written, DPP reads it",
        targets: GFX9,
        body: "global_load_b32 v0, v[4:5], off
               s_waitcnt 0
               v_mov_b32 v2, v0 dpp16 dpp:0,15,15,bound_ctrl",
        expected: "global_load_b32 v0, v[4:5], off
                   s_waitcnt 0
                   s_nop 0
                   v_mov_b32 v2, v0 dpp16 dpp:0,15,15,bound_ctrl",
        mir: "$vgpr0 = GLOBAL_LOAD_DWORD $vgpr4_vgpr5, 0, 0, implicit $exec
              S_WAITCNT 0
              $vgpr2 = V_MOV_B32_dpp undef $vgpr2, $vgpr0, 0, 15, 15, 1, implicit $exec",
    },
    Case {
        rule: "VALU writes EXEC, DPP",
        targets: GFX9,
        body: "v_cmp_eq_u32 exec, v0, v1 e64
               v_mov_b32 v2, v3 dpp16 dpp:0,15,15,bound_ctrl",
        expected: "v_cmp_eq_u32 exec, v0, v1 e64
                   s_nop 4
                   v_mov_b32 v2, v3 dpp16 dpp:0,15,15,bound_ctrl",
        mir: "$exec = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              $vgpr2 = V_MOV_B32_dpp undef $vgpr2, $vgpr3, 0, 15, 15, 1, implicit $exec",
    },
    Case {
        rule: "SALU writes M0, then v_movrel or s_sendmsg",
        targets: GFX9,
        body: "s_mov_b32 m0, 0
               s_sendmsg 3",
        expected: "s_mov_b32 m0, 0
                   s_nop 0
                   s_sendmsg 3",
        mir: "$m0 = S_MOV_B32 0
              S_SENDMSG 3, implicit $exec, implicit $m0",
    },
    Case {
        rule: "s_setreg, then s_getreg or s_setreg of the same",
        targets: GFX9,
        body: "s_setreg_b32 6145, s0
               s_setreg_b32 6145, s1
               s_setreg_b32 6146, s1",
        expected: "s_setreg_b32 6145, s0
                   s_nop 1
                   s_setreg_b32 6145, s1
                   s_setreg_b32 6146, s1",
        mir: "S_SETREG_B32 $sgpr0, 6145, implicit-def $mode, implicit $mode
              S_SETREG_B32 $sgpr1, 6145, implicit-def $mode, implicit $mode
              S_SETREG_B32 $sgpr1, 6146, implicit-def $mode, implicit $mode",
    },
    Case {
        rule: "s_setreg, then s_getreg or s_setreg of the same",
        targets: GFX9,
        body: "s_setreg_b32 6145, s0
               s_getreg_b32 s1, 6145",
        expected: "s_setreg_b32 6145, s0
                   s_nop 1
                   s_getreg_b32 s1, 6145",
        mir: "S_SETREG_B32 $sgpr0, 6145, implicit-def $mode, implicit $mode
              $sgpr1 = S_GETREG_B32 6145, implicit $mode",
    },
    Case {
        rule: STORE_DATA,
        targets: &["gfx906", "gfx908", "gfx90a"],
        body: "global_store_b128 v[0:1], v[4:7], off
               v_mov_b32 v7, v3",
        expected: "global_store_b128 v[0:1], v[4:7], off
                   s_nop 0
                   v_mov_b32 v7, v3",
        mir: "GLOBAL_STORE_DWORDX4 $vgpr0_vgpr1, $vgpr4_vgpr5_vgpr6_vgpr7, 0, 0, implicit $exec
              $vgpr7 = V_MOV_B32_e32 $vgpr3, implicit $exec",
    },
    Case {
        rule: STORE_DATA,
        targets: CDNA3,
        body: "global_store_b96 v[0:1], v[4:6], off
               v_mov_b32 v5, v3",
        expected: "global_store_b96 v[0:1], v[4:6], off
                   s_nop 1
                   v_mov_b32 v5, v3",
        mir: "GLOBAL_STORE_DWORDX3 $vgpr0_vgpr1, $vgpr4_vgpr5_vgpr6, 0, 0, implicit $exec
              $vgpr5 = V_MOV_B32_e32 $vgpr3, implicit $exec",
    },
    Case {
        rule: "VALU writes SGPR or VCC, VALU reads it",
        targets: CDNA3,
        body: "v_cmp_eq_u32 vcc, v0, v1 e64
               v_cndmask_b32 v2, v0, v1, vcc
               v_readfirstlane_b32 s6, v9
               v_mov_b32 v7, s6",
        expected: "v_cmp_eq_u32 vcc, v0, v1 e64
                   s_nop 1
                   v_cndmask_b32 v2, v0, v1, vcc
                   v_readfirstlane_b32 s6, v9
                   s_nop 1
                   v_mov_b32 v7, s6",
        mir: "$vcc = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              $vgpr2 = V_CNDMASK_B32_e32 $vgpr0, $vgpr1, implicit $vcc, implicit $exec
              $sgpr6 = V_READFIRSTLANE_B32 $vgpr9, implicit $exec
              $vgpr7 = V_MOV_B32_e32 $sgpr6, implicit $exec",
    },
    Case {
        rule: "VALU writes VGPR, v_readlane or v_readfirstlane reads it",
        targets: CDNA3,
        body: "v_mov_b32 v0, v1
               v_readfirstlane_b32 s6, v0",
        expected: "v_mov_b32 v0, v1
                   s_nop 0
                   v_readfirstlane_b32 s6, v0",
        mir: "$vgpr0 = V_MOV_B32_e32 $vgpr1, implicit $exec
              $sgpr6 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec",
    },
    Case {
        rule: LANE_EXEC,
        targets: CDNA3,
        body: "v_cmp_eq_u32 exec, v0, v1 e64
               v_readfirstlane_b32 s6, v5",
        expected: "v_cmp_eq_u32 exec, v0, v1 e64
                   s_nop 3
                   v_readfirstlane_b32 s6, v5",
        mir: "$exec = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              $sgpr6 = V_READFIRSTLANE_B32 $vgpr5, implicit $exec",
    },
    Case {
        rule: LANE_EXEC,
        targets: CDNA3,
        body: "v_cmp_eq_u32 exec, v0, v1 e64
               v_writelane_b32 v5, s6, 0, v5",
        expected: "v_cmp_eq_u32 exec, v0, v1 e64
                   s_nop 3
                   v_writelane_b32 v5, s6, 0, v5",
        mir: "$exec = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              $vgpr5 = V_WRITELANE_B32 $sgpr6, 0, $vgpr5",
    },
    Case {
        rule: "SDWA or op_sel writes part of a VGPR, VALU reads or writes it",
        targets: CDNA3,
        body: "v_mad_u16 v0, v1, v2, v0 op_sel:8
               v_mov_b32 v3, v0",
        expected: "v_mad_u16 v0, v1, v2, v0 op_sel:8
                   s_nop 0
                   v_mov_b32 v3, v0",
        mir: "$vgpr0 = V_MAD_U16_gfx9_e64 8, $vgpr1, 0, $vgpr2, 0, $vgpr0, 0, 0, implicit $exec
              $vgpr3 = V_MOV_B32_e32 $vgpr0, implicit $exec",
    },
    Case {
        rule: "SDWA or op_sel writes part of a VGPR, VALU reads or writes it",
        targets: CDNA3,
        body: "v_mad_u16 v0, v1, v2, v0 op_sel:8
               v_mov_b32 v0, v3",
        expected: "v_mad_u16 v0, v1, v2, v0 op_sel:8
                   s_nop 0
                   v_mov_b32 v0, v3",
        mir: "$vgpr0 = V_MAD_U16_gfx9_e64 8, $vgpr1, 0, $vgpr2, 0, $vgpr0, 0, 0, implicit $exec
              $vgpr0 = V_MOV_B32_e32 $vgpr3, implicit $exec",
    },
    Case {
        rule: TRANS,
        targets: CDNA3,
        body: "v_rcp_f32 v3, v2
               v_rcp_f32 v4, v3
               v_add_f32 v5, v4, v4",
        expected: "v_rcp_f32 v3, v2
                   v_rcp_f32 v4, v3
                   s_nop 0
                   v_add_f32 v5, v4, v4",
        mir: "$vgpr3 = V_RCP_F32_e32 $vgpr2, implicit $mode, implicit $exec
              $vgpr4 = V_RCP_F32_e32 $vgpr3, implicit $mode, implicit $exec
              $vgpr5 = V_ADD_F32_e32 $vgpr4, $vgpr4, implicit $mode, implicit $exec",
    },
    Case {
        rule: "VALU writes VGPR, v_permlane*_swap",
        targets: &["gfx950"],
        body: "v_mov_b32 v1, v2
               v_permlane16_swap_b32 v0, v1, v0, v1",
        expected: "v_mov_b32 v1, v2
                   s_nop 1
                   v_permlane16_swap_b32 v0, v1, v0, v1",
        mir: "$vgpr1 = V_MOV_B32_e32 $vgpr2, implicit $exec
              $vgpr0, $vgpr1 = V_PERMLANE16_SWAP_B32_e32 $vgpr0, $vgpr1, implicit $exec",
    },
    Case {
        rule: "VALU writes EXEC, v_permlane*_swap",
        targets: &["gfx950"],
        body: "v_cmp_eq_u32 exec, v2, v3 e64
               v_permlane16_swap_b32 v0, v1, v0, v1",
        expected: "v_cmp_eq_u32 exec, v2, v3 e64
                   s_nop 3
                   v_permlane16_swap_b32 v0, v1, v0, v1",
        mir: "$exec = V_CMP_EQ_U32_e64 $vgpr2, $vgpr3, implicit $exec
              $vgpr0, $vgpr1 = V_PERMLANE16_SWAP_B32_e32 $vgpr0, $vgpr1, implicit $exec",
    },
    Case {
        rule: DOT,
        targets: AGPRS,
        body: "v_dot4_i32_i8 v0, v1, v2, v0
               v_dot4_i32_i8 v3, v1, v2, v0
               v_dot4_i32_i8 v4, v3, v2, v5",
        expected: "v_dot4_i32_i8 v0, v1, v2, v0
                   v_dot4_i32_i8 v3, v1, v2, v0
                   s_nop 2
                   v_dot4_i32_i8 v4, v3, v2, v5",
        mir: "$vgpr0 = V_DOT4_I32_I8 8, $vgpr1, 8, $vgpr2, 8, $vgpr0, 0, 0, 0, implicit $exec
              $vgpr3 = V_DOT4_I32_I8 8, $vgpr1, 8, $vgpr2, 8, $vgpr0, 0, 0, 0, implicit $exec
              $vgpr4 = V_DOT4_I32_I8 8, $vgpr3, 8, $vgpr2, 8, $vgpr5, 0, 0, 0, implicit $exec",
    },
    Case {
        rule: DOT,
        targets: AGPRS,
        body: "v_dot4_i32_i8 v0, v1, v2, v0
               v_dot4_u32_u8 v3, v1, v2, v0",
        expected: "v_dot4_i32_i8 v0, v1, v2, v0
                   s_nop 2
                   v_dot4_u32_u8 v3, v1, v2, v0",
        mir: "$vgpr0 = V_DOT4_I32_I8 8, $vgpr1, 8, $vgpr2, 8, $vgpr0, 0, 0, 0, implicit $exec
              $vgpr3 = V_DOT4_U32_U8 8, $vgpr1, 8, $vgpr2, 8, $vgpr0, 0, 0, 0, implicit $exec",
    },
    Case {
        rule: DOT,
        targets: AGPRS,
        body: "v_dot4_i32_i8 v0, v1, v2, v0
               v_mov_b32 v0, v3",
        expected: "v_dot4_i32_i8 v0, v1, v2, v0
                   s_nop 2
                   v_mov_b32 v0, v3",
        mir: "$vgpr0 = V_DOT4_I32_I8 8, $vgpr1, 8, $vgpr2, 8, $vgpr0, 0, 0, 0, implicit $exec
              $vgpr0 = V_MOV_B32_e32 $vgpr3, implicit $exec",
    },
    Case {
        rule: DOT,
        targets: AGPRS,
        body: "v_dot4_i32_i8 v0, v1, v2, v0
               global_store_b32 v[4:5], v0, off
               v_dot4_i32_i8 v8, v1, v2, v8
               ds_load_b32 v3, v8",
        expected: "v_dot4_i32_i8 v0, v1, v2, v0
                   s_nop 2
                   global_store_b32 v[4:5], v0, off
                   v_dot4_i32_i8 v8, v1, v2, v8
                   s_nop 2
                   ds_load_b32 v3, v8",
        mir: "$vgpr0 = V_DOT4_I32_I8 8, $vgpr1, 8, $vgpr2, 8, $vgpr0, 0, 0, 0, implicit $exec
              GLOBAL_STORE_DWORD $vgpr4_vgpr5, $vgpr0, 0, 0, implicit $exec
              $vgpr8 = V_DOT4_I32_I8 8, $vgpr1, 8, $vgpr2, 8, $vgpr8, 0, 0, 0, implicit $exec
              $vgpr3 = DS_READ_B32_gfx9 $vgpr8, 0, 0, implicit $exec",
    },
    Case {
        rule: TRANS,
        targets: &["gfx1100", "gfx1102", "gfx11-generic"],
        body: "v_rcp_f32 v3, v2
               v_mov_b32 v4, v5
               v_mov_b32 v4, v5
               v_mov_b32 v4, v5
               v_mov_b32 v4, v5
               v_mov_b32 v4, v5
               v_add_f32 v4, v3, v3
               v_rcp_f32 v3, v2
               global_store_b32 v[8:9], v6, off
               v_add_f32 v4, v3, v3",
        expected: "v_rcp_f32 v3, v2
                   v_mov_b32 v4, v5
                   v_mov_b32 v4, v5
                   v_mov_b32 v4, v5
                   v_mov_b32 v4, v5
                   v_mov_b32 v4, v5
                   s_wait_alu 3999
                   v_add_f32 v4, v3, v3
                   v_rcp_f32 v3, v2
                   global_store_b32 v[8:9], v6, off
                   v_add_f32 v4, v3, v3",
        mir: "$vgpr3 = V_RCP_F32_e32 $vgpr2, implicit $mode, implicit $exec
              $vgpr4 = V_NOT_B32_e32 $vgpr5, implicit $exec
              $vgpr4 = V_NOT_B32_e32 $vgpr5, implicit $exec
              $vgpr4 = V_NOT_B32_e32 $vgpr5, implicit $exec
              $vgpr4 = V_NOT_B32_e32 $vgpr5, implicit $exec
              $vgpr4 = V_NOT_B32_e32 $vgpr5, implicit $exec
              $vgpr4 = V_ADD_F32_e32 $vgpr3, $vgpr3, implicit $mode, implicit $exec
              $vgpr3 = V_RCP_F32_e32 $vgpr2, implicit $mode, implicit $exec
              GLOBAL_STORE_DWORD $vgpr8_vgpr9, $vgpr6, 0, 0, implicit $exec
              $vgpr4 = V_ADD_F32_e32 $vgpr3, $vgpr3, implicit $mode, implicit $exec",
    },
    Case {
        rule: TRANS_1250,
        targets: &["gfx1250"],
        body: "v_rcp_f32 v3, v2
               v_add_f32 v4, v3, v3
               v_rcp_f32 v3, v2
               s_mov_b32 s0, 0
               v_mov_b32 v2, v9
               v_rcp_f32 v3, v8
               v_rcp_f32 v4, v3
               v_mov_b32 v3, v9",
        expected: "v_rcp_f32 v3, v2
                   v_nop
                   v_add_f32 v4, v3, v3
                   v_rcp_f32 v3, v2
                   s_mov_b32 s0, 0
                   v_nop
                   v_mov_b32 v2, v9
                   v_rcp_f32 v3, v8
                   v_rcp_f32 v4, v3
                   v_nop
                   v_mov_b32 v3, v9",
        mir: "$vgpr3 = V_RCP_F32_e32 $vgpr2, implicit $mode, implicit $exec
              $vgpr4 = V_ADD_F32_e32 $vgpr3, $vgpr3, implicit $mode, implicit $exec
              $vgpr3 = V_RCP_F32_e32 $vgpr2, implicit $mode, implicit $exec
              $sgpr0 = S_MOV_B32 0
              $vgpr2 = V_NOT_B32_e32 $vgpr9, implicit $exec
              $vgpr3 = V_RCP_F32_e32 $vgpr8, implicit $mode, implicit $exec
              $vgpr4 = V_RCP_F32_e32 $vgpr3, implicit $mode, implicit $exec
              $vgpr3 = V_NOT_B32_e32 $vgpr9, implicit $exec",
    },
    Case {
        rule: PERMLANE,
        targets: &["gfx1010", "gfx1100", "gfx1150", "gfx1201", "gfx1250"],
        body: "v_cmp_eq_u32 exec_lo, v0, v1 e64
               v_permlane16_b32 v2, v3, s0, s1, v2",
        expected: "v_cmp_eq_u32 exec_lo, v0, v1 e64
                   v_mov_b32 v3, v3
                   v_permlane16_b32 v2, v3, s0, s1, v2",
        mir: "V_CMPX_EQ_U32_nosdst_e64 $vgpr0, $vgpr1, implicit-def $exec, implicit $exec
              $vgpr2 = V_PERMLANE16_B32_e64 0, $vgpr3, 0, $sgpr0, 0, $sgpr1, $vgpr2, 0, implicit $exec",
    },
    Case {
        rule: PERMLANE,
        targets: &["gfx1100", "gfx1250"],
        body: "v_cmp_eq_u32 exec_lo, v0, v1 e64
               v_nop
               v_permlane64_b32 v2, v3",
        expected: "v_cmp_eq_u32 exec_lo, v0, v1 e64
                   v_nop
                   v_mov_b32 v3, v3
                   v_permlane64_b32 v2, v3",
        mir: "",
    },
    Case {
        rule: "VALU, then s_setreg of MODE",
        targets: &["gfx1250"],
        body: "v_mov_b32 v0, v1
               s_mov_b32 s0, 0
               s_setreg_imm32_b32 1, 5",
        expected: "v_mov_b32 v0, v1
                   s_mov_b32 s0, 0
                   v_nop
                   v_nop
                   s_setreg_imm32_b32 1, 5",
        mir: "$vgpr0 = V_NOT_B32_e32 $vgpr1, implicit $exec
              $sgpr0 = S_MOV_B32 0
              S_SETREG_IMM32_B32 5, 1, implicit-def $mode, implicit $mode",
    },
    Case {
        rule: MEMORY_READS,
        targets: &["gfx1010", "gfx1013", "gfx10-1-generic"],
        body: "global_load_b32 v2, v3, s[4:5]
               s_mov_b32 s5, 0
               ds_store_b32 v2, v3
               s_mov_b32 exec_lo, 0
               global_load_b32 v2, v3, s[4:5]
               v_mov_b32 v8, v9
               s_mov_b32 s4, 0",
        expected: "global_load_b32 v2, v3, s[4:5]
                   s_wait_alu 65283
                   s_mov_b32 s5, 0
                   ds_store_b32 v2, v3
                   s_wait_alu 65283
                   s_mov_b32 exec_lo, 0
                   global_load_b32 v2, v3, s[4:5]
                   v_mov_b32 v8, v9
                   s_mov_b32 s4, 0",
        mir: "$vgpr2 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr3, 0, 0, implicit $exec
              $sgpr5 = S_MOV_B32 0
              DS_WRITE_B32_gfx9 $vgpr2, $vgpr3, 0, 0, implicit $exec
              $exec_lo = S_MOV_B32 0
              $vgpr2 = GLOBAL_LOAD_DWORD_SADDR $sgpr4_sgpr5, $vgpr3, 0, 0, implicit $exec
              $vgpr8 = V_NOT_B32_e32 $vgpr9, implicit $exec
              $sgpr4 = S_MOV_B32 0",
    },
    Case {
        rule: "SMEM reads SGPR, VALU writes it",
        targets: &["gfx1010", "gfx1013", "gfx10-1-generic"],
        body: "s_load_b32 s6, s[4:5], off
               s_waitcnt_vscnt null, 0
               v_readfirstlane_b32 s4, v0
               s_load_b32 s6, s[4:5], off
               s_waitcnt 49279
               v_readfirstlane_b32 s4, v0
               s_load_b32 s6, s[4:5], off
               s_mov_b32 s20, 0
               v_readfirstlane_b32 s4, v0",
        expected: "s_load_b32 s6, s[4:5], off
                   s_waitcnt_vscnt null, 0
                   s_mov_b32 null, 0
                   v_readfirstlane_b32 s4, v0
                   s_load_b32 s6, s[4:5], off
                   s_waitcnt 49279
                   v_readfirstlane_b32 s4, v0
                   s_load_b32 s6, s[4:5], off
                   s_mov_b32 s20, 0
                   v_readfirstlane_b32 s4, v0",
        mir: "$sgpr6 = S_LOAD_DWORD_IMM $sgpr4_sgpr5, 0, 0
              S_WAITCNT_VSCNT undef $sgpr_null, 0
              $sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec
              $sgpr6 = S_LOAD_DWORD_IMM $sgpr4_sgpr5, 0, 0
              S_WAITCNT 49279
              $sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec
              $sgpr6 = S_LOAD_DWORD_IMM $sgpr4_sgpr5, 0, 0
              $sgpr20 = S_MOV_B32 0
              $sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec",
    },
    Case {
        rule: "EXEC read but by VALU, then VALU writes it",
        targets: &["gfx1010", "gfx1013", "gfx10-1-generic"],
        body: "s_mov_b32 s0, exec_lo
               v_mov_b32 v5, v6
               v_cmp_eq_u32 exec_lo, v0, v1 e64
               s_mov_b32 s0, exec_lo
               v_cmp_eq_u32 s20, v0, v1 e64
               v_cmp_eq_u32 exec_lo, v0, v1 e64",
        expected: "s_mov_b32 s0, exec_lo
                   v_mov_b32 v5, v6
                   s_wait_alu 65310
                   v_cmp_eq_u32 exec_lo, v0, v1 e64
                   s_mov_b32 s0, exec_lo
                   v_cmp_eq_u32 s20, v0, v1 e64
                   v_cmp_eq_u32 exec_lo, v0, v1 e64",
        mir: "$sgpr0 = S_MOV_B32 $exec_lo
              $vgpr5 = V_NOT_B32_e32 $vgpr6, implicit $exec
              V_CMPX_EQ_U32_nosdst_e64 $vgpr0, $vgpr1, implicit-def $exec, implicit $exec
              $sgpr0 = S_MOV_B32 $exec_lo
              $sgpr20 = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              V_CMPX_EQ_U32_nosdst_e64 $vgpr0, $vgpr1, implicit-def $exec, implicit $exec",
    },
    Case {
        rule: LDS_BRANCH,
        targets: &["gfx1010", "gfx1013", "gfx10-1-generic"],
        body: "ds_load_b32 v1, v0
               s_cbranch_scc0 bb0
               v_mov_b32 v5, v6
               global_load_b32 v2, v3, s[4:5]
               s_cbranch_scc0 bb0
               ds_load_b32 v1, v0
               global_load_b32 v2, v3, s[4:5]",
        expected: "ds_load_b32 v1, v0
                   s_cbranch_scc0 bb0
                   v_mov_b32 v5, v6
                   s_waitcnt_vscnt null, 0
                   global_load_b32 v2, v3, s[4:5]
                   s_cbranch_scc0 bb0
                   s_waitcnt_vscnt null, 0
                   ds_load_b32 v1, v0
                   global_load_b32 v2, v3, s[4:5]",
        mir: "",
    },
    Case {
        rule: SMEM_RUN,
        targets: &["gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1250"],
        body: "s_load_b32 s8, s[0:1], off
               s_load_b32 s0, s[4:5], off",
        expected: "s_load_b32 s8, s[0:1], off
                   s_nop 0
                   s_load_b32 s0, s[4:5], off",
        mir: "$sgpr8 = S_LOAD_DWORD_IMM $sgpr0_sgpr1, 0, 0
              $sgpr0 = S_LOAD_DWORD_IMM $sgpr4_sgpr5, 0, 0",
    },
    Case {
        rule: VMEM_RUN,
        targets: GFX9,
        body: "global_load_b32 v8, v[0:1], off
               global_load_b32 v0, v[4:5], off
               global_store_b32 v[12:13], v14, off",
        expected: "global_load_b32 v8, v[0:1], off
                   s_nop 0
                   global_load_b32 v0, v[4:5], off
                   s_nop 0
                   global_store_b32 v[12:13], v14, off",
        mir: "$vgpr8 = GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec
              $vgpr0 = GLOBAL_LOAD_DWORD $vgpr4_vgpr5, 0, 0, implicit $exec
              GLOBAL_STORE_DWORD $vgpr12_vgpr13, $vgpr14, 0, 0, implicit $exec",
    },
    Case {
        rule: "s102 or s103 written, src_flat_scratch_base read",
        targets: &["gfx1250"],
        body: "s_mov_b32 s102, 0
               s_mov_b64 s[2:3], src_flat_scratch_base
               s_mov_b32 s103, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b32 s4, 0
               s_mov_b64 s[2:3], src_flat_scratch_base",
        expected: "s_mov_b32 s102, 0
                   s_wait_alu 61854
                   s_mov_b64 s[2:3], src_flat_scratch_base
                   s_mov_b32 s103, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_mov_b32 s4, 0
                   s_wait_alu 61854
                   s_mov_b64 s[2:3], src_flat_scratch_base",
        mir: "$sgpr102 = S_MOV_B32 0
              $sgpr2_sgpr3 = S_MOV_B64 $src_flat_scratch_base
              $sgpr103 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr4 = S_MOV_B32 0
              $sgpr2_sgpr3 = S_MOV_B64 $src_flat_scratch_base",
    },
    // Only what VALU read before, and its pair's other half.
    Case {
        rule: "SGPR read by VALU, SALU writes it, VALU or SALU reads it",
        targets: &["gfx1200", "gfx1201", "gfx12-generic"],
        body: "s_mov_b32 s4, 1
               v_add_nc_u32 v0, s4, v0
               s_mov_b32 s5, 2
               s_mov_b32 s6, s5
               s_mov_b32 s8, 3
               v_add_nc_u32 v0, s8, v0",
        expected: "s_mov_b32 s4, 1
                   v_add_nc_u32 v0, s4, v0
                   s_mov_b32 s5, 2
                   s_wait_alu 65438
                   s_mov_b32 s6, s5
                   s_mov_b32 s8, 3
                   v_add_nc_u32 v0, s8, v0",
        mir: "$sgpr4 = S_MOV_B32 1
              $vgpr0 = V_ADD_U32_e32 $sgpr4, $vgpr0, implicit $exec
              $sgpr5 = S_MOV_B32 2
              $sgpr6 = S_MOV_B32 $sgpr5
              $sgpr8 = S_MOV_B32 3
              $vgpr0 = V_ADD_U32_e32 $sgpr8, $vgpr0, implicit $exec",
    },
    Case {
        rule: "SGPR read by VALU, VALU writes it, VALU reads it",
        targets: &["gfx1200", "gfx1201", "gfx12-generic"],
        body: "v_add_nc_u32 v0, s4, v0
               v_readfirstlane_b32 s4, v0
               v_add_nc_u32 v1, s4, v0
               v_readfirstlane_b32 s4, v1
               s_mov_b32 s6, s4
               v_add_nc_u32 v1, s4, v0",
        expected: "v_add_nc_u32 v0, s4, v0
                   v_readfirstlane_b32 s4, v0
                   s_wait_alu 61855
                   v_add_nc_u32 v1, s4, v0
                   v_readfirstlane_b32 s4, v1
                   s_mov_b32 s6, s4
                   v_add_nc_u32 v1, s4, v0",
        mir: "$vgpr0 = V_ADD_U32_e32 $sgpr4, $vgpr0, implicit $exec
              $sgpr4 = V_READFIRSTLANE_B32 $vgpr0, implicit $exec
              $vgpr1 = V_ADD_U32_e32 $sgpr4, $vgpr0, implicit $exec
              $sgpr4 = V_READFIRSTLANE_B32 $vgpr1, implicit $exec
              $sgpr6 = S_MOV_B32 $sgpr4
              $vgpr1 = V_ADD_U32_e32 $sgpr4, $vgpr0, implicit $exec",
    },
    Case {
        rule: "VCC read by VALU, VALU writes it, VALU reads it",
        targets: &["gfx1200", "gfx1201", "gfx12-generic"],
        body: "v_cmp_eq_u32 vcc_lo, v0, v1 e64
               v_cndmask_b32 v2, v0, v1, vcc_lo
               v_cmp_eq_u32 vcc_lo, v0, v2 e64
               v_cndmask_b32 v2, v0, v1, vcc_lo",
        expected: "v_cmp_eq_u32 vcc_lo, v0, v1 e64
                   v_cndmask_b32 v2, v0, v1, vcc_lo
                   v_cmp_eq_u32 vcc_lo, v0, v2 e64
                   s_wait_alu 65437
                   v_cndmask_b32 v2, v0, v1, vcc_lo",
        mir: "$vcc_lo = V_CMP_EQ_U32_e64 $vgpr0, $vgpr1, implicit $exec
              $vgpr2 = V_CNDMASK_B32_e32 $vgpr0, $vgpr1, implicit $vcc, implicit $exec
              $vcc_lo = V_CMP_EQ_U32_e64 $vgpr0, $vgpr2, implicit $exec
              $vgpr2 = V_CNDMASK_B32_e32 $vgpr0, $vgpr1, implicit $vcc, implicit $exec",
    },
];
