//! Reads `grammar/*.forms`. The notation is described in `grammar/README.md`.

use super::*;

/// The files, with their names for messages. Needs of words in the first hold for all.
const FILES: &[(&str, &str)] = &[
    ("words.forms", include_str!("../../../grammar/words.forms")),
    ("registers.forms", include_str!("../../../grammar/registers.forms")),
    ("directives.forms", include_str!("../../../grammar/directives.forms")),
    ("integer.forms", include_str!("../../../grammar/integer.forms")),
    ("float.forms", include_str!("../../../grammar/float.forms")),
    ("compare.forms", include_str!("../../../grammar/compare.forms")),
    ("logic.forms", include_str!("../../../grammar/logic.forms")),
    ("data_movement.forms", include_str!("../../../grammar/data_movement.forms")),
    ("async.forms", include_str!("../../../grammar/async.forms")),
    ("texture.forms", include_str!("../../../grammar/texture.forms")),
    ("control.forms", include_str!("../../../grammar/control.forms")),
    ("parallel.forms", include_str!("../../../grammar/parallel.forms")),
    ("matrix.forms", include_str!("../../../grammar/matrix.forms")),
    ("wgmma.forms", include_str!("../../../grammar/wgmma.forms")),
    ("tcgen05.forms", include_str!("../../../grammar/tcgen05.forms")),
    ("video.forms", include_str!("../../../grammar/video.forms")),
];

/// A line that is a form.
pub struct Line {
    file: u8,
    number: u32,
    text: &'static str,
}

/// `.name = { .a, .b 8.0 sm_90 }`, and the line where it stands: it holds below.
pub struct Set {
    name: &'static str,
    words: Arc<[Word]>,
    line: u32,
}

/// The lines of a file that say something, with their numbers.
fn lines(file: usize) -> impl Iterator<Item = (u32, &'static str)> {
    let (_, text) = FILES[file];
    let said = |line: &'static str| line.split_once('#').map_or(line, |(line, _)| line).trim();
    text.lines().enumerate().map(move |(n, line)| (n as u32 + 1, said(line))).filter(|(_, line)| !line.is_empty())
}

/// The words, and where the lines of each opcode are.
pub fn index() -> Grammar {
    let mut names = Names::empty();
    for text in word::TEXTS.iter().chain(words::WORDS) {
        names.intern(text);
    }
    let mut opcodes: Vec<Opcode> = Vec::new();
    for file in 3..FILES.len() {
        let (mut before, mut id) = ("", 0);
        for (number, text) in lines(file).filter(|(_, text)| !text.starts_with('.')) {
            let opcode = &text[..text.find(['.', '{', ' ', ';']).unwrap_or(text.len())];
            // Lines of one opcode stand together.
            if opcode != before {
                (before, id) = (opcode, names.intern(opcode).index());
            }
            if opcodes.len() <= id {
                opcodes.resize_with(id + 1, Opcode::default);
            }
            opcodes[id].lines.push(Line { file: file as u8, number, text });
        }
    }
    let sets = FILES.iter().map(|_| OnceLock::new()).collect();
    Grammar { names, opcodes, sets, words: OnceLock::new(), registers: OnceLock::new(), features: OnceLock::new() }
}

/// What cannot be read, as `file:line: why`.
#[cfg(test)]
pub fn faults() -> Vec<String> {
    let grammar = &*GRAMMAR;
    let mut faults = Vec::new();
    for (file, (name, _)) in FILES.iter().enumerate() {
        for (number, text) in lines(file) {
            let result = match text.as_bytes()[0] {
                _ if file == 2 => feature(text).map(|_| ()),
                b'%' => grammar.register(text).map(|_| ()),
                b'.' if file == 0 => grammar.word(text).map(|_| ()),
                b'.' => grammar.definitions(text, number).map(|_| ()),
                _ => grammar.form(&Line { file: file as u8, number, text }).map(|_| ()),
            };
            if let Err(why) = result {
                faults.push(format!("{name}:{number}: {why}"));
            }
        }
    }
    faults
}

impl Grammar {
    /// Lines that cannot be read are left out; a test wants none.
    pub(super) fn read(&self, lines: &[Line]) -> Vec<Form> {
        lines.iter().filter_map(|line| self.form(line).ok()).collect()
    }

    pub(super) fn read_registers(&self) -> Vec<(Name, Needs)> {
        lines(1).filter_map(|(_, text)| self.register(text).ok()).collect()
    }

    pub(super) fn read_features(&self) -> Vec<(&'static str, Needs)> {
        lines(2).filter_map(|(_, text)| feature(text).ok()).collect()
    }

    /// `%laneid 1.3`.
    fn register(&self, text: &'static str) -> Result<(Name, Needs), String> {
        let (name, needs) = text.split_once(' ').ok_or("a register without needs")?;
        let name = self.names.lookup(name).ok_or("no such register")?;
        Ok((name, Needs::parse(needs)?))
    }

    fn needs_of_word(&self, name: Name) -> Option<Arc<Needs>> {
        let words = self.words.get_or_init(|| {
            let mut words = vec![None; self.names.len()];
            for (_, text) in lines(0) {
                if let Ok((name, needs)) = self.name_and_needs(text) {
                    words[name.index()] = needs;
                }
            }
            words
        });
        words.get(name.index())?.clone()
    }

    /// `.word 8.0 sm_90`.
    fn name_and_needs(&self, text: &'static str) -> Result<(Name, Option<Arc<Needs>>), String> {
        let text = text.trim().strip_prefix('.').ok_or("a word begins with a dot")?;
        let (text, needs) = text.split_at(text.find(' ').unwrap_or(text.len()));
        let name = self.names.lookup(text).ok_or_else(|| format!("`{text}` is not in the list of words"))?;
        let needs = Needs::parse(needs)?;
        Ok((name, (!needs.is_empty()).then(|| Arc::new(needs))))
    }

    /// The same, with what the word needs everywhere where nothing is said.
    fn word(&self, text: &'static str) -> Result<Word, String> {
        let (name, needs) = self.name_and_needs(text)?;
        Ok(Word { name, needs: needs.or_else(|| self.needs_of_word(name)) })
    }

    fn definitions(&self, mut text: &'static str, line: u32) -> Result<Vec<Set>, String> {
        let mut sets = Vec::new();
        while !text.is_empty() {
            let (name, rest) = text.split_once('=').ok_or("a definition without `=`")?;
            let name = name.trim().strip_prefix('.').ok_or("a set begins with a dot")?;
            let inside = rest.trim().strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let (words, rest) = inside.ok_or("a set has braces")?;
            let words = words.split(',').map(|word| self.word(word)).collect::<Result<_, _>>()?;
            sets.push(Set { name, words, line });
            text = rest.trim();
        }
        Ok(sets)
    }

    fn sets(&self, file: u8) -> &[Set] {
        self.sets[usize::from(file)].get_or_init(|| {
            let definitions = lines(usize::from(file)).filter(|(_, text)| text.starts_with('.'));
            definitions.flat_map(|(number, text)| self.definitions(text, number).unwrap_or_default()).collect()
        })
    }

    fn form(&self, line: &Line) -> Result<Form, String> {
        let (text, rest) = line.text.split_once(';').ok_or("no `;`")?;
        let (needs, definitions) = rest.split_at(rest.find(" .").unwrap_or(rest.len()));
        let needs = Needs::parse(needs)?;
        let local = self.definitions(definitions.trim(), line.number)?;
        let (head, operands) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        let (items, name) = self.items(&head[head.find(['.', '{']).unwrap_or(head.len())..], &local, line)?;
        let (operands, open) = read_operands(operands.trim(), &items)?;
        Ok(Form { line: text.trim(), items, name, operands, open, needs })
    }

    /// The items, and how many of them belong to the name of the instruction.
    fn items(&self, mut text: &'static str, local: &[Set], line: &Line) -> Result<(Vec<Item>, usize), String> {
        let mut items = Vec::new();
        let mut name = 0;
        while !text.is_empty() {
            if let Some(rest) = text.strip_prefix('!') {
                name = items.len();
                text = rest;
                continue;
            }
            let (optional, inner, rest) = match text.strip_prefix('{') {
                Some(inner) => {
                    let (inner, rest) = inner.split_once('}').ok_or("a brace is open")?;
                    (true, inner, rest)
                }
                None => {
                    let end = text[1..].find(['.', '{', '!']).map_or(text.len(), |n| n + 1);
                    (false, &text[..end], &text[end..])
                }
            };
            let (due, inner) = inner.strip_prefix('~').map_or((false, inner), |inner| (true, inner));
            // `{.sem.scope}` has two.
            let labels = inner.strip_prefix('.').ok_or("a modifier begins with a dot")?.split('.');
            for (n, label) in labels.enumerate() {
                let above = self.sets(line.file).iter().rev().filter(|set| set.line < line.number);
                let words = match local.iter().chain(above).find(|set| set.name == label) {
                    Some(set) => set.words.clone(),
                    None => {
                        let name = self.names.lookup(label).ok_or_else(|| format!("no word or set `{label}`"))?;
                        Arc::from([Word { name, needs: self.needs_of_word(name) }])
                    }
                };
                items.push(Item { optional, due, joined: n > 0, words, label });
            }
            text = rest;
        }
        Ok((items, name))
    }
}

/// `.maxnreg: 1.3`.
fn feature(text: &'static str) -> Result<(&'static str, Needs), String> {
    let (feature, needs) = text.split_once(": ").ok_or("a directive without needs")?;
    Ok((feature, Needs::parse(needs)?))
}

/// Whether every word of the item is a type.
fn is_type(item: &Item) -> bool {
    item.words.iter().all(|word| word::scalar_type(word.name).is_some())
}

/// The text up to a comma that stands in no brackets, and what follows.
fn until_comma(text: &'static str) -> (&'static str, &'static str) {
    let mut depth = 0;
    for (n, c) in text.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            ',' if depth == 0 => return (&text[..n], &text[n + 1..]),
            _ => {}
        }
        // `a{, b}`: the brace begins the next operand.
        if depth == 0 && (text[n + 1..].starts_with("{,") || text[n + 1..].starts_with("{?")) {
            return (&text[..=n], &text[n + 1..]);
        }
    }
    (text, "")
}

fn read_operands(mut text: &'static str, items: &[Item]) -> Result<(Vec<Spec>, bool), String> {
    let default = items.iter().rposition(is_type).map_or(TypeOf::Any, TypeOf::Item);
    let mut specs: Vec<Spec> = Vec::new();
    while !text.is_empty() {
        if text == "..." {
            return Ok((specs, true));
        }
        let (presence, one, rest) = if let Some(inside) = text.strip_prefix("{,") {
            let (one, rest) = inside.split_once('}').ok_or("a brace is open")?;
            (Presence::Optional, one, rest)
        } else if let Some(inside) = text.strip_prefix("{?") {
            let (inside, rest) = inside.split_once('}').ok_or("a brace is open")?;
            let (label, one) = inside.split_once(',').ok_or("no operand for the word")?;
            let item = items.iter().position(|item| item.label == label).ok_or("no such word")?;
            (Presence::With(item), one, rest)
        } else {
            let (one, rest) = until_comma(text);
            (Presence::Always, one, rest)
        };
        let (one, needs) = if presence == Presence::Optional { split_needs(one.trim())? } else { (one.trim(), None) };
        let mut spec = read_operand(one, specs.is_empty(), default, items)?;
        spec.presence = presence;
        spec.needs = spec.needs.or(needs);
        specs.push(spec);
        text = rest.trim();
        text = text.strip_prefix(',').unwrap_or(text).trim();
    }
    Ok((specs, false))
}

/// `e:s32*2 4.3 sm_30`: what stands behind the operand is what it needs.
fn split_needs(text: &'static str) -> Result<(&'static str, Option<Needs>), String> {
    let begins =
        |rest: &str| rest.starts_with("sm_") || rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains('.');
    match text.split_once(' ') {
        Some((text, rest)) if begins(rest) => Ok((text, Some(Needs::parse(rest)?))),
        _ => Ok((text, None)),
    }
}

fn read_operand(text: &'static str, first: bool, default: TypeOf, items: &[Item]) -> Result<Spec, String> {
    let (text, bare) = text.strip_suffix("]~").map_or((text, false), |_| (&text[..text.len() - 1], true));
    let (text, unified, unlisted) = match (text.strip_suffix("{.unified}"), text.strip_suffix("{~.unified}")) {
        (Some(text), _) => (text, true, false),
        (None, Some(text)) => (text, false, true),
        (None, None) => (text, false, false),
    };
    if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        let mut spec = if inside.contains(',') {
            let mut inner = Vec::new();
            let mut text = inside;
            while !text.is_empty() {
                let (one, rest) = until_comma(text);
                inner.push(read_element(one.trim(), default, items)?);
                text = rest;
                // `a{, b}`.
                if let Some(inside) = text.strip_prefix("{,") {
                    let (one, rest) = inside.split_once('}').ok_or("a brace is open")?;
                    inner.push(Spec { presence: Presence::Optional, ..read_element(one.trim(), default, items)? });
                    text = rest.trim().strip_prefix(',').unwrap_or(rest);
                }
            }
            Spec { inner, ..value(inside, TypeOf::Any) }
        } else {
            read_address(inside, items)?
        };
        spec.unified = unified;
        spec.lax = Lax { unified: unlisted, bare, ..Lax::default() };
        if !spec.inner.is_empty() {
            spec.kind = Kind::Bracket { from: 0, count: 0 };
        }
        return Ok(spec);
    }
    let (text, four) = match (text.strip_suffix("..4"), text.strip_suffix("..4~")) {
        (Some(text), _) => (text, Some(false)),
        (None, Some(text)) => (text, Some(true)),
        (None, None) => (text, None),
    };
    let lax = Lax { four: four == Some(true), ..Lax::default() };
    let four = four == Some(false);
    if let Some(inside) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return Ok(Spec { four, lax, ..read_tuple(inside, default, items)? });
    }
    let (text, pair, second) = match (text.split_once("{|"), text.split_once('|')) {
        (Some((text, second)), _) => (text, Pair::May, second.trim_end_matches('}')),
        (None, Some((text, second))) => (text, Pair::Must, second),
        (None, None) => (text, Pair::Never, ""),
    };
    let (second, needs) = split_needs(second)?;
    if text == "_" {
        return Ok(Spec { kind: Kind::Sink, ..value(text, TypeOf::Any) });
    }
    let (name, ty) = text.split_once(':').unwrap_or((text, ""));
    if place(ty).is_some() {
        return read_address(text, items);
    }
    let mut spec = Spec { pair, second, needs, four, lax, ..value(name.trim_end_matches('_'), default) };
    spec.sink = name.ends_with('_') || pair != Pair::Never;
    spec.result = name.starts_with('d') || first && name.starts_with(['p', 'q']);
    if let Some(of) = ty.strip_prefix("symbol(").and_then(|of| of.strip_suffix(')')) {
        let spec = read_address(of, items)?;
        let fixed = word::TEXTS.iter().position(|t| *t == of).and_then(|n| space(Name(n as u32)));
        return Ok(Spec { name, kind: Kind::Symbol, ty: default, space: SpaceOf::Fixed(fixed), ..spec });
    }
    let (ty, values) = match ty.split_once('(') {
        Some((ty, values)) => (ty, Some(read_values(values.strip_suffix(')').ok_or("a parenthesis is open")?)?)),
        None => (ty, None),
    };
    spec.values = values;
    let (ty, count) = ty.split_once('*').map_or((ty, None), |(ty, count)| (ty, Some(count)));
    if let Some(count) = count {
        spec.count = read_count(count, items)?;
    }
    (spec.wider, spec.register) = (ty.starts_with('>'), ty.starts_with(['%', '~']));
    spec.lax.constant = ty.starts_with('~');
    let ty = ty.trim_start_matches(['>', '%', '~']);
    spec.lax.sort = ty.starts_with('^');
    let ty = ty.trim_start_matches('^');
    spec.exact = ty.starts_with('=');
    let ty = ty.trim_start_matches('=');
    let fixed = word::TEXTS.iter().position(|t| *t == ty).and_then(|n| word::scalar_type(Name(n as u32)));
    let special = match ty {
        "imm" => Some(Kind::Immediate),
        "label" => Some(Kind::Label),
        "targets" => Some(Kind::Targets),
        "symbol" => Some(Kind::Symbol),
        "sreg" => Some(Kind::SpecialRegister),
        "adr" => Some(Kind::AddressRegister),
        "pack" => Some(Kind::Pack),
        "part" => Some(Kind::Part(Selector::One)),
        "mask2" => Some(Kind::Part(Selector::Mask2)),
        "mask4" => Some(Kind::Part(Selector::Mask4)),
        "lanes2" => Some(Kind::Part(Selector::Lanes2)),
        "lanes4" => Some(Kind::Part(Selector::Lanes4)),
        "any" => Some(Kind::Any),
        _ => None,
    };
    match (special, fixed, items.iter().position(|item| item.label == ty), default) {
        (Some(kind), ..) => spec.kind = kind,
        (None, _, _, TypeOf::Item(item)) if ty == "wide" => spec.ty = TypeOf::Wide(item),
        (None, _, Some(item), _) => spec.ty = TypeOf::Item(item),
        (None, Some(ty), None, _) => spec.ty = TypeOf::Fixed(ty),
        _ if ty.is_empty() => {}
        _ => return Err(format!("no type `{ty}`")),
    }
    Ok(spec)
}

/// What stands between brackets or braces.
fn read_element(text: &'static str, default: TypeOf, items: &[Item]) -> Result<Spec, String> {
    let mut spec = read_operand(text, false, default, items)?;
    if let Kind::Address(place) = spec.kind {
        spec.kind = Kind::Object(place);
    }
    Ok(spec)
}

/// `{l:u32, x:f32}`.
fn read_tuple(mut text: &'static str, default: TypeOf, items: &[Item]) -> Result<Spec, String> {
    let mut spec = value(text, TypeOf::Any);
    spec.kind = Kind::Tuple { from: 0, count: 0 };
    while !text.is_empty() {
        let (one, rest) = until_comma(text);
        spec.inner.push(read_element(one.trim(), default, items)?);
        text = rest;
    }
    Ok(spec)
}

fn value(name: &'static str, ty: TypeOf) -> Spec {
    Spec {
        name,
        second: "",
        result: false,
        kind: Kind::Value,
        ty,
        wider: false,
        register: false,
        exact: false,
        count: CountOf::Scalar,
        pair: Pair::Never,
        sink: false,
        presence: Presence::Always,
        space: SpaceOf::Modifiers,
        values: None,
        unified: false,
        four: false,
        lax: Lax::default(),
        needs: None,
        inner: Vec::new(),
    }
}

fn place(text: &str) -> Option<Place> {
    Some(match text {
        "tmem" => Place::TensorMemory,
        "texture" => Place::Texture,
        "sampler" => Place::Sampler,
        "surface" => Place::Surface,
        "map" => Place::TensorMap,
        _ => return None,
    })
}

/// `a`, `a:shared`, `a:dst`, `a:texture`.
fn read_address(text: &'static str, items: &[Item]) -> Result<Spec, String> {
    let (name, of) = text.split_once(':').unwrap_or((text, ""));
    let mut spec = Spec { register: of.starts_with('%'), ..value(name, TypeOf::Any) };
    let of = of.trim_start_matches('%');
    spec.kind = Kind::Address(place(of).unwrap_or(Place::Memory));
    let fixed = word::TEXTS.iter().position(|t| *t == of).and_then(|n| space(Name(n as u32)));
    spec.space = match (items.iter().position(|item| item.label == of), fixed) {
        _ if of.is_empty() || place(of).is_some() => SpaceOf::Modifiers,
        (Some(item), _) => SpaceOf::Item(item),
        (None, Some(space)) => SpaceOf::Fixed(Some(space)),
        (None, None) if of == "generic" => SpaceOf::Fixed(None),
        _ => return Err(format!("no state space `{of}`")),
    };
    Ok(spec)
}

/// `4`, `1?`, `vec`, `dim-2`, `num*2`, `shape/2`.
fn read_count(text: &str, items: &[Item]) -> Result<CountOf, String> {
    if text == "1?" {
        return Ok(CountOf::Single);
    }
    if let Ok(count) = text.parse() {
        return Ok(CountOf::Fixed(count));
    }
    let end = text.find(['-', '*', '/']).unwrap_or(text.len());
    let item = items.iter().position(|item| item.label == &text[..end]);
    let item = item.ok_or_else(|| format!("no set `{}`", &text[..end]))?;
    let by = text.get(end + 1..).map_or(Ok(0), str::parse).map_err(|_| "a number is expected")?;
    Ok(match text[end..].chars().next() {
        Some('-') => CountOf::Item { item, minus: by, times: 1, over: 1 },
        Some('*') => CountOf::Item { item, minus: 0, times: by, over: 1 },
        Some('/') => CountOf::Item { item, minus: 0, times: 1, over: by },
        _ => CountOf::Item { item, minus: 0, times: 1, over: 1 },
    })
}

/// `0, 1`, `0..15`, `16..256/16`.
fn read_values(text: &str) -> Result<Values, String> {
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| format!("`{text}` is no number"));
    match text.split_once("..") {
        Some((low, rest)) => {
            let (high, step) = rest.split_once('/').unwrap_or((rest, "1"));
            Ok(Values::Range { low: number(low)?, high: number(high)?, step: number(step)? })
        }
        None => Ok(Values::List(text.split(',').map(number).collect::<Result<_, _>>()?)),
    }
}
