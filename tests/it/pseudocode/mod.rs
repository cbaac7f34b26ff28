//! What ops compute, against the pseudocode of the AMD ISA manuals: `fixtures/lane/pseudocode.txt`, written by
//! `tests/record_pseudocode.py`, whose header says how it reads. Vector and memory ops run in the emulator, scalar ones are
//! called.

mod bed;
mod hand;

use bed::{Bed, DEFS, Form, PLACES, SCRATCH, SDEF, Space, State, instruction};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use warp2wave::amd::lane::{Sem, Wave};
use warp2wave::amd::op::{Format, Num};
use warp2wave::amd::{Column, Encoding, Feature, Flags, Mods, Op, Operand, SlotKind, Target, ops};

fn text() -> String {
    let path = format!("{}/fixtures/lane/pseudocode.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Vectors of one op with one set of modifiers.
struct Block<'a> {
    kind: &'a str,
    op: Op,
    columns: Vec<&'a str>,
    settings: HashMap<&'a str, &'a str>,
    lines: Vec<&'a str>,
}

struct Fixture<'a> {
    blocks: Vec<Block<'a>>,
    /// Op and column of what has no vectors.
    listed: BTreeSet<(&'static str, &'a str)>,
}

fn fixture(text: &str) -> Fixture<'_> {
    let by_name: HashMap<&str, Op> = ops::all().map(|op| (op.name, op)).collect();
    let mut found = Fixture { blocks: vec![], listed: BTreeSet::new() };
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut words = line.split(' ');
        let kind = words.next().expect("a word");
        if !["lane", "wave", "memory", "listed"].contains(&kind) {
            found.blocks.last_mut().expect("a block").lines.push(line);
            continue;
        }
        let name = words.next().expect("an op");
        let op = *by_name.get(name).unwrap_or_else(|| panic!("{name} is in the fixture and not in the tables"));
        let columns: Vec<&str> = words.next().expect("columns").trim_end_matches(':').split(',').collect();
        if kind == "listed" {
            found.listed.extend(columns.iter().map(|&column| (op.name, column)));
            continue;
        }
        let settings = words.map(|word| word.split_once('=').expect("key=value")).collect();
        found.blocks.push(Block { kind, op, columns, settings, lines: vec![] });
    }
    found
}

impl Block<'_> {
    fn setting(&self, key: &str) -> Option<i64> {
        let word = self.settings.get(key)?;
        let (sign, digits) = word.strip_prefix('-').map_or((1, *word), |digits| (-1, digits));
        Some(sign * i64::from_str_radix(digits, 16).expect("hexadecimal"))
    }

    fn mods(&self, target: &Target) -> Mods {
        let value = |key: &str| self.setting(key).unwrap_or(0) as u8;
        let mut mods = Mods {
            neg: value("neg"),
            abs: value("abs") | value("neg_hi"),
            clamp: value("clamp") == 1,
            op_sel: value("op_sel"),
            bitop3: value("bitop3"),
            offset: self.setting("offset").unwrap_or(0) as i32,
            offset0: value("offset0"),
            offset1: value("offset1"),
            ..self.op.default_mods()
        };
        if let Some(high) = self.setting("op_sel_hi") {
            mods.op_sel_hi = high as u8;
        }
        let short =
            self.op.opcode(target).is_some_and(|c| matches!(c.format, Format::Vop1 | Format::Vop2 | Format::Vopc));
        if short && ["neg", "abs", "clamp", "op_sel"].iter().any(|key| self.settings.contains_key(key)) {
            mods.encoding = Encoding::Vop3;
        }
        mods
    }

    /// MODE[9:0].
    fn mode(&self) -> u32 {
        let value = |key: &str, default: u32| self.setting(key).map_or(default, |v| v as u32);
        let (round, denorm) = (value("round", 0), value("denorm", 3));
        // The fields of the other size say something else, but for conversions between the two.
        let (mut rounds, mut denorms) = ([round; 2], [denorm; 2]);
        let float = self.op.uses.first().filter(|slot| slot.num != Num::Bits);
        if let Some(slot) = float.filter(|_| !self.op.name.starts_with("v_cvt")) {
            let other = usize::from(slot.num == Num::Float && slot.bits == 32);
            rounds[other] = (round + 1) & 3;
            denorms[other] = 3 - denorm;
        }
        rounds[0] | rounds[1] << 2 | denorms[0] << 4 | denorms[1] << 6 | 1 << 8 | value("ieee", 0) << 9
    }
}

/// A processor of the column that has the op. The manuals describe gfx942 and gfx950, gfx1100, gfx1201.
fn target_of(block: &Block, column: &str) -> Target {
    let op = block.op;
    // From gfx942 on a dot product chooses no halves.
    let chooses = op.needs == Some(Feature::DotI16) && block.settings.contains_key("op_sel");
    let names: &[&str] = match column {
        "gfx9" => &["gfx942", "gfx950", "gfx90a", "gfx908", "gfx906", "gfx900"],
        "gfx11" => &["gfx1100"],
        "gfx12" => &["gfx1201"],
        other => panic!("no manual for {other}"),
    };
    let targets = names.iter().map(|name| Target::parse(name).expect("a processor"));
    let mut targets = targets.filter(|t| op.exists_on(t) && !(chooses && t.has(Feature::ScBits)));
    targets.next().unwrap_or_else(|| panic!("{op:?} is on no processor of {column}"))
}

fn hex(word: &str) -> u64 {
    u64::from_str_radix(word, 16).unwrap_or_else(|_| panic!("{word} is no hexadecimal number"))
}

fn is_nan(bits: u64, size: u16) -> bool {
    match size {
        16 => bits & 0x7fff > 0x7c00,
        32 => f32::from_bits(bits as u32).is_nan(),
        _ => f64::from_bits(bits).is_nan(),
    }
}

/// The place of a float in the order of all floats of its size.
fn rank(bits: u64, size: u16) -> i128 {
    let sign = 1u64 << (size - 1);
    if bits & sign == 0 { bits as i128 } else { -((bits & (sign - 1)) as i128) }
}

fn agrees(expected: &str, got: u64, size: u16) -> bool {
    if expected == "nan" {
        return is_nan(got, size);
    }
    match expected.split_once('~') {
        None => got == hex(expected),
        Some((bits, ulps)) => {
            !is_nan(got, size) && (rank(hex(bits), size) - rank(got, size)).unsigned_abs() <= hex(ulps) as u128
        }
    }
}

/// A line of a lane block.
struct LaneVector<'a> {
    line: &'a str,
    sources: Vec<u64>,
    bit: bool,
    result: &'a str,
    out: Option<bool>,
}

fn lane_vector(line: &str) -> LaneVector<'_> {
    let (left, right) = line.split_once(" = ").expect("two sides");
    let mut vector = LaneVector { line, sources: vec![], bit: false, result: "", out: None };
    for word in left.split(' ') {
        match word.strip_prefix('/') {
            Some(bit) => vector.bit = bit == "1",
            None => vector.sources.push(hex(word)),
        }
    }
    let mut words = right.split(' ');
    vector.result = words.next().expect("a result");
    vector.out = words.next().map(|bit| bit == "/1");
    vector
}

fn scalar_lines(block: &Block, wrong: &mut Vec<String>) {
    for vector in block.lines.iter().map(|line| lane_vector(line)) {
        let mut sources = [0; 3];
        sources[..vector.sources.len()].copy_from_slice(&vector.sources);
        let (got, out) = match block.op.sem {
            Sem::Scalar(f) => {
                let (d, scc) = f(sources, vector.bit);
                (d, Some(scc))
            }
            Sem::ScalarCmp(f) => (f(sources[0], sources[1]) as u64, None),
            _ => unreachable!("not scalar"),
        };
        if got != hex(vector.result) || vector.out.is_some_and(|o| out != Some(o)) {
            wrong.push(format!("{:?}: {}    ours {got:x} {out:?}", block.op, vector.line));
        }
    }
}

fn lane_lines(block: &Block, column: &str, wrong: &mut Vec<String>) {
    let op = block.op;
    let target = target_of(block, column);
    let mods = block.mods(&target);
    let bed = match Bed::new(&target, &instruction(op, &target, mods, Form::default()), Space::None, block.mode()) {
        Ok(bed) => bed,
        Err(error) => return wrong.push(format!("{op:?} on {target}, {:?}: {error}", block.settings)),
    };
    let vectors: Vec<LaneVector> = block.lines.iter().map(|line| lane_vector(line)).collect();
    for chunk in vectors.chunks(target.wave_lanes() as usize) {
        let mut state = State::new(&target);
        for (lane, vector) in chunk.iter().enumerate() {
            let slots = op.uses.iter().enumerate().filter(|(_, slot)| slot.kind != SlotKind::Mask);
            for ((n, slot), &value) in slots.zip(&vector.sources) {
                let first = if slot.tied { DEFS[op.tied_def(n)] } else { PLACES.vector[n] } as usize;
                state.vgprs[first][lane] = value as u32;
                if slot.bits == 64 {
                    state.vgprs[first + 1][lane] = (value >> 32) as u32;
                }
            }
            state.vcc |= (vector.bit as u64) << lane;
        }
        let after = match bed.run(&state, &|_, _| {}) {
            Ok((after, _)) => after,
            Err(fault) => {
                wrong.push(format!("{op:?} on {target}, {:?}: {fault}", block.settings));
                return;
            }
        };
        for (lane, vector) in chunk.iter().enumerate() {
            let bit = |mask: u64| mask >> lane & 1;
            let def = op.defs.first();
            let size = def.map_or(0, |d| d.bits);
            let dword = |n: usize| after.vgprs[DEFS[0] as usize + n][lane] as u64;
            let mut kept = true;
            let got = match def.map(|d| d.kind) {
                None => bit(after.exec),
                Some(SlotKind::Mask) => {
                    kept = !op.flags.contains(Flags::WRITES_EXEC) || bit(after.exec) == bit(after.vcc);
                    bit(after.vcc)
                }
                _ if size == 64 => dword(0) | dword(1) << 32,
                _ if size == 16 && mods.op_sel & 8 != 0 => {
                    kept = dword(0) as u16 == state.vgprs[DEFS[0] as usize][lane] as u16;
                    dword(0) >> 16
                }
                _ if size == 16 => dword(0) & 0xffff,
                _ => dword(0),
            };
            let out = bit(after.vcc) == 1;
            if !agrees(vector.result, got, size) || vector.out.is_some_and(|o| o != out) || !kept {
                wrong.push(format!(
                    "{op:?} on {target}, {:?}: {}    ours {got:x} /{}",
                    block.settings, vector.line, out as u8
                ));
            }
        }
    }
}

type Words<'a> = BTreeMap<&'a str, &'a str>;

fn sides(line: &str) -> [Words<'_>; 2] {
    let (left, right) = line.split_once(" = ").unwrap_or((line.trim_end_matches(" ="), ""));
    [left, right].map(|side| side.split(' ').filter_map(|word| word.split_once('=')).collect())
}

/// A value by lane, or by active lane.
fn list(word: &str, lanes: usize) -> Vec<u128> {
    if let Some(first) = word.strip_suffix('+') {
        return (0..lanes as u128).map(|lane| hex(first) as u128 + lane).collect();
    }
    word.split(',').map(|w| u128::from_str_radix(w, 16).expect("hexadecimal")).collect()
}

fn wave_lines(block: &Block, column: &str, wrong: &mut Vec<String>) {
    let op = block.op;
    let target = target_of(block, column);
    let lanes = target.wave_lanes() as usize;
    for line in &block.lines {
        let [left, right] = sides(line);
        let value = |key: &str| left.get(key).map_or(0, |w| hex(w));
        let mut state = State::new(&target);
        let word = |bits: u128| bits as u32;
        let fill = |state: &mut State, register: u16, key: &str| {
            if let Some(words) = left.get(key) {
                state.vgprs[register as usize] = list(words, lanes).into_iter().map(word).collect();
            }
        };
        fill(&mut state, PLACES.vector[0], "v0");
        fill(&mut state, PLACES.vector[1], "v1");
        fill(&mut state, DEFS[0], "old");
        fill(&mut state, DEFS[0], "d0");
        fill(&mut state, DEFS[1], "d1");
        // The scalar sources in the order in which the row has them.
        let scalars = op.uses.iter().enumerate().filter(|(_, s)| matches!(s.kind, SlotKind::Ssrc | SlotKind::Sgpr));
        let given: Vec<u64> = ["s0", "s1", "s2"].iter().filter_map(|key| left.get(key)).map(|w| hex(w)).collect();
        for ((n, _), value) in scalars.zip(given) {
            state.sgprs[PLACES.scalar[n] as usize] = value as u32;
            state.sgprs[PLACES.scalar[n] as usize + 1] = (value >> 32) as u32;
        }
        if left.contains_key("exec") {
            state.exec = value("exec");
        }
        (state.vcc, state.scc) = (value("vcc"), value("scc") == 1);
        let mode = if left.contains_key("mode") { value("mode") as u32 | 1 << 8 } else { block.mode() };
        let imm = if left.contains_key("imm") { value("imm") } else { 1 };
        let form = Form { imm, literal: value("s0"), ..Form::default() };
        let mut inst = instruction(op, &target, block.mods(&target), form);
        if matches!(op.sem, Sem::Wave(Wave::WriteLane)) {
            // Two different SGPRs are too many on gfx9.
            inst.uses[1] = Operand::Imm(value("s1"));
        }
        let result = Bed::new(&target, &inst, Space::None, mode).and_then(|bed| bed.run(&state, &|_, _| {}));
        let (after, jumped) = match result {
            Ok(after) => after,
            Err(fault) => {
                wrong.push(format!("{op:?} on {target}: {line}    {fault}"));
                continue;
            }
        };
        let sdef = after.sgprs[SDEF as usize] as u64 | (after.sgprs[SDEF as usize + 1] as u64) << 32;
        let sdef_bits = op.defs.first().map_or(32, |d| d.bits);
        for (key, expected) in &right {
            let vgprs = |register: u16| after.vgprs[register as usize].iter().map(|&d| d as u128).collect::<Vec<_>>();
            let ok = match *key {
                "d" | "d0" => vgprs(DEFS[0]) == list(expected, lanes),
                "d1" => vgprs(DEFS[1]) == list(expected, lanes),
                "sd" => (if sdef_bits == 64 { sdef } else { sdef as u32 as u64 }) == hex(expected),
                "exec" => after.exec == hex(expected),
                "scc" => after.scc == (*expected == "1"),
                "taken" => jumped == (*expected == "1"),
                "mode" => (after.mode & 0xff) as u64 == hex(expected),
                other => panic!("{other}"),
            };
            if !ok {
                wrong.push(format!(
                    "{op:?} on {target}, {:?}: {line}    {key} differs: {:x?}",
                    block.settings, after.vgprs[DEFS[0] as usize]
                ));
            }
        }
    }
}

fn pattern(i: usize) -> u8 {
    (167 * i + 59 * (i >> 8) + 13) as u8
}

fn memory_lines(block: &Block, column: &str, wrong: &mut Vec<String>) {
    let op = block.op;
    let target = target_of(block, column);
    let space = block.settings["space"];
    let form = Form {
        saddr: block.settings.contains_key("saddr"),
        soffset: block.settings.contains_key("soffset"),
        ..Form::default()
    };
    let inst = instruction(op, &target, block.mods(&target), form);
    let copied = match space {
        "lds" => Space::Lds,
        "scratch" => Space::Scratch,
        _ => Space::None,
    };
    let bed = match Bed::new(&target, &inst, copied, block.mode()) {
        Ok(bed) => bed,
        Err(error) => return wrong.push(format!("{op:?} on {target}, {:?}: {error}", block.settings)),
    };
    for line in &block.lines {
        let [left, right] = sides(line);
        let mut state = State::new(&target);
        state.window.iter_mut().enumerate().for_each(|(i, byte)| *byte = pattern(i));
        state.scratch.iter_mut().enumerate().for_each(|(i, byte)| *byte = pattern(i));
        state.exec = hex(left["exec"]);
        let active: Vec<usize> = (0..64).filter(|lane| state.exec >> lane & 1 == 1).collect();
        let addresses = list(left["a"], 0);
        for number in 0..2 {
            let Some(words) = left.get(["d0", "d1"][number]) else { continue };
            for (&lane, value) in active.iter().zip(list(words, 0)) {
                for dword in 0..4 {
                    state.vgprs[PLACES.vector[1 + number] as usize + dword][lane] = (value >> (32 * dword)) as u32;
                }
            }
        }
        let place = |state: &mut State, window: u64| {
            let base = if matches!(space, "lds" | "scratch") { 0 } else { window };
            for (&lane, &address) in active.iter().zip(&addresses) {
                let own = if form.saddr && space == "global" { address as u64 } else { base + address as u64 };
                state.vgprs[PLACES.vector[0] as usize][lane] = own as u32;
                state.vgprs[PLACES.vector[0] as usize + 1][lane] = (own >> 32) as u32;
            }
            let scalar = match space {
                "scratch" => addresses[0] as u64,
                "scalar" => block.setting("soffset").unwrap_or(0) as u64,
                _ => window,
            };
            let own = base + addresses[0] as u64;
            state.sgprs[24..26].copy_from_slice(&[own as u32, (own >> 32) as u32]);
            state.sgprs[40..42].copy_from_slice(&[scalar as u32, (scalar >> 32) as u32]);
        };
        let after = match bed.run(&state, &place) {
            Ok((after, _)) => after,
            Err(fault) => {
                wrong.push(format!("{op:?} on {target}, {:?}: {line}    {fault}", block.settings));
                continue;
            }
        };
        let mut say = |what: &str| wrong.push(format!("{op:?} on {target}, {:?}: {line}    {what}", block.settings));
        let def_bytes = op.defs.first().map_or(0, |d| d.bits as usize / 8);
        if let Some(&expected) = right.get("r") {
            for (&lane, expected) in active.iter().zip(expected.split(',')) {
                let dwords: Vec<u32> = (0..def_bytes / 4)
                    .map(|n| match space {
                        "scalar" => after.sgprs[SDEF as usize + n],
                        _ => after.vgprs[DEFS[0] as usize + n][lane],
                    })
                    .collect();
                let digits: String = dwords.iter().rev().map(|d| format!("{d:08x}")).collect();
                if digits.trim_start_matches('0') != expected.trim_start_matches('0') {
                    say(&format!("lane {lane}: ours {digits}"));
                }
            }
        }
        // Memory, and what else must be as before.
        let private = space == "scratch";
        let (held, mut wanted) =
            if private { (&after.scratch, state.scratch.clone()) } else { (&after.window, state.window.clone()) };
        for change in right.get("m").into_iter().flat_map(|m| m.split(',')) {
            let (at, dword) = change.split_once(':').expect("an address");
            wanted[hex(at) as usize..][..4].copy_from_slice(&(hex(dword) as u32).to_le_bytes());
        }
        let compared = if private { SCRATCH * target.wave_lanes() as usize } else { wanted.len() };
        if let Some(at) = (0..compared).find(|&i| held[i] != wanted[i]) {
            say(&format!("byte {at:#x} of memory is {:#x}, not {:#x}", held[at], wanted[at]));
        }
    }
}

fn judge(block: &Block, wrong: &mut Vec<String>) {
    if matches!(block.op.sem, Sem::Scalar(_) | Sem::ScalarCmp(_)) {
        return scalar_lines(block, wrong);
    }
    for column in &block.columns {
        match block.kind {
            "lane" => lane_lines(block, column, wrong),
            "wave" => wave_lines(block, column, wrong),
            _ => memory_lines(block, column, wrong),
        }
    }
}

#[test]
fn meanings_agree_with_the_manuals() {
    let text = text();
    let (mut wrong, mut vectors) = (vec![], BTreeMap::<&str, usize>::new());
    for block in &fixture(&text).blocks {
        judge(block, &mut wrong);
        for column in &block.columns {
            *vectors.entry(column).or_default() += block.lines.len();
        }
    }
    let first: Vec<&str> = wrong.iter().take(60).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {vectors:?} disagree:\n{}", wrong.len(), first.join("\n"));
    assert!(vectors.values().all(|&n| n > 19_000), "{vectors:?}");
}

/// Vectors of every kind can fail: with another last digit they do.
#[test]
fn another_result_is_noticed() {
    let text = text();
    let found = fixture(&text);
    let names = [
        "s_bfe_i64",
        "s_cmp_lt_i32",
        "v_perm_b32",
        "v_cmp_lt_f32",
        "v_cmpx_lt_f32",
        "v_add_co_ci_u32",
        "v_rcp_f64",
        "v_pk_fma_f16",
        "ds_bpermute_b32",
        "v_readlane_b32",
        "s_cbranch_vccz",
        "s_setreg_b32",
        "ds_cmpst_rtn_b32",
        "global_store_b96",
        "scratch_load_i8",
        "s_load_b128",
    ];
    for name in names {
        let block = found.blocks.iter().find(|b| b.op.name == name).unwrap_or_else(|| panic!("no {name}"));
        let numbers = |line: &&&str| line.ends_with(|digit: char| digit.is_ascii_hexdigit());
        let mut line = block.lines.iter().find(numbers).expect("a number").to_string();
        let last = line.pop().expect("a digit");
        line.push(if last == '0' { '1' } else { '0' });
        // An approximation ends in its tolerance: another exponent is far off.
        let line = line.replacen(" = 4", " = 5", line.contains('~') as usize);
        let (columns, settings) = (block.columns.clone(), block.settings.clone());
        let block = &Block { kind: block.kind, op: block.op, columns, settings, lines: vec![&line] };
        let mut wrong = vec![];
        judge(block, &mut wrong);
        assert!(!wrong.is_empty(), "{name}: {line}");
    }
}

/// A new row has vectors, or a reason not to.
#[test]
fn every_op_is_judged_or_listed() {
    let text = text();
    let found = fixture(&text);
    let mut judged = BTreeSet::new();
    for block in &found.blocks {
        judged.extend(block.columns.iter().map(|&column| (block.op.name, column)));
    }
    let mut missing = vec![];
    for op in ops::all() {
        for (column, name) in [(Column::Gfx9, "gfx9"), (Column::Gfx11, "gfx11"), (Column::Gfx12, "gfx12")] {
            let key = (op.name, name);
            if op.codes[column as usize].is_some() && !judged.contains(&key) && !found.listed.contains(&key) {
                missing.push(key);
            }
        }
    }
    assert!(missing.is_empty(), "run tests/record_pseudocode.py: {missing:?}");
    let both: Vec<_> = judged.intersection(&found.listed).collect();
    assert!(both.is_empty(), "{both:?}");
    // A row means the same in every column: gfx10 and gfx1250 are judged by the others, and by hand where they are alone.
    let by_manual: BTreeSet<&str> = judged.iter().map(|(name, _)| *name).collect();
    let alone: Vec<Op> = (ops::all().filter(|op| !by_manual.contains(op.name)))
        .filter(|op| !matches!(op.sem, Sem::Wave(_) | Sem::Unmodelled) && !hand::judges(*op))
        .collect();
    assert!(alone.is_empty(), "no vectors anywhere: {alone:?}");
}
