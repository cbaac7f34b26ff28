//! The forms of instructions: reads `grammar/*.forms` once, and finds the forms that an opcode with its modifiers has.
//!
//! The notation is described in `grammar/README.md`. Words of the files are interned behind those of `word`, so a form
//! word has the same id in every module.

use super::decl;
use super::names::{Name, Names};
use super::tree::{ScalarType, Space};
use super::word;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// The files, with their names for messages.
const FILES: &[(&str, &str)] = &[
    ("integer.forms", include_str!("../../grammar/integer.forms")),
    ("float.forms", include_str!("../../grammar/float.forms")),
    ("compare.forms", include_str!("../../grammar/compare.forms")),
    ("logic.forms", include_str!("../../grammar/logic.forms")),
    ("data_movement.forms", include_str!("../../grammar/data_movement.forms")),
    ("control.forms", include_str!("../../grammar/control.forms")),
    ("parallel.forms", include_str!("../../grammar/parallel.forms")),
    ("video.forms", include_str!("../../grammar/video.forms")),
    ("outside.forms", include_str!("../../grammar/outside.forms")),
];

/// The forms with the names that they are written in.
pub struct Grammar {
    pub names: Names,
    /// By opcode.
    forms: Vec<Vec<Form>>,
    /// What could not be read, as `file:line: why`; the tests want it empty.
    pub faults: Vec<String>,
}

pub static GRAMMAR: LazyLock<Grammar> = LazyLock::new(read_files);

/// One line of a file.
#[derive(Debug)]
pub struct Form {
    /// As written, without its definitions.
    pub line: &'static str,
    items: Vec<Item>,
    /// The number of leading operands that are described.
    operands: Vec<Spec>,
    /// Any operands may follow the described ones.
    pub open: bool,
}

#[derive(Debug)]
struct Item {
    optional: bool,
    /// The words that may stand here; none for `.*`.
    words: Vec<Name>,
    /// The name of the set, or the word itself.
    label: &'static str,
}

#[derive(Debug)]
struct Spec {
    result: bool,
    kind: Kind,
    ty: TypeOf,
    wider: bool,
    count: CountOf,
    pair: Pair,
    sink: bool,
    optional: bool,
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
    Fixed(u8),
    /// What the word of this item says; one without it.
    Item(usize),
}

/// What an operand may be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A register; as a source, a constant too.
    Value,
    Immediate,
    /// `[a]`.
    Address,
    Label,
    /// The label of a `.branchtargets` list.
    Targets,
    /// A variable or function, perhaps with an offset.
    Symbol,
    SpecialRegister,
    /// A 32- or 64-bit integer register.
    AddressRegister,
    /// A vector whose elements together have the size of the type.
    Pack,
    /// A register with or without a byte or half selector.
    Part,
    Any,
}

/// `d|p`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pair {
    Never,
    May,
    Must,
}

/// What one operand of an instruction must be, its modifiers known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    pub result: bool,
    pub kind: Kind,
    /// None where any type will do.
    pub ty: Option<ScalarType>,
    /// A wider register will do.
    pub wider: bool,
    /// Elements of a vector; 1 is a scalar.
    pub count: u8,
    /// The scalar may stand in braces.
    pub braces: bool,
    pub pair: Pair,
    /// The result may be `_`.
    pub sink: bool,
    pub optional: bool,
}

/// A form that fits an opcode with its modifiers.
#[derive(Debug)]
pub struct Match {
    pub form: &'static Form,
    pub operands: Vec<Expected>,
    /// The modifiers stand in the order of the form.
    pub in_order: bool,
}

/// All forms of an opcode that fit the modifiers.
pub fn matches(opcode: Name, modifiers: &[Name]) -> Vec<Match> {
    forms_of(opcode).iter().filter_map(|form| form.fit(modifiers)).collect()
}

/// All forms of an opcode.
pub fn forms_of(opcode: Name) -> &'static [Form] {
    GRAMMAR.forms.get(opcode.index()).map_or(&[], |f| f)
}

/// Every opcode that has a form.
pub fn opcodes() -> impl Iterator<Item = &'static str> {
    let with_forms = GRAMMAR.forms.iter().enumerate().filter(|(_, forms)| !forms.is_empty());
    with_forms.map(|(index, _)| GRAMMAR.names.get(Name(index as u32)))
}

/// The one state space among the modifiers.
pub fn space_of(modifiers: &[Name]) -> Option<Space> {
    let mut spaces =
        modifiers.iter().filter_map(|&m| if m == word::SHARED_CLUSTER { Some(Space::Shared) } else { decl::space(m) });
    match (spaces.next(), spaces.next()) {
        (Some(space), None) => Some(space),
        _ => None,
    }
}

impl Form {
    /// Whether the form has this modifier anywhere.
    pub fn mentions(&self, modifier: Name) -> bool {
        self.items.iter().any(|item| item.words.is_empty() || item.words.contains(&modifier))
    }

    /// Whether the opcode alone is an instruction: `ret`.
    pub fn is_bare(&self) -> bool {
        self.operands.is_empty() && self.items.iter().all(|item| item.optional)
    }

    /// As the manual writes it: without the types of operands.
    pub fn plain(&self) -> String {
        let (head, operands) = self.line.split_once(char::is_whitespace).unwrap_or((self.line, ""));
        let mut text = head.to_string();
        let mut in_type = false;
        for (n, c) in operands.trim().char_indices() {
            if n == 0 {
                text.push(' ');
            }
            match c {
                ':' => in_type = true,
                ',' | '{' | '|' | '}' => in_type = false,
                _ => {}
            }
            // The first operand may be `d_`.
            if !in_type && (c != '_' || n != 1) {
                text.push(c);
            }
        }
        text
    }

    /// The sets of the form: `.half = .lo .hi`.
    pub fn sets(&self) -> impl Iterator<Item = String> {
        self.items.iter().filter(|item| item.words.len() > 1).map(|item| {
            let words: Vec<String> = item.words.iter().map(|&w| format!(".{}", GRAMMAR.names.get(w))).collect();
            format!(".{} = {}", item.label, words.join(" "))
        })
    }

    /// All words that can stand in the form.
    pub fn words(&self) -> impl Iterator<Item = Name> {
        self.items.iter().flat_map(|item| item.words.iter().copied())
    }

    /// Gives each modifier to the first item that can take it; every item takes the first that is left.
    fn fit(&'static self, modifiers: &[Name]) -> Option<Match> {
        let mut taken: SmallVec<[bool; 12]> = SmallVec::from_elem(false, modifiers.len());
        let mut chosen: SmallVec<[Option<Name>; 12]> = SmallVec::from_elem(None, self.items.len());
        let mut in_order = true;
        let mut last = 0;
        let mut last_type = 0;
        for (item, choice) in self.items.iter().zip(&mut chosen) {
            if item.words.is_empty() {
                taken.fill(true);
                break;
            }
            let found = (0..modifiers.len()).find(|&n| !taken[n] && item.words.contains(&modifiers[n]));
            match found {
                Some(n) => {
                    taken[n] = true;
                    *choice = Some(modifiers[n]);
                    in_order &= n >= last;
                    last = n;
                    // Types say what they are of by their order alone.
                    if word::scalar_type(modifiers[n]).is_some() {
                        if n < last_type {
                            return None;
                        }
                        last_type = n;
                    }
                }
                None if item.optional => {}
                None => return None,
            }
        }
        if taken.contains(&false) {
            return None;
        }
        let operands = self.operands.iter().map(|spec| spec.resolve(&chosen)).collect();
        Some(Match { form: self, operands, in_order })
    }
}

impl Spec {
    fn resolve(&self, chosen: &[Option<Name>]) -> Expected {
        let word = |item: usize| chosen.get(item).copied().flatten();
        let ty = match self.ty {
            TypeOf::Any => None,
            TypeOf::Fixed(ty) => Some(ty),
            TypeOf::Item(item) => word(item).and_then(word::scalar_type),
            TypeOf::Wide(item) => word(item).and_then(word::scalar_type).and_then(twice),
        };
        let (count, braces) = match self.count {
            CountOf::Fixed(count) => (count, false),
            CountOf::Item(item) => match word(item) {
                Some(word::V2) => (2, false),
                Some(word::V4) => (4, false),
                Some(word::V8) => (8, false),
                _ => (1, true),
            },
        };
        let Spec { result, kind, wider, pair, sink, optional, .. } = *self;
        Expected { result, kind, ty, wider, count, braces, pair, sink, optional }
    }
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

// ---- reading the files ----

fn read_files() -> Grammar {
    let mut names = Names::empty();
    for text in word::TEXTS {
        names.intern(text);
    }
    let mut grammar = Grammar { names, forms: Vec::new(), faults: Vec::new() };
    for (file, text) in FILES {
        let mut sets: Vec<Set> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split_once('#').map_or(line, |(line, _)| line).trim();
            if line.is_empty() {
                continue;
            }
            if let Err(why) = read_line(line, &mut sets, &mut grammar) {
                grammar.faults.push(format!("{file}:{}: {why}", number + 1));
            }
        }
    }
    grammar
}

/// `.name = { .a, .b }`.
struct Set {
    name: &'static str,
    words: Vec<Name>,
}

fn read_line(line: &'static str, sets: &mut Vec<Set>, grammar: &mut Grammar) -> Result<(), String> {
    if line.starts_with('.') {
        let mut found = read_sets(line, &mut grammar.names)?;
        for set in &found {
            sets.retain(|s| s.name != set.name);
        }
        sets.append(&mut found);
        return Ok(());
    }
    let (text, definitions) = line.split_once(';').ok_or("no `;`")?;
    let local = read_sets(definitions.trim(), &mut grammar.names)?;
    let head_end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (head, operands) = (&text[..head_end], text[head_end..].trim());
    let opcode_end = head.find(['.', '{']).unwrap_or(head.len());
    let opcode = grammar.names.intern(&head[..opcode_end]);
    let items = read_items(&head[opcode_end..], &local, sets, &mut grammar.names)?;
    let (operands, open) = read_operands(operands, &items)?;
    if grammar.forms.len() <= opcode.index() {
        grammar.forms.resize_with(opcode.index() + 1, Vec::new);
    }
    grammar.forms[opcode.index()].push(Form { line: text.trim(), items, operands, open });
    Ok(())
}

fn read_sets(mut text: &'static str, names: &mut Names) -> Result<Vec<Set>, String> {
    let mut sets = Vec::new();
    while !text.is_empty() {
        let (name, rest) = text.split_once('=').ok_or("a definition without `=`")?;
        let name = name.trim().strip_prefix('.').ok_or("a set begins with a dot")?;
        let (words, rest) = rest.trim().strip_prefix('{').and_then(|r| r.split_once('}')).ok_or("a set has braces")?;
        let words: Option<Vec<Name>> =
            words.split(',').map(|w| Some(names.intern(w.trim().strip_prefix('.')?))).collect();
        sets.push(Set { name, words: words.ok_or("a word begins with a dot")? });
        text = rest.trim();
    }
    Ok(sets)
}

fn read_items(mut text: &'static str, local: &[Set], sets: &[Set], names: &mut Names) -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    while !text.is_empty() {
        let (optional, inner, rest) = match text.strip_prefix('{') {
            Some(inner) => {
                let (inner, rest) = inner.split_once('}').ok_or("a brace is open")?;
                (true, inner, rest)
            }
            None => {
                let end = text[1..].find(['.', '{']).map_or(text.len(), |n| n + 1);
                (false, &text[..end], &text[end..])
            }
        };
        let label = inner.strip_prefix('.').ok_or("a modifier begins with a dot")?;
        let set = local.iter().chain(sets).find(|set| set.name == label);
        let words = match set {
            _ if label == "*" => Vec::new(),
            Some(set) => set.words.clone(),
            None => vec![names.intern(label)],
        };
        items.push(Item { optional, words, label });
        text = rest;
    }
    Ok(items)
}

/// Whether every word of the item is a type.
fn is_type(item: &Item) -> bool {
    let named = |&word: &Name| word::scalar_type(word).is_some();
    !item.words.is_empty() && item.words.iter().all(named)
}

fn read_operands(mut text: &'static str, items: &[Item]) -> Result<(Vec<Spec>, bool), String> {
    let default = items.iter().rposition(is_type).map_or(TypeOf::Any, TypeOf::Item);
    let mut specs = Vec::new();
    while !text.is_empty() {
        if text == "..." {
            return Ok((specs, true));
        }
        let optional = text.starts_with("{,");
        let (one, rest) = match text.strip_prefix("{,") {
            Some(inner) => inner.split_once('}').ok_or("a brace is open")?,
            None => {
                // `{|q}` belongs to the operand, `{, c}` is the next one.
                let end = text.find(',').unwrap_or(text.len());
                let end = text[..end].rfind("{").filter(|&n| n + 1 == end).unwrap_or(end);
                (&text[..end], &text[end..])
            }
        };
        specs.push(read_operand(one.trim(), optional, specs.is_empty(), default, items)?);
        text = rest.trim();
        text = text.strip_prefix(',').unwrap_or(text).trim();
    }
    Ok((specs, false))
}

fn read_operand(text: &str, optional: bool, first: bool, default: TypeOf, items: &[Item]) -> Result<Spec, String> {
    let mut spec = Spec {
        result: false,
        kind: Kind::Value,
        ty: default,
        wider: false,
        count: CountOf::Fixed(1),
        pair: Pair::Never,
        sink: false,
        optional,
    };
    if text.starts_with('[') {
        spec.kind = Kind::Address;
        spec.ty = TypeOf::Any;
        return Ok(spec);
    }
    let (text, pair) = match (text.split_once("{|"), text.split_once('|')) {
        (Some((text, _)), _) => (text, Pair::May),
        (None, Some((text, _))) => (text, Pair::Must),
        (None, None) => (text, Pair::Never),
    };
    spec.pair = pair;
    let (name, ty) = text.split_once(':').unwrap_or((text, ""));
    spec.sink = name.ends_with('_') || pair != Pair::Never;
    spec.result = name.starts_with('d') || first && name.starts_with(['p', 'q']);
    let (ty, count) = ty.split_once('*').unwrap_or((ty, ""));
    spec.wider = ty.starts_with('>');
    let ty = ty.trim_start_matches('>');
    let item = |label: &str| items.iter().position(|i| i.label == label);
    if !count.is_empty() {
        spec.count = match (count.parse(), item(count)) {
            (Ok(count), _) => CountOf::Fixed(count),
            (_, Some(item)) => CountOf::Item(item),
            _ => return Err(format!("no set `{count}`")),
        };
    }
    let fixed = word::TEXTS.iter().position(|t| *t == ty).and_then(|n| word::scalar_type(Name(n as u32)));
    let special = match ty {
        "imm" => Some(Kind::Immediate),
        "label" => Some(Kind::Label),
        "targets" => Some(Kind::Targets),
        "symbol" => Some(Kind::Symbol),
        "sreg" => Some(Kind::SpecialRegister),
        "adr" => Some(Kind::AddressRegister),
        "pack" => Some(Kind::Pack),
        "part" => Some(Kind::Part),
        "any" => Some(Kind::Any),
        _ => None,
    };
    match (special, fixed, item(ty), default) {
        (Some(kind), ..) => spec.kind = kind,
        (None, _, _, TypeOf::Item(item)) if ty == "wide" => spec.ty = TypeOf::Wide(item),
        (None, _, Some(item), _) => spec.ty = TypeOf::Item(item),
        (None, Some(ty), None, _) => spec.ty = TypeOf::Fixed(ty),
        _ if ty.is_empty() => {}
        _ => return Err(format!("no type `{ty}`")),
    }
    Ok(spec)
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
        assert_eq!(GRAMMAR.faults, Vec::<String>::new());
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
            [ScalarType::Pred, ScalarType::Pred, ScalarType::B32]
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
