//! Every selection of two dwords, 0x00 and 0xff: its plan does what it says and costs what the search found to be the least.

use std::collections::BTreeMap;
use warp2wave::amd::{Target, ops};
use warp2wave::ir::byteperm::ByteSel;
use warp2wave::isel::{
    BytePermPlace as Place, BytePermPlan as Plan, BytePermStep as Step, byteperm_plan, byteperm_scalar_parts,
    byteperm_scalar_plan,
};
use warp2wave::provenance::{Bit, Modifiers, Word, scalar, vector};

/// Bytes and signs of two sources, zero and ones.
fn alphabet() -> Vec<ByteSel> {
    let mut all = vec![ByteSel::Zero, ByteSel::Ones];
    for source in 0..2 {
        for byte in 0..4 {
            all.push(ByteSel::Byte(source, byte));
            all.push(ByteSel::Sign(source, byte));
        }
    }
    all
}

fn selections() -> impl Iterator<Item = [ByteSel; 4]> {
    let all = alphabet();
    (0..all.len().pow(4)).map(move |n| {
        let base = all.len();
        [n % base, n / base % base, n / base.pow(2) % base, n / base.pow(3)].map(|n| all[n])
    })
}

fn wanted(sels: [ByteSel; 4]) -> Word {
    Word::from_bytes(sels.map(|sel| match sel {
        ByteSel::Byte(source, byte) => Word::named(source).byte_bits(byte as usize),
        ByteSel::Sign(source, byte) => [Word::named(source).byte_bits(byte as usize)[7]; 8],
        ByteSel::Zero => [Bit::Zero; 8],
        ByteSel::Ones => [Bit::One; 8],
    }))
}

fn executed(plan: &Plan) -> Word {
    let mut results: Vec<Word> = vec![];
    let word = |place: &Place, results: &[Word]| match *place {
        Place::Source(n) => Word::named(n),
        Place::Step(n) => results[n as usize],
        Place::Constant(bits) => Word::constant(bits),
    };
    for step in &plan.steps {
        let uses: Vec<Word> = step.uses.iter().map(|place| word(place, &results)).collect();
        let result = if step.op.is_scalar() {
            let uses: Vec<Vec<Word>> = uses.into_iter().map(|word| vec![word]).collect();
            scalar(step.op.name, &uses).map(|dwords| dwords[0])
        } else {
            let (op_sel, op_sel_hi) = step.halves.unwrap_or((0, 0b111));
            vector(step.op.name, &uses, Modifiers { op_sel, op_sel_hi, table: 0 })
        };
        results.push(result.unwrap_or(Word::UNKNOWN));
    }
    word(&plan.result, &results)
}

/// Constants that need a literal or an SGPR: all but -16 to 64 and the floats 0.5, 1, 2, 4, their negatives and 1/(2 pi).
fn literals(step: &Step) -> usize {
    let inline = |bits: u32| {
        let floats = [0.5f32, 1.0, 2.0, 4.0].iter().any(|f| bits == f.to_bits() || bits == (-f).to_bits());
        (-16..=64).contains(&(bits as i32)) || floats || bits == 0x3e22_f983
    };
    step.uses.iter().filter(|place| matches!(place, Place::Constant(bits) if !inline(*bits))).count()
}

#[test]
fn every_plan_is_right_and_shortest() {
    let mut all: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    let (mut prmt, mut one) = (all.clone(), all.clone());
    for sels in selections() {
        let plan = byteperm_plan(sels);
        let (got, want) = (executed(&plan), wanted(sels));
        assert!(got == want, "{plan:?} gives {got:?}, not {want:?}");
        let constant = sels.iter().all(|sel| sel.source().is_none());
        // Where nothing is read, the search counts what makes the constant.
        if constant {
            continue;
        }
        let cost = (plan.steps.len(), plan.steps.iter().map(literals).sum());
        *all.entry(cost).or_default() += 1;
        if sels.iter().all(|sel| sel.source().is_some()) {
            *prmt.entry(cost).or_default() += 1;
            if sels.iter().all(|sel| sel.source() == Some(0)) {
                *one.entry(cost).or_default() += 1;
            }
        }
    }
    // What `cargo run --release --example byteperm_search report` finds: (instructions, constants), count.
    assert_eq!(super::searched("prmt of two registers"), prmt);
    assert_eq!(super::searched("prmt of one register"), one);
    assert_eq!(super::searched("all selections"), all);
}

#[test]
fn every_scalar_plan_is_right() {
    for (id, count) in [("gfx942", 1268), ("gfx1201", 1376)] {
        let target = Target::parse(id).unwrap();
        let mut planned = 0;
        for sels in selections() {
            let Some(plan) = byteperm_scalar_plan(sels, &target) else { continue };
            let (got, want) = (executed(&plan), wanted(sels));
            assert!(got == want, "{plan:?} gives {got:?}, not {want:?}");
            assert!(plan.steps.len() <= 2 && plan.steps.iter().all(|step| step.op.exists_on(&target)));
            planned += u32::from(!plan.steps.is_empty());
        }
        assert_eq!(planned, count, "{id}");
    }
    assert!(!ops::s_pack_hl_b32_b16.exists_on(&Target::parse("gfx1030").unwrap()));
}

/// What the table of the scalar unit has no row for.
#[test]
fn scalar_parts_of_any_selection_are_right() {
    let target = Target::parse("gfx906").unwrap();
    let mut most = 0;
    for sels in selections() {
        let plan = byteperm_scalar_parts(sels);
        let (got, want) = (executed(&plan), wanted(sels));
        assert!(got == want, "{plan:?} gives {got:?}, not {want:?}");
        assert!(plan.steps.iter().all(|step| step.op.exists_on(&target)));
        most = most.max(plan.steps.len());
    }
    // Four bytes that move apart: a shift and a mask each, but for those that a shift leaves alone, and three sums.
    assert_eq!(most, 11);
    let sels = [ByteSel::Byte(0, 3), ByteSel::Zero, ByteSel::Byte(0, 1), ByteSel::Ones];
    assert_eq!(byteperm_scalar_parts(sels).steps.len(), 5);
}

/// More sources: right, and no more than `docs/byteperm.md` says. Each instruction brings together two dwords, so n of them take n - 1 at least.
#[test]
fn more_sources_are_covered_within_the_bound() {
    let mut most: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let alphabet = |sources: u8| -> Vec<ByteSel> {
        let bytes = (0..sources).flat_map(|source| (0..4).map(move |byte| ByteSel::Byte(source, byte)));
        let all = bytes.flat_map(|sel| [sel, sel.sign()]);
        all.chain([ByteSel::Zero, ByteSel::Ones]).collect()
    };
    let mut check = |sels: [ByteSel; 4], sources: usize| {
        let plan = byteperm_plan(sels);
        let (got, want) = (executed(&plan), wanted(sels));
        assert!(got == want, "{plan:?} gives {got:?}, not {want:?}");
        let mut signs: Vec<ByteSel> =
            sels.into_iter().filter(|sel| matches!(sel, ByteSel::Sign(_, byte) if byte % 2 == 0)).collect();
        signs.sort_unstable();
        signs.dedup();
        let entry = most.entry((sources, signs.len())).or_default();
        *entry = plan.steps.len().max(*entry);
        assert!(plan.steps.len() >= sources - 1);
    };
    let three = alphabet(3);
    for n in 0..three.len().pow(4) {
        let sels = [0, 1, 2, 3].map(|k| three[n / three.len().pow(k) % three.len()]);
        // Sources are named in order of appearance.
        let mut seen: Vec<u8> = vec![];
        sels.iter().filter_map(|sel| sel.source()).for_each(|s| {
            if !seen.contains(&s) {
                seen.push(s);
            }
        });
        if seen == [0, 1, 2] {
            check(sels, 3);
        }
    }
    for n in 0..8u32.pow(4) {
        let sel = |source: u8| {
            let symbol = (n >> (3 * source) & 7) as u8;
            let byte = ByteSel::Byte(source, symbol & 3);
            if symbol < 4 { byte } else { byte.sign() }
        };
        check([0, 1, 2, 3].map(sel), 4);
    }
    // (sources, different signs of even bytes): the most instructions.
    let expected = [
        ((3, 0), 2),
        ((3, 1), 2),
        ((3, 2), 2),
        ((3, 3), 3),
        ((3, 4), 3),
        ((4, 0), 3),
        ((4, 1), 3),
        ((4, 2), 3),
        ((4, 3), 3),
        ((4, 4), 3),
    ];
    assert_eq!(most, BTreeMap::from(expected));
}
