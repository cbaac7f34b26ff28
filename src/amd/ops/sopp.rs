//! SOPP: branches, waits, barriers, hints.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "SOPP Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Sopp;
    //                                            gfx9 gfx10 gfx11 gfx12  meaning
    s_nop                        [] <- [SIMM16] (0x0  0x0  0x0  0x0 ) Sem::Wave(Wave::Nop);
    s_endpgm                     [] <- []       (0x1  0x1  0x30 0x30) Sem::Wave(Wave::EndPgm);
    s_branch                     [] <- [LABEL]  (0x2  0x2  0x20 0x20) Sem::Wave(Wave::Branch);
    s_cbranch_scc0               [] <- [LABEL]  (0x4  0x4  0x21 0x21) Sem::Wave(Wave::BranchScc(false));
    s_cbranch_scc1               [] <- [LABEL]  (0x5  0x5  0x22 0x22) Sem::Wave(Wave::BranchScc(true));
    s_cbranch_vccz               [] <- [LABEL]  (0x6  0x6  0x23 0x23) Sem::Wave(Wave::BranchVcc { zero: true });
    s_cbranch_vccnz              [] <- [LABEL]  (0x7  0x7  0x24 0x24) Sem::Wave(Wave::BranchVcc { zero: false });
    s_cbranch_execz              [] <- [LABEL]  (0x8  0x8  0x25 0x25) Sem::Wave(Wave::BranchExec { zero: true });
    s_cbranch_execnz             [] <- [LABEL]  (0x9  0x9  0x26 0x26) Sem::Wave(Wave::BranchExec { zero: false });
    s_barrier                    [] <- []       (0xa  0xa  0x3d _   ) Sem::Wave(Wave::Barrier);
    s_waitcnt                    [] <- [SIMM16] (0xc  0xc  0x9  _   ) Sem::Wave(Wave::WaitCnt);
    s_sethalt                    [] <- [SIMM16] (0xd  0xd  0x2  0x2 ) Sem::Wave(Wave::SleepOrHint);
    s_sleep                      [] <- [SIMM16] (0xe  0xe  0x3  0x3 ) Sem::Wave(Wave::SleepOrHint);
    s_sendmsg                    [] <- [SIMM16] (0x10 0x10 0x36 0x36) Sem::Wave(Wave::SendMsg);
    s_setprio                    [] <- [SIMM16] (0xf  0xf  0x35 0x35) Sem::Wave(Wave::SleepOrHint);
    s_trap                       [] <- [SIMM16] (0x12 0x12 0x10 0x10) Sem::Wave(Wave::Trap);
    s_icache_inv                 [] <- []       (0x13 0x13 0x3c 0x3c) Sem::Wave(Wave::ICacheInv);
    s_set_inst_prefetch_distance [] <- [SIMM16] (_    0x20 0x4  _   ) Sem::Wave(Wave::SleepOrHint), alias(Gfx10 "s_inst_prefetch");
    s_clause                     [] <- [SIMM16] (_    0x21 0x5  0x5 ) Sem::Wave(Wave::SleepOrHint);
    s_wait_alu                   [] <- [SIMM16] (_    0x23 0x8  0x8 ) Sem::Wave(Wave::WaitCnt), alias(Gfx10 Gfx11 "s_waitcnt_depctr");
    s_round_mode                 [] <- [SIMM16] (_    0x24 0x11 0x11) Sem::Wave(Wave::RoundMode);
    s_denorm_mode                [] <- [SIMM16] (_    0x25 0x12 0x12) Sem::Wave(Wave::DenormMode);
    s_code_end                   [] <- []       (_    0x1f 0x1f 0x1f) Sem::Wave(Wave::CodeEnd);
    s_delay_alu                  [] <- [SIMM16] (_    _    0x7  0x7 ) Sem::Wave(Wave::SleepOrHint);
    s_barrier_wait               [] <- [SIMM16] (_    _    _    0x14) Sem::Wave(Wave::BarrierWait);
    s_wait_loadcnt               [] <- [SIMM16] (_    _    _    0x40) Sem::Wave(Wave::WaitCnt);
    s_wait_storecnt              [] <- [SIMM16] (_    _    _    0x41) Sem::Wave(Wave::WaitCnt);
    s_wait_samplecnt             [] <- [SIMM16] (_    _    _    0x42) Sem::Wave(Wave::WaitCnt), needs SampleCounter;
    s_wait_bvhcnt                [] <- [SIMM16] (_    _    _    0x43) Sem::Wave(Wave::WaitCnt), needs SampleCounter;
    s_wait_expcnt                [] <- [SIMM16] (_    _    _    0x44) Sem::Wave(Wave::WaitCnt), needs SampleCounter;
    s_wait_dscnt                 [] <- [SIMM16] (_    _    _    0x46) Sem::Wave(Wave::WaitCnt);
    s_wait_kmcnt                 [] <- [SIMM16] (_    _    _    0x47) Sem::Wave(Wave::WaitCnt);
    s_wait_loadcnt_dscnt         [] <- [SIMM16] (_    _    _    0x48) Sem::Wave(Wave::WaitCnt);
    s_wait_storecnt_dscnt        [] <- [SIMM16] (_    _    _    0x49) Sem::Wave(Wave::WaitCnt);
    s_wait_asynccnt              [] <- [SIMM16] (_    _    _    0x4a) Sem::Wave(Wave::WaitCnt), needs XCounter;
    s_wait_tensorcnt             [] <- [SIMM16] (_    _    _    0x4b) Sem::Wave(Wave::WaitCnt), needs XCounter;
    s_wait_xcnt                  [] <- [SIMM16] (_    _    _    0x45) Sem::Wave(Wave::WaitCnt), needs XCounter;
}
