//! The forms of instructions: what `grammar/*.forms` says, and the forms that an opcode with its modifiers has.
//!
//! The notation is described in `grammar/README.md` and read by [`read`]. Words of the files are interned behind those of
//! `word`, so a form word has the same id in every module.

mod expected;
mod needs;
mod read;
pub mod sample;
mod words;

pub use expected::{Braces, Expected, Kind, Lax, Pair, Place, Selector, Values, bits_of};
pub use needs::{Arch, HANDLE, Needs, Suffix, Version};

use super::decl;
use super::names::{Name, Names};
use super::tree::{ScalarType, Space};
use super::word;
use smallvec::SmallVec;
use std::sync::{Arc, LazyLock, OnceLock};

/// The forms with the names that they are written in. Lines are read when their opcode is first asked for.
pub struct Grammar {
    pub names: Names,
    /// By opcode.
    opcodes: Vec<Opcode>,
    /// The sets of each file, by file.
    sets: Vec<OnceLock<Vec<read::Set>>>,
    /// What each word needs wherever it stands, by its id.
    words: OnceLock<Vec<Option<Arc<Needs>>>>,
    /// What special registers need.
    registers: OnceLock<Vec<(Name, Needs)>>,
    /// What directives and declarations need.
    features: OnceLock<Vec<(&'static str, Needs)>>,
}

/// The lines of an opcode, and what they say.
#[derive(Default)]
struct Opcode {
    lines: Vec<read::Line>,
    forms: OnceLock<Vec<Form>>,
}

pub static GRAMMAR: LazyLock<Grammar> = LazyLock::new(read::index);

/// One line of a file.
#[derive(Debug)]
pub struct Form {
    /// As written, without its needs and definitions.
    pub line: &'static str,
    items: Vec<Item>,
    /// How many of them belong to the name of the instruction: `async` and `bulk` of `cp.async.bulk`.
    name: usize,
    operands: Vec<Spec>,
    /// Any operands may follow the described ones.
    pub open: bool,
    needs: Needs,
}

#[derive(Debug)]
struct Item {
    optional: bool,
    /// The PTX ISA wants it, ptxas does not: it may be missing, with a warning.
    due: bool,
    /// The item before is in the same braces: both have a word or none.
    joined: bool,
    /// The words that may stand here.
    words: Arc<[Word]>,
    /// The name of the set, or the word itself.
    label: &'static str,
}

impl Item {
    fn word(&self, name: Name) -> Option<&Word> {
        self.words.iter().find(|word| word.name == name)
    }
}

#[derive(Clone, Debug)]
struct Word {
    name: Name,
    /// Beyond what the form needs.
    needs: Option<Arc<Needs>>,
}

#[derive(Debug)]
struct Spec {
    /// As the form has it, for descriptions.
    name: &'static str,
    /// The predicate of a pair.
    second: &'static str,
    result: bool,
    kind: Kind,
    ty: TypeOf,
    wider: bool,
    register: bool,
    exact: bool,
    count: CountOf,
    pair: Pair,
    sink: bool,
    presence: Presence,
    space: SpaceOf,
    values: Option<Values>,
    unified: bool,
    four: bool,
    lax: Lax,
    /// Where it is optional or has a predicate.
    needs: Option<Needs>,
    /// What stands in the brackets, when it is more than an address.
    inner: Vec<Spec>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Presence {
    Always,
    Optional,
    /// Exactly when this item has its word.
    With(usize),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum TypeOf {
    Any,
    Fixed(ScalarType),
    /// The word that this item stands for.
    Item(usize),
    /// The same, twice as large.
    Wide(usize),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum CountOf {
    Scalar,
    /// One, perhaps in braces.
    Single,
    Fixed(u8),
    /// From the number in the word of this item, `(n - minus) * times / over`; one without the word.
    Item {
        item: usize,
        minus: u16,
        times: u16,
        over: u16,
    },
}

/// The state space of an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum SpaceOf {
    /// The one among the modifiers.
    Modifiers,
    Fixed(Option<Space>),
    /// The word of this item; generic without it.
    Item(usize),
}

/// A form that fits an opcode with its modifiers.
#[derive(Debug)]
pub struct Match {
    pub form: &'static Form,
    pub operands: Vec<Expected>,
    /// Elements of brackets.
    pub inner: Vec<Expected>,
    /// What the form and its words need.
    pub needs: SmallVec<[&'static Needs; 2]>,
    /// The modifiers stand in the order of the form.
    pub in_order: bool,
}

impl Match {
    /// The elements of a bracket.
    pub fn inner(&self, from: u8, count: u8) -> &[Expected] {
        self.inner.get(usize::from(from)..usize::from(from) + usize::from(count)).unwrap_or(&[])
    }

    /// The same with operands as ptxas takes them beyond the PTX ISA; none where it takes nothing more.
    pub fn loosened(&self) -> Option<Match> {
        let lax = |all: &[Expected]| all.iter().any(|expected| expected.lax != Lax::default() || expected.four);
        let loosen = |all: &[Expected]| all.iter().map(|expected| expected.loosened()).collect();
        (lax(&self.operands) || lax(&self.inner)).then(|| Match {
            operands: loosen(&self.operands),
            inner: loosen(&self.inner),
            needs: self.needs.clone(),
            ..*self
        })
    }
}

/// All forms of an opcode that fit the modifiers.
pub fn matches(opcode: Name, modifiers: &[Name]) -> Vec<Match> {
    forms_of(opcode).iter().filter_map(|form| form.fit(modifiers, true)).collect()
}

/// Words that ptxas tells apart by their order alone: types, layouts, state spaces, operations on bits.
fn order_class(word: Name) -> Option<usize> {
    let text = GRAMMAR.names.get(word);
    match text {
        _ if word::scalar_type(word).is_some() => Some(0),
        "b1" | "u2" | "s2" | "u4" | "s4" | "e2m1" | "e2m3" | "e3m2" | "ue8m0" | "ue4m3" => Some(0),
        "e4m3x4" | "e5m2x4" | "e2m3x4" | "e3m2x4" | "e2m1x4" | "b8x16" | "b6x16_p32" | "b4x16_p64" => Some(0),
        "row" | "col" => Some(1),
        _ if space(word).is_some() => Some(2),
        "and" | "or" | "xor" | "popc" => Some(3),
        _ => None,
    }
}

/// All forms of an opcode.
pub fn forms_of(opcode: Name) -> &'static [Form] {
    match GRAMMAR.opcodes.get(opcode.index()) {
        Some(found) if !found.lines.is_empty() => found.forms.get_or_init(|| GRAMMAR.read(&found.lines)),
        _ => &[],
    }
}

/// Every opcode that has a form.
pub fn opcodes() -> impl Iterator<Item = &'static str> {
    let with_forms = GRAMMAR.opcodes.iter().enumerate().filter(|(_, opcode)| !opcode.lines.is_empty());
    with_forms.map(|(index, _)| GRAMMAR.names.get(Name(index as u32)))
}

/// What a special register or a component of one needs.
pub fn needs_of_register(register: Name) -> Option<&'static Needs> {
    let vector = word::vector(register);
    let registers = GRAMMAR.registers.get_or_init(|| GRAMMAR.read_registers());
    registers.iter().find(|(name, _)| *name == vector).map(|(_, needs)| needs)
}

/// What a directive or a part of a declaration needs, as `grammar/directives.forms` names it.
pub fn needs_of_feature(feature: &str) -> Option<(&'static str, &'static Needs)> {
    let features = GRAMMAR.features.get_or_init(|| GRAMMAR.read_features());
    features.iter().find(|(name, _)| *name == feature).map(|(name, needs)| (*name, needs))
}

/// The state space that a modifier names.
fn space(modifier: Name) -> Option<Space> {
    if modifier == word::SHARED_CLUSTER { Some(Space::Shared) } else { decl::space(modifier) }
}

/// The one state space among the modifiers.
pub fn space_of(modifiers: &[Name]) -> Option<Space> {
    let mut spaces = modifiers.iter().filter_map(|&m| space(m));
    match (spaces.next(), spaces.next()) {
        (Some(space), None) => Some(space),
        _ => None,
    }
}

impl Form {
    /// Whether the form has this modifier anywhere.
    pub fn mentions(&self, modifier: Name) -> bool {
        self.items.iter().any(|item| item.word(modifier).is_some())
    }

    /// Whether a module of this version for this target may not write it so.
    pub fn is_past(&self, version: Version, target: Arch) -> bool {
        self.needs.is_past(version, target)
    }

    /// Whether only earlier versions write it so.
    pub fn has_ended(&self) -> bool {
        self.needs.before.is_some()
    }

    /// Whether the PTX ISA has no such form.
    pub fn is_unlisted(&self) -> bool {
        self.needs.unlisted
    }

    /// Whether it is only for modules with 32-bit addresses.
    pub fn has_short_addresses(&self) -> bool {
        self.needs.short_addresses
    }

    /// Whether the opcode alone is an instruction: `ret`.
    pub fn is_bare(&self) -> bool {
        self.operands.is_empty() && self.items.iter().all(|item| item.optional)
    }

    /// As the manual writes it: without the types of operands.
    pub fn plain(&self) -> String {
        let head = self.line.split_whitespace().next().unwrap_or("");
        // `{~.word}` must stand there.
        let mut text = String::with_capacity(head.len());
        for (n, part) in head.split("{~").enumerate() {
            let (word, rest) = if n == 0 { (part, "") } else { part.split_once('}').unwrap_or((part, "")) };
            text.extend([word, rest].into_iter().flat_map(|text| text.split('!')));
        }
        let mut between = " ";
        for spec in &self.operands {
            let (open, close) = match spec.presence {
                Presence::Always => (between, ""),
                Presence::Optional | Presence::With(_) => (if between == " " { " {" } else { "{, " }, "}"),
            };
            text.push_str(open);
            spec.plain(&mut text);
            text.push_str(close);
            between = ", ";
        }
        if self.open {
            text.push_str(between);
            text.push_str("...");
        }
        text
    }

    /// The sets of the form: `.half = .lo .hi`.
    pub fn sets(&self) -> impl Iterator<Item = String> {
        self.items.iter().filter(|item| item.words.len() > 1).map(|item| {
            let words: Vec<String> = item.words.iter().map(|w| format!(".{}", GRAMMAR.names.get(w.name))).collect();
            format!(".{} = {}", item.label, words.join(" "))
        })
    }

    /// All words that can stand in the form.
    pub fn words(&self) -> impl Iterator<Item = Name> {
        self.items.iter().flat_map(|item| item.words.iter().map(|word| word.name))
    }

    /// Whether these are the modifiers of the form, in whatever order.
    pub fn has_all(&'static self, modifiers: &[Name]) -> bool {
        self.fit(modifiers, false).is_some()
    }

    /// Gives each modifier to the first item that can take it; every item takes the first that is left.
    ///
    /// The name of the instruction comes first, and words that only their order tells apart stand in that of the form; the
    /// others may stand anywhere, by ptxas.
    fn fit(&'static self, modifiers: &[Name], ordered: bool) -> Option<Match> {
        if modifiers.len() > self.items.len() {
            return None;
        }
        let mut taken: SmallVec<[bool; 16]> = SmallVec::from_elem(false, modifiers.len());
        let mut chosen: SmallVec<[Option<Name>; 16]> = SmallVec::from_elem(None, self.items.len());
        let mut needs: SmallVec<[&Needs; 2]> = SmallVec::new();
        let mut in_order = true;
        let mut last = 0;
        let mut last_of = [0; 4];
        let mut named = 0;
        for (index, (item, choice)) in self.items.iter().zip(&mut chosen).enumerate() {
            let found = (0..modifiers.len()).find_map(|n| {
                let word = if taken[n] { None } else { item.word(modifiers[n]) };
                word.map(|word| (n, word))
            });
            match found {
                Some((n, word)) => {
                    taken[n] = true;
                    *choice = Some(modifiers[n]);
                    needs.extend(word.needs.as_deref());
                    in_order &= n >= last;
                    last = n;
                    if ordered && index < self.name {
                        if n != named {
                            return None;
                        }
                        named += 1;
                    }
                    if let Some(class) = order_class(modifiers[n]) {
                        if ordered && n < last_of[class] {
                            return None;
                        }
                        last_of[class] = n;
                    }
                }
                None if item.due => needs.push(&needs::UNLISTED),
                None if item.optional => {}
                None => return None,
            }
        }
        let apart = |pair: &[(&Item, &Option<Name>)]| pair[1].0.joined && pair[0].1.is_some() != pair[1].1.is_some();
        let pairs: SmallVec<[_; 16]> = self.items.iter().zip(&chosen).collect();
        if taken.contains(&false) || pairs.windows(2).any(apart) {
            return None;
        }
        if !self.needs.is_empty() {
            needs.push(&self.needs);
        }
        let space = space_of(modifiers);
        let memory = |spec: &Spec| spec.kind == Kind::Address(Place::Memory) && spec.space == SpaceOf::Modifiers;
        if space.is_none() && self.operands.iter().any(memory) {
            needs.push(&needs::GENERIC);
        }
        let chosen = Chosen { words: &chosen, space };
        let mut inner = Vec::new();
        let mut operands = Vec::with_capacity(self.operands.len());
        for spec in self.operands.iter().filter(|spec| chosen.has(spec.presence)) {
            operands.push(spec.resolve_all(&chosen, &mut inner));
        }
        Some(Match { form: self, operands, inner, needs, in_order })
    }
}

/// What the items of a form stand for in an instruction.
struct Chosen<'c> {
    words: &'c [Option<Name>],
    /// The one state space among the modifiers.
    space: Option<Space>,
}

impl Chosen<'_> {
    fn word(&self, item: usize) -> Option<Name> {
        self.words.get(item).copied().flatten()
    }

    fn has(&self, presence: Presence) -> bool {
        match presence {
            Presence::Always | Presence::Optional => true,
            Presence::With(item) => self.word(item).is_some(),
        }
    }
}

impl Spec {
    /// With what stands in it.
    fn resolve_all(&'static self, chosen: &Chosen<'_>, all: &mut Vec<Expected>) -> Expected {
        let mut expected = self.resolve(chosen);
        let inner: SmallVec<[Expected; 4]> = self.inner.iter().map(|spec| spec.resolve_all(chosen, all)).collect();
        let (first, len) = (all.len() as u8, inner.len() as u8);
        match &mut expected.kind {
            Kind::Bracket { from, count } | Kind::Tuple { from, count } => (*from, *count) = (first, len),
            _ => {}
        }
        all.extend(inner);
        expected
    }

    fn resolve(&'static self, chosen: &Chosen<'_>) -> Expected {
        let ty = match self.ty {
            TypeOf::Any => None,
            TypeOf::Fixed(ty) => Some(ty),
            TypeOf::Item(item) => chosen.word(item).and_then(word::scalar_type),
            TypeOf::Wide(item) => chosen.word(item).and_then(word::scalar_type).and_then(twice),
        };
        let (count, braces) = match self.count {
            CountOf::Scalar => (1, Braces::Never),
            CountOf::Single => (1, Braces::May),
            CountOf::Fixed(count) => (count, Braces::Must),
            CountOf::Item { item, minus, times, over } => match chosen.word(item).map(number) {
                Some(n) => ((n.saturating_sub(minus) * times / over) as u8, Braces::Must),
                None => (1, Braces::May),
            },
        };
        let space = match self.space {
            SpaceOf::Modifiers => chosen.space,
            SpaceOf::Fixed(space) => space,
            SpaceOf::Item(item) => chosen.word(item).and_then(space),
        };
        let Spec { result, kind, wider, register, exact, pair, sink, unified, four, lax, .. } = *self;
        // A register that names a state space has no such mark.
        let lax = Lax { unified: lax.unified && matches!(chosen.space, None | Some(Space::Global)), ..lax };
        let (optional, values) = (self.presence == Presence::Optional, self.values.as_ref());
        Expected {
            result,
            kind,
            ty,
            wider,
            register,
            exact,
            count,
            braces,
            pair,
            sink,
            optional,
            space,
            values,
            unified,
            four,
            longer: false,
            bare: false,
            any_sort: false,
            needs: self.needs.as_ref(),
            lax,
        }
    }

    /// The operand without its type.
    fn plain(&self, text: &mut String) {
        match self.kind {
            Kind::Address(_) | Kind::Bracket { .. } => {
                text.push('[');
                if self.inner.is_empty() {
                    text.push_str(self.name);
                }
                for (n, spec) in self.inner.iter().enumerate() {
                    let optional = spec.presence == Presence::Optional;
                    text.push_str(if optional {
                        "{, "
                    } else if n > 0 {
                        ", "
                    } else {
                        ""
                    });
                    spec.plain(text);
                    text.push_str(if optional { "}" } else { "" });
                }
                text.push_str(if self.unified { "]{.unified}" } else { "]" });
            }
            Kind::Tuple { .. } => {
                let names: Vec<&str> = self.inner.iter().map(|spec| spec.name).collect();
                text.push_str(&format!("{{{}}}", names.join(", ")));
            }
            _ => text.push_str(self.name),
        }
        match self.pair {
            Pair::Never => {}
            Pair::May => text.push_str(&format!("{{|{}}}", self.second)),
            Pair::Must => text.push_str(&format!("|{}", self.second)),
        }
    }
}

/// The number in a word: 4 of `v4`, 16 of `x16`, 2 of `2d`, the columns of `m64n128k16`.
fn number(word: Name) -> u16 {
    let text = GRAMMAR.names.get(word);
    let columns = text.strip_prefix('m').and_then(|text| text.split_once('n')).map(|(_, rest)| rest);
    let digits = columns.unwrap_or(text).trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().unwrap_or(1)
}

/// The type of twice the size.
fn twice(ty: ScalarType) -> Option<ScalarType> {
    Some(match ty {
        ScalarType::U16 => ScalarType::U32,
        ScalarType::S16 => ScalarType::S32,
        ScalarType::U32 => ScalarType::U64,
        ScalarType::S32 => ScalarType::S64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(text: &str) -> Vec<Match> {
        let names = &GRAMMAR.names;
        let mut words = text.split('.').map(|w| names.lookup(w).expect("a word of the grammar"));
        let opcode = words.next().expect("an opcode");
        matches(opcode, &words.collect::<Vec<_>>())
    }

    #[test]
    fn every_line_of_the_grammar_is_read() {
        assert_eq!(read::faults(), Vec::<String>::new());
    }

    #[test]
    fn modifiers_may_be_missing_and_out_of_order() {
        assert_eq!(fit("prmt.b32").len(), 1);
        assert!(fit("prmt.b32.f4e")[0].in_order);
        assert!(!fit("prmt.f4e.b32")[0].in_order);
        assert_eq!(fit("prmt.b64").len(), 0);
        assert_eq!(fit("prmt.b32.f4e.f4e").len(), 0);
    }

    #[test]
    fn types_come_from_the_words() {
        let wide = &fit("mad.wide.s16")[0].operands;
        let types: Vec<_> = wide.iter().map(|o| o.ty.expect("a typed operand")).collect();
        assert_eq!(types, [ScalarType::S32, ScalarType::S16, ScalarType::S16, ScalarType::S32]);
        let load = &fit("ld.global.nc.v4.f32")[0].operands;
        assert_eq!((load[0].count, load[0].wider, load[0].result), (4, true, true));
        let vote = &fit("vote.sync.any.pred")[0].operands;
        assert_eq!(
            vote.iter().map(|o| o.ty.expect("a typed operand")).collect::<Vec<_>>(),
            [ScalarType::Pred, ScalarType::Pred, ScalarType::U32]
        );
    }

    #[test]
    fn optional_operands_and_pairs() {
        let bar = &fit("barrier.sync.aligned")[0].operands;
        assert_eq!(bar.iter().map(|o| o.optional).collect::<Vec<_>>(), [false, true]);
        assert_eq!(fit("setp.lt.s32")[0].operands[0].pair, Pair::May);
        assert_eq!(fit("lop3.or.b32")[0].operands[0].pair, Pair::Must);
    }
}
