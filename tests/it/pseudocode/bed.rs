//! A test bed for single instructions: a kernel that loads a wave's registers and LDS and scratch from memory, executes the
//! instruction in the emulator, and stores them all.

use std::ops::Range;
use warp2wave::amd::{self, File, Inst, Mods, Op, Operand, Reg, Target, op::Format, ops};
use warp2wave::emu::Device;
use warp2wave::object::{
    self, ArgInfo, CodeObjectInput, Descriptor, Family, KernelInput, TargetInfo, TextPadding, Version,
};

/// VGPRs and SGPRs that the bed loads and stores.
pub const VGPRS: Range<u16> = 8..56;
const SGPRS: Range<u16> = 16..48;
/// Bytes of state of one lane.
const LANE: usize = 512;
pub const WINDOW: usize = 1024;
pub const SCRATCH: usize = 64;

/// A wave before or after the instruction.
#[derive(Clone)]
pub struct State {
    /// By register and lane.
    pub vgprs: Vec<Vec<u32>>,
    pub sgprs: Vec<u32>,
    pub exec: u64,
    pub vcc: u64,
    pub scc: bool,
    /// MODE[9:0].
    pub mode: u32,
    /// LDS and memory, the one or the other.
    pub window: Vec<u8>,
    /// By lane.
    pub scratch: Vec<u8>,
}

impl State {
    pub fn new(target: &Target) -> State {
        let lanes = target.wave_lanes() as usize;
        State {
            vgprs: vec![vec![0; lanes]; VGPRS.end as usize],
            sgprs: vec![0; SGPRS.end as usize],
            exec: all(target),
            vcc: 0,
            scc: false,
            mode: 0xf0,
            window: vec![0; WINDOW],
            scratch: vec![0; SCRATCH * lanes],
        }
    }
}

pub fn all(target: &Target) -> u64 {
    if target.wave_lanes() == 32 { u32::MAX as u64 } else { u64::MAX }
}

struct Writer<'a> {
    target: &'a Target,
    code: Vec<u8>,
}

impl Writer<'_> {
    fn inst(&mut self, inst: &Inst) {
        let words = amd::encode(inst, self.target).unwrap_or_else(|e| panic!("{:?} on {}: {e}", inst, self.target));
        self.code.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    }
    fn op<const D: usize, const U: usize>(&mut self, op: Op, defs: [Reg; D], uses: [Operand; U]) {
        self.inst(&Inst::new(op, defs, uses));
    }
    fn at<const D: usize, const U: usize>(&mut self, op: Op, defs: [Reg; D], uses: [Operand; U], offset: i32) {
        self.inst(&Inst::new(op, defs, uses).with(Mods { offset, ..Mods::default() }));
    }
}

fn reg(reg: Reg) -> Operand {
    Operand::Reg(reg)
}

const STATE: Reg = Reg::sn(4, 2);
const MEMORY: Reg = Reg::sn(6, 2);
const LANE_STATE: Reg = Reg::v(1);
const LANE_LDS: Reg = Reg::v(2);
const LANE_SCRATCH: Reg = Reg::v(3);
const COPY: Reg = Reg::vn(60, 4);
/// The SGPRs as VGPRs.
const SAVED: u16 = 64;
/// After the instruction: SCC, EXEC, VCC, MODE, and whether it fell through.
const AFTER: u16 = 56;
const FELL: Reg = Reg::s(AFTER + 6);

/// Which parts of memory a kernel copies.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Space {
    None,
    Lds,
    Scratch,
}

pub struct Bed {
    target: Target,
    object: Vec<u8>,
}

/// Where the memory window is, so that addresses can be given.
pub type Addresses<'a> = dyn Fn(&mut State, u64) + 'a;

impl Bed {
    /// `mode` is MODE[9:0].
    pub fn new(target: &Target, inst: &Inst, space: Space, mode: u32) -> Result<Bed, String> {
        let under_test = amd::encode(inst, target).map_err(|e| format!("no encoding: {e}"))?;
        let code = kernel(target, &under_test, space);
        let family = Family::of_machine(target.processor().machine).expect("a family");
        let mut descriptor = Descriptor::new(family);
        descriptor.round_f32 = mode & 3;
        descriptor.round_f64 = mode >> 2 & 3;
        descriptor.denorm_f32 = mode >> 4 & 3;
        descriptor.denorm_f64 = mode >> 6 & 3;
        descriptor.ieee = mode >> 9 & 1 == 1;
        descriptor.kernarg_bytes = 16;
        descriptor.user_kernarg_segment_ptr = true;
        descriptor.user_sgpr_count = 15;
        descriptor.lds_bytes = WINDOW as u32;
        if space == Space::Scratch {
            descriptor.scratch_bytes = SCRATCH as u32;
            descriptor.private_segment = true;
        }
        let arg = |offset| ArgInfo { offset, size: 8, value_kind: "by_value".into(), ..ArgInfo::default() };
        let setting = |s| match s {
            amd::target::Setting::Unsupported => object::Setting::Unsupported,
            _ => object::Setting::Any,
        };
        let input = CodeObjectInput {
            version: Version::V5,
            target: TargetInfo {
                id: target.to_string(),
                machine: target.processor().machine,
                generic_version: 0,
                xnack: setting(target.xnack),
                sramecc: setting(target.sramecc),
            },
            kernels: vec![KernelInput {
                name: "bed".into(),
                code,
                fixups: vec![],
                vgprs: 96,
                agprs: 0,
                sgprs: 72,
                descriptor,
                kernarg_align_bytes: 8,
                args: vec![arg(0), arg(8)],
                wave_lanes: target.wave_lanes(),
                max_flat_workgroup_size: 64,
                reqd_workgroup_size: None,
                sgpr_spill_count: 0,
                vgpr_spill_count: 0,
            }],
            variables: vec![],
            padding: TextPadding { gap_word: 0xbf80_0000, end_word: 0xbf80_0000, end_align_bytes: 4, end_words: 0 },
            debug: None,
        };
        Ok(Bed { target: target.clone(), object: object::write(&input).map_err(|e| e.to_string())? })
    }

    /// Executes the instruction on this state; `addresses` may put the window's address into it. Returns the state after, and
    /// whether the instruction jumped.
    pub fn run(&self, before: &State, addresses: &Addresses) -> Result<(State, bool), String> {
        let lanes = self.target.wave_lanes() as usize;
        let fault = |f: Box<warp2wave::emu::Fault>| f.to_string();
        let mut device = Device::new(&self.target).map_err(fault)?;
        device.options.check_waits = false;
        device.options.check_hazards = false;
        device.options.zero_fill = true;
        let module = device.load(&self.object).map_err(fault)?;
        let mut content = before.window.clone();
        content.extend(&before.scratch);
        let window = device.alloc("window", content);
        let mut state = before.clone();
        addresses(&mut state, window);
        let mut bytes = vec![0u8; LANE * lanes + 4 * SGPRS.len()];
        let mut put = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        for lane in 0..lanes {
            for v in VGPRS {
                put(LANE * lane + 4 * (v - VGPRS.start) as usize, state.vgprs[v as usize][lane]);
            }
        }
        state.sgprs[16..20].copy_from_slice(&[
            state.vcc as u32,
            (state.vcc >> 32) as u32,
            state.exec as u32,
            (state.exec >> 32) as u32,
        ]);
        state.sgprs[20] = state.scc as u32;
        for s in SGPRS {
            put(LANE * lanes + 4 * (s - SGPRS.start) as usize, state.sgprs[s as usize]);
        }
        let at = device.alloc("state", bytes);
        let args = [at.to_le_bytes(), window.to_le_bytes()].concat();
        device.launch(&module, "bed", [1; 3], [lanes as u32, 1, 1], 0, &args).map_err(fault)?;
        let bytes = device.read(at, LANE * lanes).map_err(fault)?;
        let get = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        for lane in 0..lanes {
            for v in VGPRS {
                state.vgprs[v as usize][lane] = get(LANE * lane + 4 * (v - VGPRS.start) as usize);
            }
        }
        let saved = |s: u16| get(4 * (VGPRS.len() + (s - 32) as usize));
        (32..48).for_each(|s| state.sgprs[s as usize] = saved(s));
        let pair = |s: u16| saved(s) as u64 | (saved(s + 1) as u64) << 32;
        state.scc = saved(AFTER) == 1;
        (state.exec, state.vcc) = (pair(AFTER + 1) & all(&self.target), pair(AFTER + 3) & all(&self.target));
        state.mode = saved(AFTER + 5);
        let memory = device.read(window, WINDOW + SCRATCH * lanes).map_err(fault)?;
        state.window = memory[..WINDOW].to_vec();
        state.scratch = memory[WINDOW..].to_vec();
        Ok((state, saved(FELL.index) == 0))
    }
}

fn kernel(target: &Target, under_test: &[u32], space: Space) -> Vec<u8> {
    let lanes = target.wave_lanes();
    let mut w = Writer { target, code: vec![] };
    let imm = Operand::Imm;
    w.op(ops::s_load_b128, [Reg::sn(4, 4)], [reg(Reg::sn(0, 2)), Operand::Off]);
    w.op(ops::v_and_b32, [Reg::v(0)], [imm(0x3f), reg(Reg::v(0))]);
    w.op(ops::v_lshlrev_b32, [LANE_STATE], [imm(9), reg(Reg::v(0))]);
    let lds_lane = WINDOW as u32 / lanes;
    w.op(ops::v_lshlrev_b32, [LANE_LDS], [imm(lds_lane.ilog2() as u64), reg(Reg::v(0))]);
    w.op(ops::v_lshlrev_b32, [LANE_SCRATCH], [imm(6), reg(Reg::v(0))]);
    for at in (0..SGPRS.len() as i32).step_by(16) {
        let to = Reg::sn(SGPRS.start + at as u16, 16);
        w.at(ops::s_load_b512, [to], [reg(STATE), Operand::Off], (LANE as u32 * lanes) as i32 + 4 * at);
    }
    for at in (0..VGPRS.len() as u16).step_by(4) {
        let to = Reg::vn(VGPRS.start + at, 4);
        w.at(ops::global_load_b128, [to], [reg(LANE_STATE), reg(STATE)], 4 * at as i32);
    }
    let parts = |bytes: u32| (0..bytes as i32).step_by(16);
    if space == Space::Lds {
        for at in parts(lds_lane) {
            w.at(ops::global_load_b128, [COPY], [reg(LANE_LDS), reg(MEMORY)], at);
            w.at(ops::ds_store_b128, [], [reg(LANE_LDS), reg(COPY)], at);
        }
    }
    if space == Space::Scratch {
        for at in parts(SCRATCH as u32) {
            w.at(ops::global_load_b128, [COPY], [reg(LANE_SCRATCH), reg(MEMORY)], WINDOW as i32 + at);
            w.at(ops::scratch_store_b128, [], [Operand::Off, reg(COPY), Operand::Off], at);
        }
    }
    let (wide, exec) = (lanes == 64, Reg::exec(lanes));
    let mask_mov = if wide { ops::s_mov_b64 } else { ops::s_mov_b32 };
    let scalar = |s: u16| Reg::sn(s, (lanes / 32) as u8);
    w.op(mask_mov, [Reg::vcc(lanes)], [reg(scalar(16))]);
    w.op(ops::s_mov_b32, [FELL], [imm(0)]);
    w.op(ops::s_cmp_lg_u32, [], [reg(Reg::s(20)), imm(0)]);
    w.op(mask_mov, [exec], [reg(scalar(18))]);

    // A jump goes over one dword: the move that says that there was none.
    w.code.extend(under_test.iter().flat_map(|word| word.to_le_bytes()));
    w.op(ops::s_mov_b32, [FELL], [imm(1)]);

    w.op(ops::s_cselect_b32, [Reg::s(AFTER)], [imm(1), imm(0)]);
    w.op(mask_mov, [Reg::sn(AFTER + 8, (lanes / 32) as u8)], [reg(exec)]);
    w.op(mask_mov, [exec], [imm(if wide { u64::MAX } else { u32::MAX as u64 })]);
    w.op(ops::s_mov_b32, [Reg::s(AFTER + 1)], [reg(Reg::s(AFTER + 8))]);
    w.op(ops::s_mov_b32, [Reg::s(AFTER + 2)], [if wide { reg(Reg::s(AFTER + 9)) } else { imm(0) }]);
    w.op(ops::s_mov_b32, [Reg::s(AFTER + 3)], [reg(Reg::VCC_LO)]);
    w.op(ops::s_mov_b32, [Reg::s(AFTER + 4)], [reg(Reg::new(File::Vcc, 1, 1))]);
    w.op(ops::s_getreg_b32, [Reg::s(AFTER + 5)], [imm(1 | 9 << 11)]);
    // The addresses again: an instruction under test has none of these registers.
    for s in (32..48).chain(AFTER..AFTER + 7) {
        w.op(ops::v_mov_b32, [Reg::v(SAVED + s - 32)], [reg(Reg::s(s))]);
    }
    for at in (0..VGPRS.len() as u16).step_by(4) {
        let from = Reg::vn(VGPRS.start + at, 4);
        w.at(ops::global_store_b128, [], [reg(LANE_STATE), reg(from), reg(STATE)], 4 * at as i32);
    }
    for at in (0..32).step_by(4) {
        let offset = 4 * (VGPRS.len() as i32 + at as i32);
        w.at(ops::global_store_b128, [], [reg(LANE_STATE), reg(Reg::vn(SAVED + at, 4)), reg(STATE)], offset);
    }
    if space == Space::Lds {
        for at in parts(lds_lane) {
            w.at(ops::ds_load_b128, [COPY], [reg(LANE_LDS)], at);
            w.at(ops::global_store_b128, [], [reg(LANE_LDS), reg(COPY), reg(MEMORY)], at);
        }
    }
    if space == Space::Scratch {
        for at in parts(SCRATCH as u32) {
            w.at(ops::scratch_load_b128, [COPY], [Operand::Off, Operand::Off], at);
            w.at(ops::global_store_b128, [], [reg(LANE_SCRATCH), reg(COPY), reg(MEMORY)], WINDOW as i32 + at);
        }
    }
    w.op(ops::s_endpgm, [], []);
    w.code
}

/// The operands of an op, each in registers of its own: use n from v[8 + 4n] or s[24 + 4n], the results in v[28], v[32] and
/// s[32].
pub struct Places {
    pub vector: [u16; 4],
    pub scalar: [u16; 4],
}
pub const PLACES: Places = Places { vector: [8, 12, 16, 20], scalar: [24, 28, 22, 21] };
pub const DEFS: [u16; 2] = [28, 32];
pub const SDEF: u16 = 32;

/// Whether the addresses go through a scalar base.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct Form {
    pub saddr: bool,
    pub soffset: bool,
    pub imm: u64,
    pub literal: u64,
}

pub fn instruction(op: Op, target: &Target, mods: Mods, form: Form) -> Inst {
    use amd::SlotKind::*;
    let lanes = target.wave_lanes();
    let scratch = op.opcode(target).is_some_and(|c| c.format == Format::Scratch);
    let defs: Vec<Reg> = (op.defs.iter().enumerate())
        .map(|(n, slot)| match slot.kind {
            Mask => Reg::vcc(lanes),
            Sgpr => Reg::sn(SDEF, slot.dwords(lanes)),
            _ => Reg::vn(DEFS[n], slot.dwords(lanes)),
        })
        .collect();
    let uses: Vec<Operand> = (op.uses.iter().enumerate())
        .map(|(n, slot)| {
            let size = slot.dwords(lanes);
            if slot.tied {
                return reg(defs[op.tied_def(n)]);
            }
            match slot.kind {
                Mask => reg(Reg::vcc(lanes)),
                Src | Vgpr => reg(Reg::vn(PLACES.vector[n], size)),
                Ssrc | Sgpr => reg(Reg::sn(PLACES.scalar[n], size)),
                VgprAddr => reg(Reg::vn(PLACES.vector[n], if form.saddr { 1 } else { 2 })),
                VgprOrOff if scratch && form.saddr => Operand::Off,
                VgprOrOff => reg(Reg::vn(PLACES.vector[n], size)),
                // The last operand of an access.
                SgprOrOff if form.saddr || form.soffset => reg(Reg::sn(40, size)),
                SgprOrOff => Operand::Off,
                Simm16 | Label => Operand::Imm(form.imm),
                Literal => Operand::Imm(form.literal),
                Agpr => panic!("{op:?}: AGPRs are moved, not computed with"),
            }
        })
        .collect();
    Inst::new(op, defs, uses).with(mods)
}
