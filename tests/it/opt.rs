//! Passes keep what a thread does, on the corpus and on random code, and do what they are for.

use crate::interp::{Event, Machine, by_byte};
use proptest::prelude::*;
use std::path::Path;
use warp2wave::ir::{self, Func, Op, Space, text};
use warp2wave::{lift, opt, ptx};

fn parse(source: &str) -> Func {
    let (_, func) = text::parse(source).unwrap_or_else(|d| panic!("{} at {:?}", d.message, d.span.text(source)));
    ir::verify(&func).unwrap();
    func
}

/// What a thread does to memory outside its own.
fn run(func: &Func, params: &[u8], globals: &[ir::GlobalData], steps: usize) -> (Vec<Event>, bool) {
    let mut machine = Machine::new(params, globals);
    machine.steps = steps;
    machine.run(func);
    let events = machine.events.into_iter().filter(|e| !matches!(e, Event::Store(Space::Local, ..)));
    (by_byte(events.collect()), machine.ended)
}

/// Both did the same, as far as both went.
#[track_caller]
fn agree(before: &(Vec<Event>, bool), after: &(Vec<Event>, bool), what: &str) {
    let common = if before.1 && after.1 { usize::MAX } else { before.0.len().min(after.0.len()) };
    let cut = |events: &[Event]| events[..events.len().min(common)].to_vec();
    let (a, b) = (cut(&before.0), cut(&after.0));
    if a != b {
        let at = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
        panic!("{what}: event {at} of {}: {:?} became {:?}", a.len(), a.get(at), b.get(at));
    }
}

#[test]
fn passes_keep_what_corpus_kernels_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let (mut kernels, mut ended) = (0, 0);
    for path in files {
        let source = std::fs::read_to_string(&path).unwrap();
        let (module, _) = ptx::parse(&source);
        for item in &module.items {
            let ptx::tree::Item::Function(f) = item else { continue };
            let name = module.names.get(f.name).to_string();
            if f.kind != ptx::tree::FunctionKind::Entry {
                continue;
            }
            let Ok(out) = lift::lift(&module, Some(std::slice::from_ref(&name))) else { continue };
            let kernel = &out.kernels[0];
            let globals: Vec<ir::GlobalData> = out.globals.values().cloned().collect();
            // Pointers far apart; small numbers elsewhere.
            let mut params = vec![0; kernel.param_bytes as usize];
            for (n, param) in kernel.params.iter().enumerate() {
                let at = param.offset_bytes as usize;
                let value = if param.size_bytes == 8 { (n as u64 + 1) << 28 } else { 40 + n as u64 };
                for k in 0..param.size_bytes.min(8) as usize {
                    params[at + k] = (value >> (8 * k)) as u8;
                }
            }
            let what = format!("{} {name}", path.file_name().unwrap().to_string_lossy());
            let before = run(&kernel.func, &params, &globals, 3_000);
            let mut func = kernel.func.clone();
            for (pass, go) in opt::PASSES {
                go(&mut func);
                ir::verify(&func).unwrap_or_else(|e| panic!("{what}: after {pass}: {e}"));
                let after = run(&func, &params, &globals, 3_000);
                agree(&before, &after, &format!("{what}: after {pass}"));
            }
            kernels += 1;
            ended += usize::from(before.1);
        }
    }
    assert!(kernels > 300 && ended > 250, "{ended} of {kernels} kernels came to an end");
}

#[track_caller]
fn optimised(source: &str) -> String {
    let mut func = parse(source);
    opt::run(&mut func);
    text::print("f", &func)
}

#[track_caller]
fn count(text: &str, what: &str, expected: usize) {
    assert_eq!(text.matches(what).count(), expected, "{what} in\n{text}");
}

/// Stores the result of a body whose last value is `%9`.
fn with_store(body: &str) -> String {
    format!(
        "func @f {{\nbb0:\n  %0 = load.param.u32 [0]\n  %1 = load.param.u32 [4]\n  %2 = load.param.u64 [8]\n{body}  \
         store.global.u32 [%2], %9\n  exit\n}}\n"
    )
}

#[test]
fn endian_swap_by_shifts_is_one_permute() {
    let text = optimised(&with_store(
        "  %3 = const.b32 0x18\n  %4 = const.b32 0x8\n  %5 = const.b32 0xff00\n  %6 = int.shl.b32 %0, %3\n  \
         %7 = int.shr_u.b32 %0, %3\n  %8 = int.shr_u.b32 %0, %4\n  %10 = int.and.b32 %8, %5\n  %11 = const.b32 0xff0000\n  \
         %12 = int.shl.b32 %0, %4\n  %13 = int.and.b32 %12, %11\n  %14 = int.or.b32 %6, %7\n  %15 = int.or.b32 %10, %13\n  \
         %9 = int.or.b32 %14, %15\n",
    ));
    count(&text, "byteperm", 1);
    count(&text, "int.", 0);
}

#[test]
fn permutes_compose() {
    let text = optimised(&with_store(
        "  %3 = byteperm [%0.3, %0.2, %0.1, %0.0]\n  %4 = byteperm [%1.1, %1.0, sign %0.1, zero]\n  \
         %9 = byteperm [%3.0, sign %4.1, %4.2, %4.3]\n",
    ));
    count(&text, "byteperm", 1);
}

#[test]
fn extension_of_what_is_extended_vanishes() {
    let text = optimised(
        "func @f {\nbb0:\n  %0 = load.param.u64 [0]\n  %1 = load.global.s8 [%0]\n  \
         %2 = byteperm [%1.0, sign %1.0, sign %1.0, sign %1.0]\n  %3 = load.global.u16 [%0 + 2]\n  \
         %4 = const.b32 0xffff\n  %5 = int.and.b32 %3, %4\n  store.global.u32.v2 [%0], %2, %5\n  exit\n}\n",
    );
    count(&text, "byteperm", 0);
    count(&text, "int.", 0);
}

#[test]
fn selected_flag_compared_again_is_the_flag() {
    let text = optimised(&with_store(
        "  %3 = cmp.lt_u.b32 %0, %1\n  %4 = const.b32 0x1\n  %5 = const.b32 0x0\n  %6 = select.b32 %3, %4, %5\n  \
         %7 = cmp.ne.b32 %6, %5\n  %9 = select.b32 %7, %0, %1\n",
    ));
    count(&text, "cmp", 1);
    count(&text, "select", 1);
}

#[test]
fn local_memory_at_constant_places_becomes_values() {
    // A pointer to the first variable lies in the second.
    let text = optimised(
        "func @f {\nbb0:\n  %0 = load.param.u64 [0]\n  %1 = const.b32 0x0\n  %2 = aperture.local\n  \
         %3 = pack64 %1, %2\n  %4 = const.b32 0x8\n  %5 = pack64 %4, %2\n  store.generic.u64 [%5], %3\n  \
         %6 = const.b32 0x2a\n  store.local.u32 [%1], %6\n  %7 = load.generic.u64 [%5]\n  %8 = load.generic.u32 [%7]\n  \
         store.global.u32 [%0], %8\n  exit\n}\n",
    );
    count(&text, "local", 0);
    count(&text, "0x2a", 1);
}

#[test]
fn local_memory_with_a_dynamic_index_stays() {
    let source = "func @f {\nbb0:\n  %0 = load.param.u64 [0]\n  %1 = load.param.u32 [8]\n  %2 = const.b32 0x4\n  \
                  store.local.u32 [%2], %1\n  %3 = load.local.u32 [%1]\n  store.global.u32 [%0], %3\n  exit\n}\n";
    let text = optimised(source);
    count(&text, "store.local", 1);
    count(&text, "load.local", 1);
}

#[test]
fn divisions_are_gone() {
    for op in ["div_u", "div_s", "rem_u", "rem_s"] {
        let text = optimised(&with_store(&format!("  %9 = int.{op}.b32 %0, %1\n")));
        count(&text, "div_", 0);
        count(&text, "rem_", 0);
        count(&text, "rcp.f32", 1);
    }
}

/// Runs `op` on two numbers through the whole pipeline, constants or parameters, for reciprocals off by some ulps.
#[track_caller]
fn check_division(op: &str, width: u32, a: u64, b: u64, expected: u64) {
    let source = |operands: &str| {
        format!(
            "func @f {{\nbb0:\n  %0 = load.param.u64 [0]\n{operands}  %3 = int.{op}.b{width} %1, %2\n  \
             store.global.u{width} [%0], %3\n  exit\n}}\n"
        )
    };
    let load = |n: u32, at: u32| format!("  %{n} = load.param.u{width} [{at}]\n");
    let mut params = vec![0; 24];
    params[8..16].copy_from_slice(&a.to_le_bytes());
    params[16..24].copy_from_slice(&b.to_le_bytes());
    for operands in [load(1, 8) + &load(2, 16), load(1, 8) + &format!("  %2 = const.b{width} {b:#x}\n")] {
        let mut func = parse(&source(&operands));
        opt::run(&mut func);
        for ulps in [-1, 0, 1] {
            let mut machine = Machine::new(&params, &[]);
            machine.rcp_ulps = ulps;
            machine.run(&func);
            let got = match machine.events[0] {
                Event::Store(_, _, _, value) => value,
                _ => panic!(),
            };
            assert_eq!(got, expected, "{op}.{width} {a:#x}, {b:#x} with {ulps} ulp:\n{}", text::print("f", &func));
        }
    }
}

fn check_divisions(a: u64, b: u64) {
    let (x, y) = (a as u32, b as u32);
    let (s, t) = (x as i32, y as i32);
    let zero32 = y == 0;
    check_division("div_u", 32, a, b, u64::from(if zero32 { !0 } else { x / y }));
    check_division("rem_u", 32, a, b, u64::from(if zero32 { x } else { x % y }));
    check_division("div_s", 32, a, b, u64::from(if zero32 { !0 } else { s.wrapping_div(t) as u32 }));
    check_division("rem_s", 32, a, b, u64::from(if zero32 { x } else { s.wrapping_rem(t) as u32 }));
    let (s, t) = (a as i64, b as i64);
    check_division("div_u", 64, a, b, a.checked_div(b).unwrap_or(!0));
    check_division("rem_u", 64, a, b, if b == 0 { a } else { a % b });
    check_division("div_s", 64, a, b, if b == 0 { !0 } else { s.wrapping_div(t) as u64 });
    check_division("rem_s", 64, a, b, if b == 0 { a } else { s.wrapping_rem(t) as u64 });
}

#[test]
fn division_is_exact_at_the_edges() {
    let edges =
        [0, 1, 2, 3, 5, 6, 7, 10, 12, 641, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff];
    let long = [1 << 32, (1 << 32) + 1, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, (1 << 63) + 1, 6_700_417 << 31];
    for &a in edges.iter().chain(&long) {
        for &b in edges.iter().chain(&long) {
            check_divisions(a, b);
        }
    }
}

proptest! {
    #[test]
    fn division_is_exact(a in any::<u64>(), b in any::<u64>(), shift_a in 0u32..64, shift_b in 0u32..64) {
        let (a, b) = (a >> shift_a, b >> shift_b);
        check_divisions(a, b);
        // Around a multiple, where an error of one shows.
        let multiple = a.wrapping_mul(b);
        check_divisions(multiple, b);
        check_divisions(multiple.wrapping_sub(1), b);
    }

    #[test]
    fn high_products_of_64_bits(a in any::<u64>(), b in any::<u64>()) {
        let signed = ((i128::from(a as i64) * i128::from(b as i64)) >> 64) as u64;
        check_division("mulhi_u", 64, a, b, ((u128::from(a) * u128::from(b)) >> 64) as u64);
        check_division("mulhi_s", 64, a, b, signed);
    }
}

/// The kind of an instruction, three operands, and a number.
type Step = (u8, u8, u8, u8, u32);

/// Random straight-line code over a few dwords, pairs and predicates.
fn random_code() -> impl Strategy<Value = (Vec<Step>, [u32; 4])> {
    let step = (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>(), interesting());
    (proptest::collection::vec(step, 1..24), [interesting(), interesting(), interesting(), interesting()])
}

fn interesting() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(0u32),
        Just(1),
        Just(8),
        Just(16),
        Just(24),
        Just(31),
        Just(32),
        Just(0xff),
        Just(0xff00),
        Just(0xffff),
        Just(0xffff0000),
        Just(u32::MAX),
        Just(0x80000000),
        Just(0x7fffffff),
        0u32..40,
        any::<u32>(),
    ]
}

fn build(steps: &[Step]) -> Func {
    use ir::byteperm::ByteSel;
    use ir::*;
    use warp2wave::diag::Span;
    let mut func = Func::new();
    let block = func.entry;
    let (mut dwords, mut pairs, mut preds) = (vec![], vec![], vec![]);
    let push = |func: &mut Func, op: Op, args: &[Value]| {
        let inst = func.push(block, op, args.iter().copied(), Span::NONE);
        func.result(inst)
    };
    for n in 0..4 {
        let mut mem = Mem::new(Space::Param, if n == 3 { 1 } else { 4 });
        mem.offset = 8 + 4 * n;
        dwords.push(push(&mut func, Op::Load(mem), &[]));
    }
    pairs.push(push(&mut func, Op::Pack64, &[dwords[0], dwords[1]]));
    preds.push(push(&mut func, Op::Cmp(CmpOp::LtU, Width::W32), &[dwords[0], dwords[1]]));
    let ints = [
        IntOp::Add,
        IntOp::Sub,
        IntOp::Mul,
        IntOp::MulHiU,
        IntOp::MulHiS,
        IntOp::MinU,
        IntOp::MinS,
        IntOp::MaxU,
        IntOp::MaxS,
        IntOp::And,
        IntOp::Or,
        IntOp::Xor,
        IntOp::Shl,
        IntOp::ShrU,
        IntOp::ShrS,
        IntOp::AddSatS,
        IntOp::SubSatS,
        IntOp::RemU,
        IntOp::DivU,
    ];
    let cmps = [
        CmpOp::Eq,
        CmpOp::Ne,
        CmpOp::LtU,
        CmpOp::LeU,
        CmpOp::GtU,
        CmpOp::GeU,
        CmpOp::LtS,
        CmpOp::LeS,
        CmpOp::GtS,
        CmpOp::GeS,
    ];
    let unary = [UnaryOp::Not, UnaryOp::Neg, UnaryOp::Popc, UnaryOp::Ffbh, UnaryOp::Ffbl, UnaryOp::Brev];
    for &(kind, x, y, z, number) in steps {
        let d = |n: u8| dwords[n as usize % dwords.len()];
        let q = |n: u8| pairs[n as usize % pairs.len()];
        let p = |n: u8| preds[n as usize % preds.len()];
        let pick = |n: usize| number as usize % n;
        match kind % 24 {
            0..=2 => dwords.push(push(&mut func, Op::Const32(number), &[])),
            3..=6 => dwords.push(push(&mut func, Op::Int(ints[(z as usize) % ints.len()], Width::W32), &[d(x), d(y)])),
            7 | 8 => {
                let op = ints[(z as usize) % (ints.len() - 2)];
                let b = if matches!(op, IntOp::Shl | IntOp::ShrU | IntOp::ShrS) { d(y) } else { q(y) };
                pairs.push(push(&mut func, Op::Int(op, Width::W64), &[q(x), b]));
            }
            9 => {
                let sel = |n: u32| match number >> (5 * n) & 15 {
                    0..=5 => ByteSel::Byte((number >> (5 * n) & 1) as u8, (number >> (3 * n) & 3) as u8),
                    6..=11 => ByteSel::Sign((number >> (5 * n) & 1) as u8, (number >> (3 * n) & 3) as u8),
                    12 | 13 => ByteSel::Zero,
                    _ => ByteSel::Ones,
                };
                dwords.push(push(&mut func, Op::BytePerm([sel(0), sel(1), sel(2), sel(3)]), &[d(x), d(y)]));
            }
            10 => dwords.push(push(&mut func, Op::Lop3(number as u8), &[d(x), d(y), d(z)])),
            11 => dwords.push(push(&mut func, Op::FunnelShr, &[d(x), d(y), d(z)])),
            12 => dwords.push(push(&mut func, Op::Bfe { signed: number & 1 != 0 }, &[d(x), d(y), d(z)])),
            13 => dwords.push(push(&mut func, Op::BitSelect, &[d(x), d(y), d(z)])),
            14 => preds.push(push(&mut func, Op::Cmp(cmps[pick(10)], Width::W32), &[d(x), d(y)])),
            15 => preds.push(push(&mut func, Op::Cmp(cmps[pick(10)], Width::W64), &[q(x), q(y)])),
            16 => {
                let op = [Op::PredBin(PredOp::And), Op::PredBin(PredOp::Or), Op::PredBin(PredOp::Xor)][pick(3)];
                preds.push(push(&mut func, op, &[p(x), p(y)]));
            }
            17 => preds.push(push(&mut func, Op::PredNot, &[p(x)])),
            18 => dwords.push(push(&mut func, Op::Select(Type::B32), &[p(x), d(y), d(z)])),
            19 => pairs.push(push(&mut func, Op::Pack64, &[d(x), d(y)])),
            20 => dwords.push(push(&mut func, if number & 1 == 0 { Op::Lo } else { Op::Hi }, &[q(x)])),
            21 => dwords.push(push(&mut func, Op::Unary(unary[pick(6)], Width::W32), &[d(x)])),
            22 => pairs.push(push(&mut func, Op::MulWide { signed: number & 1 != 0 }, &[d(x), d(y)])),
            _ => {
                let width = if z & 1 == 0 { Width::W32 } else { Width::W64 };
                let (a, b) = if z & 1 == 0 { (d(x), d(y)) } else { (q(x), q(y)) };
                let op = if z & 2 == 0 { Op::AddCarry(width) } else { Op::SubBorrow(width) };
                let inst = func.push(block, op, [a, b, p(z >> 2)], Span::NONE);
                let results = func.insts[inst].results.clone();
                if z & 1 == 0 {
                    dwords.push(results[0])
                } else {
                    pairs.push(results[0])
                }
                preds.push(results[1]);
            }
        }
    }
    let address = push(&mut func, Op::Load(Mem::new(Space::Param, 8)), &[]);
    let zero = push(&mut func, Op::Const32(0), &[]);
    let one = push(&mut func, Op::Const32(1), &[]);
    for &pred in &preds[preds.len().saturating_sub(3)..] {
        dwords.push(push(&mut func, Op::Select(Type::B32), &[pred, one, zero]));
    }
    for &value in &dwords[dwords.len().saturating_sub(6)..] {
        func.push(block, Op::Store(Mem::new(Space::Global, 4)), [address, value], Span::NONE);
    }
    for &value in &pairs[pairs.len().saturating_sub(3)..] {
        func.push(block, Op::Store(Mem::new(Space::Global, 8)), [address, value], Span::NONE);
    }
    func
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn passes_keep_random_code((steps, inputs) in random_code()) {
        let func = build(&steps);
        ir::verify(&func).unwrap();
        let mut params = vec![0; 8];
        for input in inputs {
            params.extend(input.to_le_bytes());
        }
        let before = run(&func, &params, &[], 100);
        let mut after = func.clone();
        for (pass, go) in opt::PASSES {
            go(&mut after);
            if let Err(e) = ir::verify(&after) {
                panic!("after {pass}: {e}\n{}", text::print("before", &func));
            }
            let now = run(&after, &params, &[], 100);
            prop_assert_eq!(&before, &now, "after {}:\n{}\n{}", pass, text::print("before", &func), text::print("after", &after));
        }
    }
}

#[test]
fn every_op_survives_the_passes() {
    let source = include_str!("../../fixtures/ir/every_op.ir");
    let mut func = parse(source);
    for (pass, go) in opt::PASSES {
        go(&mut func);
        ir::verify(&func).unwrap_or_else(|e| panic!("after {pass}: {e}"));
    }
    let left = func.order.iter().flat_map(|&b| &func.blocks[b].insts);
    assert!(left.map(|&i| &func.insts[i].op).any(|op| matches!(op, Op::Fence(_))));
}
