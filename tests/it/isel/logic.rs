//! Truth tables, and whether the units agree on random code.

use super::*;

#[test]
fn truth_tables_all_of_them() {
    for id in TARGETS {
        let target = Target::parse(id).unwrap();
        for space in ["global", "const"] {
            let mut body = String::new();
            let names: Vec<String> = (0..256).map(|lut| format!("%{}", 1000 + lut)).collect();
            for (lut, name) in names.iter().enumerate() {
                body += &format!("  {name} = lop3[{lut:#04x}] %1, %2, %3\n");
            }
            let outputs: Vec<(&str, Ty)> = names.iter().map(|n| (n.as_str(), B32)).collect();
            let func = selected(&program(space, &[B32; 3], &body, &outputs), id);
            let mut random = Random(3);
            for _ in 0..8 {
                let v = [(); 3].map(|()| random.next() & 0xffff_ffff);
                let got = run(&func, &target, &v, 256);
                for (lut, got) in got.iter().enumerate() {
                    let bit = |i: u32| {
                        let index = (v[0] >> i & 1) << 2 | (v[1] >> i & 1) << 1 | v[2] >> i & 1;
                        (lut as u64 >> index & 1) << i
                    };
                    assert_eq!(*got, (0..32).map(bit).sum::<u64>(), "{lut:#x} on {id} from {space}");
                }
            }
        }
    }
}

/// How many tables need 0, 1, 2.. steps. The search tries all sequences of a length before it goes on, so these are the least for its ops;
/// the counts are recorded to see a lost op.
#[test]
fn truth_table_costs() {
    let count = |plan: &dyn Fn(u8) -> usize| {
        let mut counts = [0; 5];
        (0..=255).for_each(|lut| counts[plan(lut)] += 1);
        counts
    };
    assert_eq!(count(&|lut| vector_plan(lut, true, true).steps.len()), [5, 38, 160, 53, 0]);
    assert_eq!(count(&|lut| vector_plan(lut, false, true).steps.len()), [5, 37, 158, 56, 0]);
    assert_eq!(count(&|lut| vector_plan(lut, false, false).steps.len()), [5, 34, 148, 67, 2]);
    assert_eq!(count(&|lut| scalar_plan(lut).steps.len()), [5, 33, 114, 80, 24]);
}

/// The choice and majority functions of SHA-2, as compilers write them.
#[test]
fn logic_of_three_values() {
    let three = [B32, B32, B32];
    let count = |body: &str, id: &str| {
        let func = selected(&program("global", &three, body, &[("%50", B32)]), id);
        ops_of(&func).iter().filter(|op| op.starts_with("v_")).count()
    };
    let choice = "  %40 = int.and.b32 %1, %2\n  %41 = unary.not.b32 %1\n  %42 = int.and.b32 %3, %41\n  %50 = int.xor.b32 %40, %42\n";
    check(&three, choice, &[("%50", B32)], |v| vec![v[0] & v[1] | !v[0] & v[2]]);
    let majority = "  %40 = int.and.b32 %1, %2\n  %41 = int.and.b32 %1, %3\n  %42 = int.xor.b32 %40, %41\n  \
                    %43 = int.and.b32 %2, %3\n  %50 = int.xor.b32 %42, %43\n";
    check(&three, majority, &[("%50", B32)], |v| vec![v[0] & v[1] | v[0] & v[2] | v[1] & v[2]]);
    for id in TARGETS {
        assert_eq!((count(choice, id), count(majority, id)), (1, 2), "{id}");
    }
    // An op that somebody else reads stays.
    let shared = "  %40 = int.and.b32 %1, %2\n  %41 = unary.not.b32 %1\n  %42 = int.and.b32 %3, %41\n  %51 = int.xor.b32 %40, %42\n  \
                  %50 = int.xor.b32 %51, %42\n";
    check(&three, shared, &[("%50", B32), ("%51", B32)], |v| vec![v[0] & v[1], v[0] & v[1] | !v[0] & v[2]]);
}

/// Random straight-line functions give the same results from VGPRs, from SGPRs and from a mix, on every kind of target: the scalar and the
/// vector forms of an op, and what folds into what, know nothing of each other.
#[test]
fn units_and_targets_agree_on_random_code() {
    for seed in 1..120 {
        let mut random = Random(seed * 0x1234_5677);
        let body = random_body(&mut random);
        let inputs = [B32, B32, B32, B64, B64, Pred];
        let values: Vec<Vec<u64>> = (0..4).map(|_| inputs.iter().map(|&ty| random.value(ty)).collect()).collect();
        let outputs: Vec<(&str, Ty)> = body.outputs.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
        let mut expected: Option<Vec<Vec<u64>>> = None;
        for id in FAMILIES {
            let target = Target::parse(id).unwrap();
            for spaces in [["global", "global"], ["const", "const"], ["global", "const"], ["const", "global"]] {
                let source = program(spaces[0], &inputs, &body.text, &outputs);
                let mut turn = 0;
                // Every other input from the second space.
                let source: String = source
                    .lines()
                    .map(|line| {
                        let input = line.contains(" = load.global") || line.contains(" = load.const");
                        turn += input as usize;
                        if input && turn % 2 == 0 {
                            line.replace(&format!("load.{}", spaces[0]), &format!("load.{}", spaces[1])) + "\n"
                        } else {
                            line.to_string() + "\n"
                        }
                    })
                    .collect();
                let func = selected(&source, id);
                let got: Vec<Vec<u64>> = values.iter().map(|v| run(&func, &target, v, outputs.len())).collect();
                match &expected {
                    None => expected = Some(got),
                    Some(expected) => assert!(
                        *expected == got,
                        "seed {seed}, {id} from {spaces:?}: {got:x?}, not {expected:x?}\n{source}\n{}",
                        warp2wave::mir::text::print(&func)
                    ),
                }
            }
        }
    }
}

struct Body {
    text: String,
    outputs: Vec<(String, Ty)>,
}

fn random_body(random: &mut Random) -> Body {
    let mut pools: [Vec<String>; 3] = [
        ["%1", "%2", "%3", "%61", "%62"].map(String::from).to_vec(),
        ["%4", "%5"].map(String::from).to_vec(),
        vec!["%6".to_string()],
    ];
    let mut text = String::new();
    let mut made: Vec<(String, Ty)> = vec![];
    for n in 0..60 {
        // Mostly the newest values, so that chains form.
        let pick = |random: &mut Random, pool: &[String]| {
            let back = (random.next() % 4).min(random.next() % pool.len() as u64) as usize;
            let at = if random.next().is_multiple_of(3) {
                random.next() as usize % pool.len()
            } else {
                pool.len() - 1 - back
            };
            pool[at].clone()
        };
        let args = |random: &mut Random, types: &[Ty]| {
            let values: Vec<String> = types.iter().map(|&ty| pick(random, &pools[ty as usize])).collect();
            values.join(", ")
        };
        let from = |random: &mut Random, words: &[&str]| words[random.next() as usize % words.len()].to_string();
        let int = [
            "add", "sub", "mul", "mulhi_u", "mulhi_s", "min_u", "min_s", "max_u", "max_s", "and", "or", "xor", "and",
            "or", "xor",
        ];
        let cmp = ["eq", "ne", "lt_u", "le_u", "gt_u", "ge_u", "lt_s", "le_s", "gt_s", "ge_s"];
        let name = format!("%{}", 100 + n);
        let (line, ty) = match random.next() % 22 {
            0..=4 => (format!("int.{}.b32 {}", from(random, &int), args(random, &[B32, B32])), B32),
            5 => (format!("int.{}.b32 {}", from(random, &["shl", "shr_u", "shr_s"]), args(random, &[B32, B32])), B32),
            6 => (format!("int.{}.b64 {}", from(random, &int), args(random, &[B64, B64])), B64),
            7 => (format!("int.{}.b64 {}", from(random, &["shl", "shr_u", "shr_s"]), args(random, &[B64, B32])), B64),
            8 => (
                format!(
                    "unary.{}.b32 {}",
                    from(random, &["not", "neg", "popc", "ffbh", "ffbl", "brev"]),
                    args(random, &[B32])
                ),
                B32,
            ),
            9 => (format!("unary.{}.b64 {}", from(random, &["popc", "ffbh", "ffbl"]), args(random, &[B64])), B32),
            10 => (format!("pack64 {}", args(random, &[B32, B32])), B64),
            11 => (format!("{} {}", from(random, &["lo", "hi"]), args(random, &[B64])), B32),
            12 => (format!("mul_wide.{} {}", from(random, &["u", "s"]), args(random, &[B32, B32])), B64),
            13 => (format!("lop3[{:#04x}] {}", random.next() as u8, args(random, &[B32, B32, B32])), B32),
            14 => (
                format!(
                    "{} {}",
                    from(random, &["funnel_shr", "bfe.u", "bfe.s", "bit_select", "bit_select"]),
                    args(random, &[B32, B32, B32])
                ),
                B32,
            ),
            15 => {
                let sources = args(random, &[B32, B32, B32]);
                let names: Vec<&str> = sources.split(", ").collect();
                let sels: Vec<String> = (0..4)
                    .map(|_| match random.next() % 5 {
                        0 => "zero".to_string(),
                        1 => format!("sign {}.{}", names[random.next() as usize % 3], random.next() % 4),
                        _ => format!("{}.{}", names[random.next() as usize % 3], random.next() % 4),
                    })
                    .collect();
                (format!("byteperm [{}]", sels.join(", ")), B32)
            }
            16 => (format!("cmp.{}.b32 {}", from(random, &cmp), args(random, &[B32, B32])), Pred),
            17 => (format!("cmp.{}.b64 {}", from(random, &cmp), args(random, &[B64, B64])), Pred),
            18 => (format!("pred.{} {}", from(random, &["and", "or", "xor"]), args(random, &[Pred, Pred])), Pred),
            19 => (format!("pred.not {}", args(random, &[Pred])), Pred),
            20 => (format!("select.b32 {}", args(random, &[Pred, B32, B32])), B32),
            _ => (format!("select.b64 {}", args(random, &[Pred, B64, B64])), B64),
        };
        text += &format!("  {name} = {line}\n");
        pools[ty as usize].push(name.clone());
        made.push((name, ty));
    }
    let outputs = made.into_iter().rev().step_by(3).take(12).collect();
    Body { text, outputs }
}
