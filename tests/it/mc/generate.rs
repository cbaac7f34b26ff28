//! Random instructions of every row, for the recorder. Seeded: the same rows give the same cases.

use warp2wave::amd::lane::Sem;
use warp2wave::amd::op::{Flags, Format, Num};
use warp2wave::amd::{
    Cache, Dpp, Encoding, Feature, File, Inst, Mods, Op, Operand, Reg, Slot, SlotKind, Target, asm, encode, ops,
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
    pub text: String,
    pub dwords: Vec<u32>,
}

/// A few cases, `most` at most, of each row and each encoding that the target has.
pub fn cases(target: &Target, most: usize) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for op in ops::all().filter(|op| op.exists_on(target)) {
        let format = op.opcode(target).expect("it exists").format;
        let encodings: &[(Encoding, usize)] = match format {
            Format::Vop1 | Format::Vop2 | Format::Vopc => {
                &[(Encoding::Native, 2), (Encoding::Vop3, 3), (Encoding::Dpp16, 1), (Encoding::Dpp8, 1)]
            }
            Format::Sopp => &[(Encoding::Native, 2)],
            _ => &[(Encoding::Native, 5)],
        };
        for (encoding, count) in encodings {
            // The seed is the row's name: adding a row leaves the others' cases alone.
            let seed =
                op.name.bytes().fold(*encoding as u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte as u64));
            let mut random = Random::new(seed);
            let (mut found, mut tries) = (0, 0);
            while found < most.min(*count) && tries < 300 {
                tries += 1;
                let inst = instruction(op, format, *encoding, target, &mut random);
                let Ok(dwords) = encode(&inst, target) else { continue };
                let text = asm::print(&inst, target);
                if cases.iter().rev().take(12).any(|case| case.text == text) {
                    continue;
                }
                found += 1;
                cases.push(Case { op, text, dwords: dwords.to_vec() });
            }
            assert!(found > 0 || *encoding != Encoding::Native, "{target}: nothing encodes {op:?}");
        }
    }
    cases
}

fn instruction(op: Op, format: Format, encoding: Encoding, target: &Target, random: &mut Random) -> Inst {
    let lanes = target.wave_lanes();
    // 32-bit encodings name VCC only and want VGPRs as second source.
    let short = encoding != Encoding::Vop3;
    let fixed_vcc = short && matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc);
    let mut defs: Vec<Reg> = Vec::new();
    for slot in op.defs {
        defs.push(match slot.kind {
            SlotKind::Vgpr => vgpr(slot.dwords(lanes), target, random),
            SlotKind::Mask if fixed_vcc => Reg::vcc(lanes),
            _ => sgpr(slot.dwords(lanes), target, random),
        });
    }
    let base = random.one_in(2);
    let mut uses: Vec<Operand> = Vec::new();
    for (index, slot) in op.uses.iter().enumerate() {
        let dwords = slot.dwords(lanes);
        uses.push(if slot.tied {
            defs[0].into()
        } else {
            match slot.kind {
                SlotKind::Vgpr => vgpr(dwords, target, random).into(),
                SlotKind::Sgpr if op.name == "s_waitcnt_vscnt" => Reg::NULL.into(),
                SlotKind::Sgpr => sgpr(dwords, target, random).into(),
                SlotKind::Mask if fixed_vcc => Reg::vcc(lanes).into(),
                SlotKind::Mask => sgpr(dwords, target, random).into(),
                SlotKind::Src if fixed_vcc && (index > 0 || matches!(encoding, Encoding::Dpp16 | Encoding::Dpp8)) => {
                    vgpr(dwords, target, random).into()
                }
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
    inst.mods = modifiers(op, format, encoding, inst.mods, random);
    inst
}

/// Values that the assembler takes as they are.
fn simm16(op: Op, random: &mut Random) -> u64 {
    match op.name {
        // Hardware register numbers, offset 0, 32 bits.
        "s_getreg_b32" | "s_setreg_b32" | "s_setreg_imm32_b32" => 0xf801,
        "s_waitcnt" | "s_waitcnt_vscnt" => 0,
        _ => random.below(0x1_0000) as u64 & random.pick(&[0xffff, 0xff, 7]),
    }
}

fn vgpr(dwords: u8, target: &Target, random: &mut Random) -> Reg {
    let index = random.below(257 - dwords as u32) as u16;
    let even = dwords > 1 && target.has(Feature::EvenVgprTuples);
    Reg::vn(if even { index & !1 } else { index }, dwords)
}

fn sgpr(dwords: u8, target: &Target, random: &mut Random) -> Reg {
    if dwords <= 2 && random.one_in(8) {
        return Reg::new(File::Vcc, 0, dwords);
    }
    let align = [1, 1, 2, 4][dwords.min(3) as usize];
    let last = target.processor().sgprs as u32 - dwords as u32;
    let index = random.below(last + 1) as u16 / align * align;
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

fn modifiers(op: Op, format: Format, encoding: Encoding, mut mods: Mods, random: &mut Random) -> Mods {
    mods.encoding = encoding;
    let some = random.one_in(2);
    match format {
        Format::Ds if matches!(op.sem, Sem::Load(kind) | Sem::Store(kind) if kind.two) => {
            (mods.offset0, mods.offset1) = (random.word() as u8, random.word() as u8);
        }
        Format::Ds => mods.offset = random.word() as u16 as i32,
        Format::Smem | Format::Flat | Format::Global | Format::Scratch if !op.uses.is_empty() => {
            let bits = random.below(24);
            mods.offset = (random.word() & ((1 << bits) - 1)) as i32 * random.pick(&[1, -1]);
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
    if matches!(encoding, Encoding::Dpp16 | Encoding::Dpp8) {
        let eight = encoding == Encoding::Dpp8;
        mods.dpp = Some(if eight {
            Dpp { ctrl: random.word() & 0xff_ffff, ..Dpp::default() }
        } else {
            Dpp {
                ctrl: random.below(0x170),
                row_mask: random.below(16) as u8,
                bank_mask: random.below(16) as u8,
                bound_ctrl: random.one_in(2),
                fetch_inactive: random.one_in(2),
            }
        });
        if !eight && some {
            mods.neg = random.below(4) as u8;
            mods.abs = random.below(4) as u8;
        }
        return mods;
    }
    let three_operands = encoding == Encoding::Vop3 || matches!(format, Format::Vop3 | Format::Vop3sd | Format::Vop3p);
    if three_operands && some {
        let float = matches!(op.sem, Sem::LaneFloat(_) | Sem::LaneCmpFloat(_) | Sem::Unmodelled);
        let packed = format == Format::Vop3p;
        if float || packed {
            mods.neg = random.below(8) as u8;
        }
        if float {
            mods.abs = random.below(8) as u8;
        }
        if packed || op.flags.contains(Flags::OP_SEL) {
            mods.op_sel = random.below(16) as u8;
        }
        if packed {
            mods.op_sel_hi = random.below(8) as u8;
        }
        mods.clamp = random.one_in(3);
        if random.one_in(4) {
            mods.omod = random.below(4) as u8;
        }
    }
    if op.is_bitop3() {
        mods.bitop3 = random.word() as u8;
    }
    mods
}
