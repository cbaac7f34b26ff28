//! VOPD: random pairs of every two ops against llvm-mc, and a few recorded ones.

use super::generate::Random;
use super::{PLAIN, assemble, judge, target, to_hex};
use warp2wave::amd::vopd::{self, Dual};
use warp2wave::amd::{Inst, Op, Operand, Reg, Target};

/// As llvm-mc 22.1.8 assembled them.
const RECORDED: [(&str, &str); 7] = [
    ("ca080102.01040d05", "v_dual_mov_b32 v1, v2 :: v_dual_add_f32 v4, v5, v6"),
    ("ca500702.01040105", "v_dual_cndmask_b32 v1, v2, v3 :: v_dual_mov_b32 v4, v5"),
    ("c8000702.01040d05", "v_dual_fmac_f32 v1, v2, v3 :: v_dual_fmac_f32 v4, v5, v6"),
    ("c90806ff.01040cff.00012345", "v_dual_add_f32 v1, 0x12345, v3 :: v_dual_add_f32 v4, 0x12345, v6"),
    ("c9080601.01040c02", "v_dual_add_f32 v1, s1, v3 :: v_dual_add_f32 v4, s2, v6"),
    ("c8e40702.01040d05", "v_dual_mul_f32 v1, v2, v3 :: v_dual_and_b32 v4, v5, v6"),
    ("ca100002.0104002a", "v_dual_mov_b32 v1, s2 :: v_dual_mov_b32 v4, s42"),
];

#[test]
fn recorded_pairs() {
    let gfx1100 = target("gfx1100");
    for (hex, text) in RECORDED {
        let dwords: Vec<u32> = hex.split('.').map(|d| u32::from_str_radix(d, 16).expect("hex")).collect();
        let (dual, length) = vopd::decode(&dwords, &gfx1100).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((vopd::print(&dual, &gfx1100).as_str(), length), (text, dwords.len()));
        assert_eq!(vopd::encode(&dual, &gfx1100).as_deref(), Ok(&dwords[..]), "{text}");
        assert!(vopd::decode(&dwords, &target("gfx1030")).is_err());
    }
}

fn half(op: Op, random: &mut Random) -> Inst {
    let vgpr = |random: &mut Random| Reg::v(random.below(256) as u16);
    let def = vgpr(random);
    let source = match random.below(6) {
        0 => Operand::Reg(Reg::s(random.below(4) as u16)),
        1 => Operand::Reg(Reg::VCC_LO),
        2 => Operand::Imm(random.below(81) as u64),
        3 => Operand::Imm(0x1234_5678 + random.below(2) as u64),
        _ => Operand::Reg(vgpr(random)),
    };
    let rest: Vec<Operand> = op.uses[1..]
        .iter()
        .map(|slot| match slot {
            slot if slot.tied => def.into(),
            slot if slot.bits == 0 => Reg::VCC_LO.into(),
            _ => vgpr(random).into(),
        })
        .collect();
    Inst::new(op, [def], std::iter::once(source).chain(rest))
}

fn pairs(target: &Target) -> Vec<(Dual, Vec<u32>)> {
    let mut random = Random::new(7);
    let mut pairs = Vec::new();
    for x in vopd::ops_of_half(false) {
        for y in vopd::ops_of_half(true) {
            for _ in 0..12 {
                let dual = Dual { x: half(x, &mut random), y: half(y, &mut random) };
                if let Ok(dwords) = vopd::encode(&dual, target) {
                    pairs.push((dual, dwords.to_vec()));
                }
            }
        }
    }
    pairs
}

#[test]
fn random_pairs_agree_with_llvm_mc() {
    for name in ["gfx1100", "gfx1151", "gfx1201"] {
        let target = target(name);
        let pairs = pairs(&target);
        assert!(pairs.len() > 300, "{name}: {} pairs", pairs.len());
        for (dual, dwords) in &pairs {
            assert_eq!(vopd::decode(dwords, &target), Ok((dual.clone(), dwords.len())), "{}", to_hex(dwords));
        }
        if judge::present() {
            let texts: Vec<String> = pairs.iter().map(|(dual, _)| vopd::print(dual, &target)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for (((_, dwords), text), result) in pairs.iter().zip(&texts).zip(assemble(&target, &texts)) {
                assert_eq!(result.as_ref(), Ok(dwords), "{name} {PLAIN}: {text}");
            }
        }
    }
}
