//! The emulator on DPP, SDWA, 16-bit halves and row swaps: `fixtures/emu/forms.s`, assembled by llvm-mc, result by result.
//!
//! What is expected is written from the text of the AMD ISA manuals: "DPP" (bound control, row and bank masks, inactive
//! lanes), "SDWA", and the pseudocode of V_PERMLANEX16_B32, V_PERMLANE16_SWAP_B32 and V_PERMLANE32_SWAP_B32.

use warp2wave::amd::Target;
use warp2wave::emu::Options;
use warp2wave::run::{ArgValue, Launch, launch_with};

/// v2 of each lane, and what v4 holds before.
fn v2(lane: u32) -> u32 {
    lane.wrapping_mul(0x0103_0507) ^ 0x8040_c07f
}
const V3: u32 = 0x1122_3344;

fn byte(value: u32, at: u32) -> u32 {
    value >> (8 * at) & 0xff
}
fn sext8(value: u32) -> u32 {
    value as u8 as i8 as u32
}

/// What a lane should hold.
type Expected = Box<dyn Fn(u32) -> u32>;

fn sdwa() -> Vec<(&'static str, Expected)> {
    vec![
        ("a byte into a byte, the rest kept", Box::new(|l| V3 & 0xff00_ffff | byte(v2(l), 1) << 16)),
        ("a signed byte into a word", Box::new(|l| sext8(byte(v2(l), 3)))),
        ("a sum of parts", Box::new(|l| sext8(v2(l)).wrapping_add(V3 >> 16))),
        ("zeros around", Box::new(|l| (v2(l) >> 16 & 0xff) << 24)),
        ("a sign above, zeros below", Box::new(|l| sext8(byte(v2(l), 2)) << 8)),
        ("a compare", Box::new(|l| (byte(v2(l), 1) < 0x60) as u32)),
        ("a sum of f16", Box::new(|l| half_sum(v2(l) >> 16 & 0x7fff, V3 & 0xffff))),
    ]
}

/// f16 addition by way of f64, which is exact before the one rounding.
fn half_sum(a: u32, b: u32) -> u32 {
    let wide = |h: u32| {
        let (exponent, fraction) = (h >> 10 & 31, (h & 0x3ff) as f64);
        match exponent {
            0 => fraction * 2f64.powi(-24),
            _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent as i32 - 15),
        }
    };
    assert!((a >> 10) < 31 && (b >> 10) < 31, "no infinities here");
    let sum = wide(a) + wide(b);
    // The finest step of the sum's binade, ties to even.
    let exponent = (sum.log2().floor() as i32).max(-14);
    let steps = sum / 2f64.powi(exponent - 10);
    let rounded = if steps.fract() == 0.5 { (steps / 2.0).round() * 2.0 } else { steps.round() };
    ((exponent + 14) * 1024 + rounded as i32) as u32
}

fn on(lane: u32) -> bool {
    lane % 2 == 1
}

fn common() -> Vec<(&'static str, Expected)> {
    // quad_perm:[0,0,3,3] among odd lanes: lane 1 reads lane 0, which is off; lane 3 reads itself.
    vec![
        ("an inactive source is not written", Box::new(|l| if l % 4 == 3 { v2(l) } else { V3 })),
        (
            "or zero",
            Box::new(|l| {
                if l % 4 == 3 {
                    v2(l)
                } else if l % 4 == 1 {
                    0
                } else {
                    V3
                }
            }),
        ),
    ]
}

fn gfx9() -> Vec<(&'static str, Expected)> {
    let banked = |l: u32| l & 16 == 0 && l & 8 == 0;
    vec![
        ("row_mirror of rows 0 and 2, banks 0 and 1", Box::new(move |l| if banked(l) { v2(l ^ 15) } else { V3 })),
        ("wave_shl", Box::new(|l| if l == 63 { V3 } else { v2(l + 1) })),
        ("wave_ror", Box::new(|l| v2((l + 63) % 64))),
        ("row_bcast:15", Box::new(|l| if l / 16 % 2 == 1 { v2(l / 16 * 16 - 1) } else { V3 })),
        ("row_bcast:31", Box::new(|l| if l >= 32 { v2(31) } else { V3 })),
    ]
}

fn gfx10() -> Vec<(&'static str, Expected)> {
    let quad = [0u32, 0, 3, 2];
    let eight = [7u32, 6, 5, 4, 0, 1, 2, 2];
    vec![
        ("row_share", Box::new(|l| v2(l / 16 * 16 + 3))),
        ("row_xmask", Box::new(|l| v2(l ^ 5))),
        ("fi", Box::new(move |l| if on(l) { v2(l & !3 | quad[l as usize & 3]) } else { V3 })),
        (
            "DPP8",
            Box::new(move |l| {
                let from = l & !7 | eight[l as usize & 7];
                match (on(l), on(from)) {
                    (false, _) => V3,
                    (true, true) => v2(from),
                    (true, false) => 0,
                }
            }),
        ),
        ("DPP8 fi", Box::new(move |l| if on(l) { v2(l & !7 | eight[l as usize & 7]) } else { V3 })),
        ("v_permlanex16", Box::new(|l| v2((l & 16 ^ 16) + (l & 15) / 2))),
    ]
}

fn gfx950() -> Vec<(&'static str, Expected)> {
    // Odd rows of v4 against even rows of v5.
    vec![
        ("row_newbcast", Box::new(|l| v2(l / 16 * 16 + 4))),
        ("permlane16_swap, v4", Box::new(|l| if l & 16 != 0 { v2(l - 16) } else { V3 })),
        ("permlane16_swap, v5", Box::new(|l| if l & 16 == 0 { V3 } else { v2(l) })),
        ("permlane32_swap, v4", Box::new(|l| if l & 32 != 0 { v2(l - 32) } else { V3 })),
        ("permlane32_swap, v5", Box::new(|l| if l & 32 == 0 { V3 } else { v2(l) })),
    ]
}

fn gfx11() -> Vec<(&'static str, Expected)> {
    // Bytes 0, 1, 4 and 7 of {v2 of the lane before in the row, v3}.
    let before = |l: u32| v2(l & 16 | (l + 15) & 15);
    let saturated = |half: u32| (half as i16).clamp(0, 255) as u32;
    vec![
        ("v_perm with DPP", Box::new(move |l| V3 & 0xffff | byte(before(l), 0) << 16 | byte(before(l), 3) << 24)),
        ("a half moved up", Box::new(|l| V3 & 0xffff | v2(l) << 16)),
        ("a sum of halves", Box::new(|l| V3 & !0xffff | (v2(l) >> 16).wrapping_add(V3) & 0xffff)),
        ("swapped halves, v4", Box::new(|l| V3 & !0xffff | v2(l) >> 16)),
        ("swapped halves, v5", Box::new(|l| v2(l) & 0xffff | V3 << 16)),
        ("v_cmpx", Box::new(|l| if 5 < l { v2(l) } else { V3 })),
        ("saturating bytes", Box::new(move |l| V3 & !0xffff | saturated(v2(l)) | saturated(v2(l) >> 16) << 8)),
    ]
}

#[test]
fn forms_by_hand() {
    let of = |gfx: &str| match gfx {
        "gfx900" => [sdwa(), common(), gfx9()].map(Vec::into_iter).into_iter().flatten().collect::<Vec<_>>(),
        "gfx950" => [sdwa(), common(), gfx9(), gfx950()].map(Vec::into_iter).into_iter().flatten().collect(),
        "gfx1030" => [sdwa(), common(), gfx10()].map(Vec::into_iter).into_iter().flatten().collect(),
        _ => [common(), gfx10(), gfx11()].map(Vec::into_iter).into_iter().flatten().collect(),
    };
    for gfx in ["gfx900", "gfx950", "gfx1030", "gfx1100"] {
        let lanes = Target::parse(gfx).unwrap().wave_lanes();
        let expected = of(gfx);
        let path = format!("{}/fixtures/emu/forms.{gfx}.hsaco", env!("CARGO_MANIFEST_DIR"));
        let launch = Launch {
            kernel: "forms".into(),
            grid: [1; 3],
            block: [lanes, 1, 1],
            dynamic_lds_bytes: 0,
            args: vec![ArgValue::Buffer(vec![0; 4 * expected.len() * lanes as usize])],
        };
        let result = launch_with(&std::fs::read(path).unwrap(), &launch, &Options::default());
        let out = result.unwrap_or_else(|e| panic!("{gfx}: {e}")).0.remove(0);
        let out: Vec<u32> = out.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        for (n, (name, expected)) in expected.iter().enumerate() {
            let row = &out[n * lanes as usize..][..lanes as usize];
            let wanted: Vec<u32> = (0..lanes).map(expected).collect();
            assert_eq!(row, wanted, "{gfx}: {name}: {row:08x?} is not {wanted:08x?}");
        }
    }
}
