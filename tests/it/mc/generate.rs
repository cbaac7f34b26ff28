//! Random instructions of every row, for the recorder. Seeded: the same rows give the same cases.

use warp2wave::amd::lane::{Sem, Wave};
use warp2wave::amd::op::{Flags, Format, Num};
use warp2wave::amd::{
    Cache, Column, Dpp, Encoding, Feature, File, Inst, Mods, Op, Operand, Reg, Sdwa, Sel, Slot, SlotKind, Target,
    Unused, asm, encode, ops,
};

/// splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    pub fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }
    pub fn below(&mut self, n: u32) -> u32 {
        self.word() % n
    }
    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}

pub struct Case {
    pub op: Op,
    pub encoding: Encoding,
    pub inst: Inst,
    pub text: String,
    pub dwords: Vec<u32>,
}

/// Cases of a row in each encoding that it may have: those of one row together are 20 or more, if it has so many.
const COUNTS: [(Encoding, usize); 7] = [
    (Encoding::Native, 20),
    (Encoding::Vop3, 12),
    (Encoding::Dpp16, 8),
    (Encoding::Dpp8, 4),
    (Encoding::Sdwa, 8),
    (Encoding::Vop3Dpp16, 5),
    (Encoding::Vop3Dpp8, 3),
];

/// Random cases of each row and each encoding that the target has.
pub fn cases(target: &Target) -> Vec<Case> {
    ops::all().filter(|op| op.exists_on(target)).flat_map(|op| cases_of(op, target)).collect()
}

fn cases_of(op: Op, target: &Target) -> Vec<Case> {
    let format = op.opcode(target).expect("it exists").format;
    let mut cases: Vec<Case> = Vec::new();
    for (encoding, most) in COUNTS {
        // A row of VOP3 has that one natively.
        if encoding == Encoding::Vop3 && matches!(format, Format::Vop3 | Format::Vop3sd) {
            continue;
        }
        // The seed is the row's name: adding a row leaves the others' cases alone.
        let seed = op.name.bytes().fold(encoding as u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte as u64));
        let mut random = Random::new(seed);
        let (mut found, mut refused, mut repeated) = (0, 0, 0);
        // What is refused at first may do with other operands; what never is has no such form. Few operands repeat soon.
        while found < most && refused < 60 * (found + 1) && repeated < 40 {
            let inst = instruction(op, format, encoding, target, &mut random);
            let Ok(dwords) = encode(&inst, target) else {
                refused += 1;
                continue;
            };
            if cases.iter().any(|case| case.dwords[..] == dwords[..]) {
                repeated += 1;
                continue;
            }
            found += 1;
            let text = asm::print(&inst, target);
            cases.push(Case { op, encoding, inst, text, dwords: dwords.to_vec() });
        }
        assert!(found > 0 || encoding != Encoding::Native, "{target}: nothing encodes {op:?}");
    }
    cases
}

fn instruction(op: Op, format: Format, encoding: Encoding, target: &Target, random: &mut Random) -> Inst {
    let lanes = target.wave_lanes();
    // 32-bit encodings name VCC only and want VGPRs as second source.
    let vop3 = matches!(encoding, Encoding::Vop3 | Encoding::Vop3Dpp16 | Encoding::Vop3Dpp8);
    let fixed_vcc = !vop3 && matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc);
    let sdwa = encoding == Encoding::Sdwa;
    let dpp = encoding.is_dpp();
    // 16-bit VGPRs of gfx11 and later end at v127 in the short encodings.
    let near = fixed_vcc && matches!(target.column(), Column::Gfx11 | Column::Gfx12);
    let mut defs: Vec<Reg> = Vec::new();
    for slot in op.defs {
        defs.push(match slot.kind {
            SlotKind::Vgpr if near && slot.bits == 16 => lower_vgpr(random),
            SlotKind::Vgpr => vgpr(slot.dwords(lanes), target, random),
            SlotKind::Agpr => agpr(random),
            SlotKind::Mask if fixed_vcc && !(sdwa && format == Format::Vopc) => Reg::vcc(lanes),
            _ => sgpr(slot.dwords(lanes), target, random),
        });
    }
    let base = random.one_in(2);
    let mut uses: Vec<Operand> = Vec::new();
    for (index, slot) in op.uses.iter().enumerate() {
        let dwords = slot.dwords(lanes);
        uses.push(if slot.tied {
            defs[op.tied_def(index)].into()
        } else {
            match slot.kind {
                SlotKind::Sgpr if op.name == "s_waitcnt_vscnt" => Reg::NULL.into(),
                SlotKind::Sgpr => sgpr(dwords, target, random).into(),
                SlotKind::Mask if fixed_vcc => Reg::vcc(lanes).into(),
                SlotKind::Mask => sgpr(dwords, target, random).into(),
                SlotKind::Src | SlotKind::Vgpr if near && slot.bits == 16 && (index > 0 || dpp || random.one_in(2)) => {
                    lower_vgpr(random).into()
                }
                SlotKind::Src if index == 0 && dpp || index > 0 && fixed_vcc && !sdwa => {
                    vgpr(dwords, target, random).into()
                }
                SlotKind::Vgpr => vgpr(dwords, target, random).into(),
                SlotKind::Agpr => agpr(random).into(),
                SlotKind::Src => source(*slot, true, target, random),
                SlotKind::Ssrc if op.name == "s_barrier_signal" => Operand::Imm(0xffff_ffff),
                SlotKind::Ssrc => source(*slot, false, target, random),
                SlotKind::VgprAddr => vgpr(if base { 1 } else { 2 }, target, random).into(),
                SlotKind::VgprOrOff if random.one_in(2) => vgpr(1, target, random).into(),
                SlotKind::SgprOrOff if base => sgpr(dwords, target, random).into(),
                SlotKind::VgprOrOff | SlotKind::SgprOrOff => Operand::Off,
                SlotKind::Simm16 if format == Format::Sop1 => Operand::Imm(random.below(256) as u64),
                SlotKind::Simm16 | SlotKind::Label => Operand::Imm(simm16(op, random)),
                SlotKind::Literal => Operand::Imm(random.word() as u64),
            }
        });
    }
    let mut inst = Inst::new(op, defs, uses);
    inst.mods = modifiers(op, format, encoding, inst.mods, target, random);
    inst
}

/// Values that the assembler takes as they are.
fn simm16(op: Op, random: &mut Random) -> u64 {
    match op.name {
        // The last is hardware register 1, offset 0, 32 bits.
        "s_getreg_b32" | "s_setreg_b32" | "s_setreg_imm32_b32" => {
            let word = random.below(0x1_0000) as u64;
            random.pick(&[word, word & 0xffdf, 0xf800 | word & 31, 0xf801])
        }
        // The fields of each generation, and what is none.
        "s_waitcnt" => random.below(0x1_0000) as u64 & random.pick(&[0xcf7f, 0xff7f, 0xfff7, 0x70, 7, 0xffff]),
        "s_wait_alu" => {
            let word = random.below(0x1_0000) as u64 | random.pick(&[0, 0xff7f, 0xf0ff, 0xfffe]);
            word & random.pick(&[0xff9f, 0xff1f, 0xffff])
        }
        "s_delay_alu" => random.below(0x1_0000) as u64 & random.pick(&[0x7ff, 0x78f, 0xf, 0xffff]),
        "s_sendmsg" | "s_sendmsg_rtn_b32" | "s_sendmsg_rtn_b64" => {
            let any = random.below(256) as u64;
            random.pick(&[1, 3, 4, 6, 10, 0x80, 0x82, 0x83, 0x85, any])
        }
        "s_waitcnt_vscnt" => random.below(64) as u64,
        _ => random.below(0x1_0000) as u64 & random.pick(&[0xffff, 0xff, 7]),
    }
}

/// A number below `count`, its ends more often than others.
fn ends(count: u32, random: &mut Random) -> u32 {
    match random.below(8) {
        0 => 0,
        1 => count - 1,
        _ => random.below(count),
    }
}

fn agpr(random: &mut Random) -> Reg {
    Reg::new(File::Agpr, ends(256, random) as u16, 1)
}

fn lower_vgpr(random: &mut Random) -> Reg {
    Reg::v(ends(128, random) as u16)
}

fn vgpr(dwords: u8, target: &Target, random: &mut Random) -> Reg {
    let index = ends(257 - dwords as u32, random) as u16;
    let even = dwords > 1 && target.has(Feature::EvenVgprTuples);
    Reg::vn(if even { index & !1 } else { index }, dwords)
}

fn sgpr(dwords: u8, target: &Target, random: &mut Random) -> Reg {
    if dwords <= 2 && random.one_in(8) {
        return Reg::new(File::Vcc, 0, dwords);
    }
    let align = [1, 1, 2, 4][dwords.min(3) as usize];
    let last = target.processor().sgprs as u32 - dwords as u32;
    let index = ends(last + 1, random) as u16 / align * align;
    Reg::sn(index, dwords)
}

fn special(dwords: u8, target: &Target, random: &mut Random) -> Reg {
    use File::*;
    let file = if dwords == 2 {
        random.pick(&[Vcc, Exec, SharedBase, PrivateBase, SharedLimit, PrivateLimit])
    } else {
        random.pick(&[Vcc, Exec, M0, Ttmp, Scc, FlatScratch, Null])
    };
    match file {
        Null if target.has(Feature::Vop3Literal) => Reg::NULL,
        Null => Reg::M0,
        Ttmp => Reg::new(Ttmp, random.below(16) as u16, 1),
        // Wave32 has no use for the upper halves.
        Vcc | Exec => {
            Reg::new(file, if dwords == 1 { random.below(target.wave_lanes() / 32) as u16 } else { 0 }, dwords)
        }
        other => Reg::new(other, 0, dwords),
    }
}

fn source(slot: Slot, vector: bool, target: &Target, random: &mut Random) -> Operand {
    let dwords = slot.bits.div_ceil(32) as u8;
    let mask = if slot.bits == 64 { u64::MAX } else { (1 << slot.bits) - 1 };
    match random.below(10) {
        0..=3 if vector => vgpr(dwords, target, random).into(),
        0..=4 => sgpr(dwords, target, random).into(),
        5 => special(dwords, target, random).into(),
        6 => Operand::Imm((random.below(81) as i64 - 16) as u64 & mask),
        7 if slot.bits == 32 || slot.num == Num::Float => {
            let value = random.pick(&[0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, f64::INFINITY]);
            Operand::Imm(match (slot.bits, value.is_finite()) {
                (16, false) => 0x3118,
                (32, false) => 0x3e22_f983,
                (_, false) => 0x3fc4_5f30_6dc9_c882,
                // The top of an f16 is that of an f64 with three exponent bits less; these constants are powers of two.
                (16, true) => {
                    let exponent = (value as f32).to_bits() as i32 >> 23 & 0xff;
                    ((value < 0.0) as u64) << 15 | ((exponent - 127 + 15) as u64) << 10
                }
                (32, true) => (value as f32).to_bits() as u64,
                (_, true) => value.to_bits(),
            })
        }
        _ if slot.bits == 64 && slot.num == Num::Float => Operand::Imm((random.word() as u64) << 32),
        _ if slot.bits == 64 && target.has(Feature::Literal64) && random.one_in(2) => {
            Operand::Imm(random.word() as u64 | (random.word() as u64) << 32)
        }
        _ => Operand::Imm(random.word() as u64 & mask),
    }
}

fn modifiers(op: Op, format: Format, encoding: Encoding, mut mods: Mods, target: &Target, random: &mut Random) -> Mods {
    mods.encoding = encoding;
    let some = random.one_in(2);
    match format {
        Format::Ds if matches!(op.sem, Sem::Load(kind) | Sem::Store(kind) if kind.two) => {
            (mods.offset0, mods.offset1) = (ends(256, random) as u8, ends(256, random) as u8);
        }
        Format::Ds if matches!(op.sem, Sem::Wave(Wave::DsSwizzle)) => {
            // Quads, masks of lane bits, and what is neither.
            let word = random.word() as u16 as i32;
            mods.offset =
                random.pick(&[0x8000 | word & 0xff, word & 0x7fff, word & 0x7c00 | 31, word & 31 << 5 | 24, word]);
        }
        Format::Ds => mods.offset = ends(0x1_0000, random) as i32,
        Format::Smem | Format::Flat | Format::Global | Format::Scratch if !op.uses.is_empty() => {
            // What fits in so many bits, and the ends of it: each generation's limits are among them.
            let bits = random.below(24);
            let any = (random.word() & ((1 << bits) - 1)) as i32;
            mods.offset = random.pick(&[any, -any, (1 << bits) - 1, -(1 << bits)]);
            if some {
                mods.cache = random.pick(&[
                    Cache::empty(),
                    Cache::GLC,
                    Cache::SLC,
                    Cache::DLC,
                    Cache::SC0,
                    Cache::SC1,
                    Cache::NT,
                    Cache::SC0 | Cache::SC1,
                    Cache::GLC | Cache::SLC,
                    Cache::SCOPE_SE,
                    Cache::SCOPE_DEV,
                    Cache::SCOPE_SYS,
                    Cache::TH_NT,
                    Cache::TH_NT | Cache::SCOPE_SYS,
                ]);
            }
        }
        Format::Mubuf | Format::Global => {
            mods.cache = random.pick(&[Cache::empty(), Cache::SC0, Cache::SC1, Cache::SCOPE_DEV, Cache::SCOPE_SYS]);
        }
        _ => {}
    }
    if encoding.is_dpp() {
        mods.dpp = Some(dpp(encoding, random));
    }
    let float = matches!(
        op.sem,
        Sem::LaneFloat(_) | Sem::LaneFloatBit(_) | Sem::LaneFloatMods(_) | Sem::LaneWideFloat(_) | Sem::LaneCmpFloat(_)
    );
    if encoding == Encoding::Sdwa {
        let sel = |random: &mut Random| random.pick(&Sel::ALL);
        let has_dst = format != Format::Vopc;
        mods.sdwa = Some(Sdwa {
            dst: if has_dst { sel(random) } else { Sel::Dword },
            unused: if has_dst { random.pick(&Unused::ALL) } else { Unused::Pad },
            src: [sel(random), if format == Format::Vop1 { Sel::Dword } else { sel(random) }],
            sext: if float || random.one_in(2) { 0 } else { random.below(4) as u8 },
        });
    }
    let forms = matches!(encoding, Encoding::Dpp16 | Encoding::Sdwa);
    if forms && some && float {
        mods.neg = random.below(4) as u8;
        mods.abs = random.below(4) as u8;
    }
    if encoding == Encoding::Sdwa && some {
        mods.clamp = random.one_in(3);
        mods.omod = if random.one_in(4) { random.below(4) as u8 } else { 0 };
    }
    let native = matches!(format, Format::Vop3 | Format::Vop3sd | Format::Vop3p);
    let three_operands = native || matches!(encoding, Encoding::Vop3 | Encoding::Vop3Dpp16 | Encoding::Vop3Dpp8);
    if three_operands && some {
        let packed = format == Format::Vop3p;
        if float || packed {
            mods.neg = random.below(8) as u8;
        }
        if float {
            mods.abs = random.below(8) as u8;
        }
        if packed {
            mods.op_sel_hi = random.below(8) as u8;
        }
        mods.clamp = random.one_in(3);
        if random.one_in(4) {
            mods.omod = random.below(4) as u8;
        }
    }
    let halves = matches!(target.column(), Column::Gfx11 | Column::Gfx12) && encoding != Encoding::Sdwa;
    let sixteen = op.defs.iter().chain(op.uses).any(|slot| slot.bits == 16);
    if random.one_in(2) && (op.flags.contains(Flags::OP_SEL) || halves && sixteen) {
        mods.op_sel = random.below(16) as u8;
    }
    if op.is_bitop3() {
        mods.bitop3 = random.word() as u8;
    }
    mods
}

fn dpp(encoding: Encoding, random: &mut Random) -> Dpp {
    let fetch_inactive = random.one_in(2);
    if encoding.is_dpp8() {
        return Dpp { ctrl: random.word() & 0xff_ffff, fetch_inactive, ..Dpp::default() };
    }
    // Quads, then the rest, which a processor has or has not.
    let ctrl = if random.one_in(3) { random.below(0x100) } else { 0x100 + random.below(0x70) };
    let whole = random.one_in(3);
    Dpp {
        ctrl,
        row_mask: if whole { 15 } else { random.below(16) as u8 },
        bank_mask: if whole { 15 } else { random.below(16) as u8 },
        bound_ctrl: random.one_in(2),
        fetch_inactive,
    }
}
