//! Instructions made from the forms: samples of each word and operand, neighbours that are wrong in one respect, and
//! random modules.
//!
//! The samples are judged by ptxas (`tests/record_verdicts.py`), the random modules by reading them again.

use super::*;
use std::fmt::Write;

/// A kernel in which samples may stand, at `//BODY`, with registers of every type, variables in every state space, and a
/// label.
pub const FRAME: &str = include_str!("frame.ptx");

/// Elements of each register range of the frame.
const REGISTERS: usize = 130;

/// Statements of one form.
pub struct Samples {
    pub form: &'static Form,
    /// Right by the form: each word of each set once, each sort of operand once.
    pub right: Vec<String>,
    /// Wrong in one respect, unless another form has it.
    pub neighbours: Vec<String>,
}

/// The samples of every form whose operands are all described, and that a new module with 64-bit addresses may have.
pub fn all() -> impl Iterator<Item = Samples> {
    forms().map(|(opcode, form)| Samples {
        form,
        right: Sampler { opcode, form }.right(),
        // What ptxas takes beyond the PTX ISA has no edge that anybody wrote down.
        neighbours: if form.is_unlisted() { Vec::new() } else { Sampler { opcode, form }.neighbours() },
    })
}

fn forms() -> impl Iterator<Item = (&'static str, &'static Form)> {
    opcodes().flat_map(|opcode| {
        let forms = GRAMMAR.names.lookup(opcode).map_or(&[][..], forms_of);
        let usual = |form: &&Form| !form.open && !form.has_short_addresses() && !form.has_ended();
        forms.iter().filter(usual).map(move |form| (opcode, form))
    })
}

/// The word of each item; none where it is left out.
type Choice = Vec<Option<Name>>;

struct Sampler {
    opcode: &'static str,
    form: &'static Form,
}

impl Sampler {
    /// Every item that must have a word has its first.
    fn least(&self) -> Choice {
        self.form.items.iter().map(|item| (!item.optional || item.due).then(|| item.words[0].name)).collect()
    }

    /// The items that are joined with this one get a word too.
    fn join(&self, choice: &mut Choice, at: usize) {
        let items = &self.form.items;
        let first = (0..=at).rev().find(|&n| !items[n].joined).unwrap_or(0);
        for n in first..items.len() {
            if n > first && !items[n].joined {
                break;
            }
            choice[n] = choice[n].or(Some(items[n].words[0].name));
        }
    }

    fn right(&self) -> Vec<String> {
        let mut found = Vec::new();
        let base = self.least();
        found.push(self.write(&base, |_| 0, Spare::Without));
        for (at, item) in self.form.items.iter().enumerate() {
            for word in item.words.iter() {
                let mut choice = base.clone();
                choice[at] = Some(word.name);
                self.join(&mut choice, at);
                found.push(self.write(&choice, |_| 0, Spare::Without));
            }
        }
        for choice in [base, self.most()] {
            let (_, operands, inner) = self.resolve(&choice);
            for (at, expected) in operands.iter().enumerate() {
                for variant in 0..variants(expected, &inner).len() {
                    found.push(self.write(&choice, |n| if n == at { variant } else { 0 }, Spare::With));
                }
            }
            found.push(self.write(&choice, |_| 0, Spare::With));
        }
        let mut seen = std::collections::HashSet::new();
        found.retain(|text| seen.insert(text.clone()));
        found
    }

    fn neighbours(&self) -> Vec<String> {
        let mut found = Vec::new();
        let base = self.least();
        let right = self.write(&base, |_| 0, Spare::Without);
        // A word is missing, or one stands there that is of no set of the form.
        for at in 0..base.len() {
            if base[at].is_some() {
                let mut choice = base.clone();
                choice[at] = None;
                found.push(self.write(&choice, |_| 0, Spare::Without));
            }
        }
        let (head, operands, inner) = self.resolve(&base);
        let fits: Vec<String> = operands.iter().filter(|o| !o.optional).map(|o| first(o, &inner)).collect();
        for other in ["u8", "f64", "s32"] {
            if let Some(at) = (0..base.len()).rev().find(|&at| base[at].and_then(word::scalar_type).is_some())
                && self.form.items[at].words.iter().all(|word| GRAMMAR.names.get(word.name) != other)
            {
                let words = head.split('.').collect::<Vec<_>>();
                let old = GRAMMAR.names.get(base[at].unwrap_or(word::U8));
                if let Some(last) = words.iter().rposition(|w| *w == old) {
                    let mut words = words.clone();
                    words[last] = other;
                    found.push(statement(&words.join("."), &fits));
                }
            }
        }
        let with = |at: usize, text: &str| {
            let mut operands = fits.clone();
            operands[at] = text.to_string();
            statement(&head, &operands)
        };
        for (at, expected) in operands.iter().filter(|o| !o.optional).enumerate() {
            for wrong in misfits(expected, &inner) {
                found.push(with(at, &wrong));
            }
            let mut fewer = fits.clone();
            fewer.remove(at);
            found.push(statement(&head, &fewer));
        }
        let mut more = fits.clone();
        more.push("b32_9".into());
        found.push(statement(&head, &more));
        found.extend(self.reordered());
        let mut seen = std::collections::HashSet::new();
        found.retain(|text| *text != right && seen.insert(text.clone()));
        found
    }

    /// Every item has its last word.
    fn most(&self) -> Choice {
        self.form.items.iter().map(|item| Some(item.words[item.words.len() - 1].name)).collect()
    }

    /// Two words that follow each other have changed places.
    fn reordered(&self) -> impl Iterator<Item = String> {
        let (head, operands, inner) = self.resolve(&self.most());
        let fits: Vec<String> = operands.iter().filter(|o| !o.optional).map(|o| first(o, &inner)).collect();
        let words: Vec<String> = head.split('.').map(str::to_string).collect();
        (1..words.len().saturating_sub(1)).filter_map(move |at| {
            let mut words = words.clone();
            words.swap(at, at + 1);
            (words[at] != words[at + 1]).then(|| statement(&words.join("."), &fits))
        })
    }

    /// Opcode and modifiers, and the operands with their elements.
    fn resolve(&self, choice: &Choice) -> (String, Vec<Expected>, Vec<Expected>) {
        let mut head = self.opcode.to_string();
        let words: Vec<Name> = choice.iter().copied().flatten().collect();
        for &word in &words {
            head.push('.');
            head.push_str(GRAMMAR.names.get(word));
        }
        let chosen = Chosen { words: choice, space: space_of(&words) };
        let mut inner = Vec::new();
        let present = self.form.operands.iter().filter(|spec| chosen.has(spec.presence));
        let operands = present.map(|spec| spec.resolve_all(&chosen, &mut inner)).collect();
        (head, operands, inner)
    }

    fn write(&self, choice: &Choice, variant: impl Fn(usize) -> usize, spare: Spare) -> String {
        let (head, operands, inner) = self.resolve(choice);
        let present = |expected: &Expected| !expected.optional || spare == Spare::With;
        let texts = operands.iter().enumerate().filter(|(_, expected)| present(expected));
        let texts: Vec<String> = texts
            .map(|(at, expected)| {
                let mut all = variants(expected, &inner);
                let n = variant(at).min(all.len() - 1);
                all.swap_remove(n)
            })
            .collect();
        statement(&head, &texts)
    }
}

/// Whether operands that may be missing are there.
#[derive(Copy, Clone, PartialEq)]
enum Spare {
    Without,
    With,
}

fn statement(head: &str, operands: &[String]) -> String {
    let space = if operands.is_empty() { "" } else { " " };
    format!("{head}{space}{};", operands.join(", "))
}

fn first(expected: &Expected, inner: &[Expected]) -> String {
    variants(expected, inner).swap_remove(0)
}

/// The type of the frame's registers that hold this type.
fn natural(ty: ScalarType) -> ScalarType {
    use ScalarType::*;
    match ty {
        Bf16 | E4m3x2 | E5m2x2 | E2m3x2 | E3m2x2 | Ue8m0x2 => B16,
        E2m1x2 | E4m3 | E5m2 => B8,
        Bf16x2 | Tf32 | U16x2 | S16x2 => B32,
        other => other,
    }
}

fn register(ty: ScalarType, n: usize) -> String {
    format!("{}_{}", natural(ty).word(), n % REGISTERS)
}

fn bits(bytes: u32) -> ScalarType {
    match bytes {
        1 => ScalarType::B8,
        2 => ScalarType::B16,
        4 => ScalarType::B32,
        8 => ScalarType::B64,
        _ => ScalarType::B128,
    }
}

/// A constant that the operand takes.
fn constant(expected: &Expected) -> Option<String> {
    let value = match expected.values {
        Some(Values::List(list)) => list[0],
        Some(Values::Range { low, step, .. }) => ((low + step - 1) / step * step).max(*step),
        None => 1,
    };
    match expected.ty {
        _ if expected.result || expected.register => None,
        Some(ScalarType::F32 | ScalarType::F64) => Some("0.5".into()),
        Some(ScalarType::Pred | ScalarType::B128) => None,
        Some(ty) if ty.is_float() || !matches!(natural(ty), t if t == ty) => None,
        Some(ScalarType::U16x2 | ScalarType::S16x2) => None,
        Some(_) | None => Some(value.to_string()),
    }
}

fn variable(space: Option<Space>) -> &'static str {
    match space {
        None | Some(Space::Global) => "global_",
        Some(Space::Shared) => "shared_",
        Some(Space::Local) => "local_",
        Some(Space::Const) => "const_",
        Some(Space::Param) => "param_",
        Some(Space::Reg | Space::Sreg | Space::Tex) => "global_",
    }
}

/// Texts that fit, the plainest first.
fn variants(expected: &Expected, inner: &[Expected]) -> Vec<String> {
    let ty = expected.ty.unwrap_or(ScalarType::B32);
    let elements = |from: u8, count: u8, one: &dyn Fn(&Expected) -> Option<String>| {
        let inner = &inner[usize::from(from)..usize::from(from) + usize::from(count)];
        inner.iter().filter_map(one).collect::<Vec<_>>().join(", ")
    };
    let least = |e: &Expected| (!e.optional).then(|| first(e, inner));
    let most = |e: &Expected| Some(first(e, inner));
    let last = |e: &Expected| (!e.optional).then(|| variants(e, inner).pop().unwrap_or_default());
    match expected.kind {
        Kind::Value if expected.braces == Braces::Must => {
            let count = usize::from(expected.count);
            let vector = |ty, n: usize| {
                let items: Vec<String> = (0..count).map(|at| register(ty, n + at)).collect();
                format!("{{{}}}", items.join(", "))
            };
            let mut found = vec![vector(ty, 0)];
            if let Some(bytes) = ty.size_bytes()
                && natural(ty) != bits(bytes)
            {
                found.push(vector(bits(bytes), 1));
            }
            if let Some(constant) = constant(expected) {
                let mut items: Vec<String> = (0..count).map(|at| register(ty, at)).collect();
                items[0] = constant;
                found.push(format!("{{{}}}", items.join(", ")));
            }
            if (expected.result && !expected.register || expected.sink) && count > 1 && expected.pair == Pair::Never {
                let mut items: Vec<String> = (0..count).map(|at| register(ty, at)).collect();
                items[count - 1] = "_".into();
                found.push(format!("{{{}}}", items.join(", ")));
            }
            paired(expected.pair, found)
        }
        Kind::Value => {
            let n = if expected.result { 1 } else { 2 };
            let mut found = vec![register(ty, n)];
            if let Some(bytes) = ty.size_bytes()
                && natural(ty) != bits(bytes)
            {
                found.push(register(bits(bytes), n + 1));
            }
            if expected.wider && ty.size_bytes().is_some_and(|bytes| bytes < 8) && ty != ScalarType::Pred {
                found.push(register(ScalarType::B64, n));
            }
            found.extend(constant(expected));
            if !expected.result && ty == ScalarType::Pred {
                found.push("!pred_2".into());
            }
            if expected.braces == Braces::May {
                found.push(format!("{{{}}}", register(ty, n)));
            }
            if expected.result && expected.sink && expected.pair == Pair::Never {
                found.push("_".into());
            }
            paired(expected.pair, found)
        }
        Kind::Immediate => match expected.values {
            None => vec!["1".into()],
            Some(Values::List(list)) => list.iter().map(i64::to_string).collect(),
            Some(&Values::Range { low, high, .. }) => vec![low.to_string(), high.to_string()],
        },
        Kind::Address(Place::Memory) => {
            let name = variable(expected.space);
            let mut found = vec!["[b64_8]".into(), "[b64_8+16]".into(), format!("[{name}]"), format!("[{name}+16]")];
            if !matches!(expected.space, None | Some(Space::Global)) {
                found.push("[b32_8]".into());
            }
            if expected.unified && matches!(expected.space, None | Some(Space::Global)) {
                found.push("[b64_8].unified".into());
            }
            found
        }
        Kind::Address(place) => objects(place, expected.register).iter().map(|name| format!("[{name}]")).collect(),
        Kind::Object(place) => objects(place, expected.register).iter().map(|name| name.to_string()).collect(),
        Kind::Bracket { from, count } => {
            let one = |one: &dyn Fn(&Expected) -> Option<String>| format!("[{}]", elements(from, count, one));
            vec![one(&least), one(&most), one(&last)]
        }
        Kind::Tuple { from, count } => {
            let one = |one: &dyn Fn(&Expected) -> Option<String>| format!("{{{}}}", elements(from, count, one));
            vec![one(&least), one(&last)]
        }
        Kind::Sink => vec!["_".into()],
        Kind::Label => vec!["label_".into()],
        Kind::Targets => vec!["targets_".into()],
        Kind::Symbol if expected.space.is_some_and(|space| space != Space::Shared) => {
            vec![variable(expected.space).into(), format!("{}+4", variable(expected.space))]
        }
        Kind::Symbol => match ty.size_bytes() {
            _ if expected.space.is_some() => vec!["shared_".into(), "shared_+4".into()],
            Some(4) => vec!["shared_".into(), "shared_+4".into()],
            _ => vec!["global_".into(), "global_+4".into(), "shared_".into(), "function_".into()],
        },
        Kind::SpecialRegister => match (ty.size_bytes(), expected.count) {
            (_, 4) => vec!["%tid".into()],
            (Some(2), _) => vec!["%tid.x".into(), "%nctaid.z".into()],
            (Some(8), _) => vec!["%clock64".into(), "%globaltimer".into()],
            (None, _) => vec!["%is_explicit_cluster".into()],
            _ => vec!["%tid.x".into(), "%laneid".into(), "%nctaid.z".into()],
        },
        Kind::AddressRegister => vec!["b64_2".into(), "u32_2".into()],
        Kind::Pack => {
            let bytes = ty.size_bytes().unwrap_or(4);
            let packs = [2usize, 4].iter().filter(|&&n| bytes as usize / n >= 1);
            let one = |&n: &usize| {
                let items: Vec<String> = (0..n).map(|at| register(bits(bytes / n as u32), at)).collect();
                format!("{{{}}}", items.join(", "))
            };
            packs.map(one).collect()
        }
        Kind::Part(selector) => {
            let parts: &[&str] = match selector {
                Selector::One => &["h0", "h1", "b0", "b3"],
                Selector::Mask2 => &["h0", "h1", "h10"],
                Selector::Mask4 => &["b0", "b31", "b210", "b3210"],
                Selector::Lanes2 => &["h10", "h33", "h02"],
                Selector::Lanes4 => &["b3210", "b7777", "b0426"],
            };
            let with = parts.iter().map(|part| format!("u32_2.{part}"));
            std::iter::once("u32_2".to_string()).chain(with).collect()
        }
        Kind::Any => vec!["b32_2".into()],
    }
}

fn objects(place: Place, register: bool) -> &'static [&'static str] {
    match place {
        Place::Memory => &["b64_8"],
        Place::TensorMemory if register => &["b32_8"],
        Place::TensorMemory => &["b32_8", "u32_8"],
        Place::Texture => &["texture_", "b64_8"],
        // A `.samplerref` needs a module of its own mode.
        Place::Sampler => &["b64_9"],
        Place::Surface => &["surface_", "b64_8"],
        Place::TensorMap => &["b64_8", "map_", "global_"],
    }
}

fn paired(pair: Pair, texts: Vec<String>) -> Vec<String> {
    let with = |text: &String| format!("{text}|pred_1");
    match pair {
        Pair::Never => texts,
        Pair::Must => texts.iter().map(with).collect(),
        Pair::May => {
            let more: Vec<String> = texts.iter().map(with).collect();
            texts.into_iter().chain(more).collect()
        }
    }
}

/// Texts that do not fit.
fn misfits(expected: &Expected, inner: &[Expected]) -> Vec<String> {
    let size = expected.ty.and_then(ScalarType::size_bytes);
    let other = |ty: ScalarType| expected.ty != Some(ty) && natural(expected.ty.unwrap_or(ty)) != ty;
    let mut wrong: Vec<String> = match expected.kind {
        Kind::Value if expected.braces == Braces::Must => {
            let ty = expected.ty.unwrap_or(ScalarType::B32);
            let count = usize::from(expected.count);
            let vector = |ty, count: usize| {
                let items: Vec<String> = (0..count).map(|at| register(ty, at)).collect();
                format!("{{{}}}", items.join(", "))
            };
            let double = if size == Some(8) { ScalarType::B32 } else { ScalarType::B64 };
            let mut found = vec![vector(ty, count * 2), vector(double, count), register(ty, 1)];
            if count > 1 {
                found.push(vector(ty, count / 2));
            }
            if size == Some(4) {
                found.push(vector(ScalarType::F32, count));
                found.push(vector(ScalarType::U32, count));
            }
            if expected.register {
                let mut items: Vec<String> = (0..count).map(|at| register(ty, at)).collect();
                items[0] = "1".into();
                found.push(format!("{{{}}}", items.join(", ")));
            }
            found
        }
        Kind::Value => {
            let mut found = vec!["global_".into(), "%laneid".into(), "{b32_1, b32_2, b32_3, b32_4}".into()];
            for ty in [ScalarType::Pred, ScalarType::B16, ScalarType::U32, ScalarType::F32, ScalarType::F64] {
                if other(ty) {
                    found.push(register(ty, 3));
                }
            }
            if other(ScalarType::B64) {
                found.push(register(ScalarType::U64, 3));
            }
            for ty in [ScalarType::F16, ScalarType::F16x2] {
                if other(ty) && ty.size_bytes() == size && expected.ty.is_some_and(ScalarType::is_float) {
                    found.push(register(ty, 3));
                }
            }
            if expected.result || expected.register {
                found.push("1".into());
            }
            if expected.result && !expected.sink {
                found.push("_".into());
            }
            found
        }
        Kind::Immediate => vec![register(ScalarType::B32, 3), "1.5".into()],
        Kind::Address(Place::Memory) => {
            let others = ["global_", "shared_", "local_", "const_"];
            let other = others.iter().filter(|&&name| expected.space.is_some() && name != variable(expected.space));
            let mut found: Vec<String> = other.map(|name| format!("[{name}]")).collect();
            found.extend(["b64_8".into(), "[f64_1]".into(), "[b16_1]".into(), "[b64_8, b64_9]".into()]);
            if !expected.unified {
                found.push("[b64_8].unified".into());
            }
            found
        }
        Kind::Address(place) | Kind::Object(place) => {
            let mut found = vec!["[f64_1]".into(), "b64_8".into(), "[shared_]".into()];
            if place != Place::Texture {
                found.push("[texture_]".into());
            }
            if place == Place::TensorMemory {
                found.push("[b64_8]".into());
            }
            found
        }
        Kind::Bracket { from, count } => {
            let inner_of = &inner[usize::from(from)..usize::from(from) + usize::from(count)];
            let right: Vec<String> = inner_of.iter().filter(|e| !e.optional).map(|e| first(e, inner)).collect();
            let mut found = Vec::new();
            for (at, expected) in inner_of.iter().filter(|e| !e.optional).enumerate() {
                for wrong in misfits(expected, inner).into_iter().filter(|text| !text.starts_with('[')) {
                    let mut items = right.clone();
                    items[at] = wrong;
                    found.push(format!("[{}]", items.join(", ")));
                }
            }
            found.push(format!("[{}]", right[0]));
            found
        }
        Kind::Tuple { from, count } => {
            let inner_of = &inner[usize::from(from)..usize::from(from) + usize::from(count)];
            let right: Vec<String> = inner_of.iter().map(|e| first(e, inner)).collect();
            let mut found = vec![format!("{{{}}}", right[..right.len() - 1].join(", "))];
            for at in 0..right.len() {
                let mut items = right.clone();
                items[at] = "f64_1".into();
                found.push(format!("{{{}}}", items.join(", ")));
            }
            found
        }
        Kind::Sink => vec!["b64_1".into()],
        Kind::Label | Kind::Targets => vec!["b32_1".into(), "global_".into(), "1".into()],
        Kind::Symbol => vec!["%tid.x".into(), "label_".into()],
        Kind::SpecialRegister => vec!["label_".into()],
        Kind::AddressRegister => vec!["f32_1".into(), "1".into(), "pred_1".into()],
        Kind::Pack => vec!["{b16_1, b16_2, b16_3}".into(), "{b8_1}".into(), "{b128_1, b128_2}".into()],
        Kind::Part(_) => vec!["u32_2.h4".into(), "u32_2.b01".into(), "f32_1".into(), "u64_1".into(), "u32_2.x".into()],
        Kind::Any => Vec::new(),
    };
    if let Some(values) = expected.values {
        let (low, high) = match values {
            Values::List(list) => (list.iter().min().copied(), list.iter().max().copied()),
            Values::Range { low, high, .. } => (Some(*low), Some(*high)),
        };
        for value in low.into_iter().map(|n| n - 1).chain(high.map(|n| n + 1)) {
            wrong.push(value.to_string());
        }
    }
    if expected.pair == Pair::Must {
        wrong.push(register(expected.ty.unwrap_or(ScalarType::B32), 1));
    }
    wrong
}

// ---- random modules ----

/// A sequence of numbers that look random and depend on the seed alone (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit.max(1) as u64) as usize
    }
}

/// Bytes that look random, the same for the same seed.
pub fn random_bytes(seed: u64, count: usize) -> impl Iterator<Item = u8> {
    let mut dice = Dice(seed ^ 0x5eed);
    std::iter::repeat_with(move || dice.below(256) as u8).take(count)
}

/// A module of so many instructions of any forms, the same for the same seed. Nothing is wrong with it.
pub fn module(seed: u64, count: usize) -> String {
    let all: Vec<_> = forms().collect();
    let mut dice = Dice(seed);
    let mut body = String::new();
    let mut depth = 0;
    for _ in 0..count {
        let (opcode, form) = all[dice.below(all.len())];
        let sampler = Sampler { opcode, form };
        let mut choice = Choice::new();
        for item in &form.items {
            let word = item.words[dice.below(item.words.len())].name;
            let there = match choice.last() {
                Some(before) if item.joined => before.is_some(),
                _ => !item.optional || dice.below(2) == 0,
            };
            choice.push(there.then_some(word));
        }
        match dice.below(24) {
            0 if depth < 8 => {
                body.push_str("{ .reg .pred pred_<9>;\n");
                depth += 1;
            }
            1 if depth > 0 => {
                body.push_str("}\n");
                depth -= 1;
            }
            2 => body.push_str("@pred_4 "),
            3 => body.push_str("@!pred_5 "),
            _ => {}
        }
        let variant: Vec<usize> = form.operands.iter().map(|_| dice.below(12)).collect();
        let spare = if dice.below(2) == 0 { Spare::With } else { Spare::Without };
        let (_, operands, inner) = sampler.resolve(&choice);
        let pick = |at: usize| variant[at] % operands.get(at).map_or(1, |expected| variants(expected, &inner).len());
        let _ = writeln!(body, "{}", sampler.write(&choice, pick, spare));
    }
    body.push_str(&"}\n".repeat(depth));
    FRAME.replace("//BODY", &body)
}

/// A random module is read without complaint and prints to an equal tree; damaged, it does not panic.
///
/// The first eight bytes choose the module, each three behind them a piece of it that is cut out or doubled.
pub fn fuzz(bytes: &[u8]) {
    let Some((seed, edits)) = bytes.split_first_chunk() else { return };
    let source = module(u64::from_le_bytes(*seed), 60);
    let (tree, diags) = crate::ptx::parse(&source);
    let fatal = diags.iter().find(|diag| diag.is_fatal());
    if let Some(diag) = fatal {
        panic!("{}", crate::diag::render_human(diag, "generated.ptx", &source, false));
    }
    let printed = crate::ptx::print(&tree);
    let (again, _) = crate::ptx::parse(&printed);
    assert!(crate::ptx::same_tree(&tree, &again), "the printed module reads as another tree\n{printed}");
    let mut damaged = source.into_bytes();
    for edit in edits.chunks_exact(3) {
        let at = usize::from(u16::from_be_bytes([edit[0], edit[1]])) * damaged.len() / (1 << 16);
        let end = (at + usize::from(edit[2] & 63)).min(damaged.len());
        let piece: Vec<u8> = if edit[2] & 64 != 0 { damaged[at..end].repeat(2) } else { Vec::new() };
        damaged.splice(at..end, piece);
    }
    let (tree, _) = crate::ptx::parse(&String::from_utf8_lossy(&damaged));
    crate::ptx::print(&tree);
}
