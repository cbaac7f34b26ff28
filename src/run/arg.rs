//! The text of a kernel argument: scalars, buffers and what fills them.
//!
//! ```text
//! arg    = [ name "=" ] value
//! value  = type ":" number | "bytes:" hex | "null" | "str:" string | [ "buf:" ] buffer
//! buffer = type "[" [ count ] "]" [ "=" fill ]
//! fill   = number | "range" [ ":" start [ ":" step ] ] | "rand" [ ":" seed ] | "{" number, .. "}" | string | "@" path
//! ```
//! `docs/run.md` is the user's page. Files are named here and read by the caller.

use super::ArgValue;
use super::scan::{ArgError, Scan};

/// Most bytes of one buffer.
const MAX_BUFFER_BYTES: u64 = 1 << 32;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ElementType {
    U8,
    U16,
    U32,
    U64,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl ElementType {
    pub const ALL: [(&'static str, ElementType); 10] = [
        ("u8", ElementType::U8),
        ("u16", ElementType::U16),
        ("u32", ElementType::U32),
        ("u64", ElementType::U64),
        ("i8", ElementType::I8),
        ("i16", ElementType::I16),
        ("i32", ElementType::I32),
        ("i64", ElementType::I64),
        ("f32", ElementType::F32),
        ("f64", ElementType::F64),
    ];

    /// Also PTX's spelling: `s32` for `i32`, `b32` for `u32`.
    pub fn parse(word: &str) -> Option<ElementType> {
        let canonical = match word.split_at_checked(1) {
            Some(("s", bits)) => format!("i{bits}"),
            Some(("b", bits)) => format!("u{bits}"),
            _ => word.to_owned(),
        };
        ElementType::ALL.iter().find(|(name, _)| *name == canonical).map(|(_, ty)| *ty)
    }

    pub fn bytes(self) -> usize {
        match self {
            ElementType::U8 | ElementType::I8 => 1,
            ElementType::U16 | ElementType::I16 => 2,
            ElementType::U32 | ElementType::I32 | ElementType::F32 => 4,
            ElementType::U64 | ElementType::I64 | ElementType::F64 => 8,
        }
    }

    fn is_signed(self) -> bool {
        matches!(self, ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64)
    }

    fn is_float(self) -> bool {
        matches!(self, ElementType::F32 | ElementType::F64)
    }

    /// The bytes of an element from its bits, little-endian.
    fn push(self, bits: u64, bytes: &mut Vec<u8>) {
        bytes.extend(&bits.to_le_bytes()[..self.bytes()]);
    }
}

/// One `--arg`.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// What `--dump` and `--out` call it.
    pub name: Option<String>,
    pub value: Value,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// The bytes of a scalar, or of a struct passed by value.
    Bytes(Vec<u8>),
    Buffer {
        ty: ElementType,
        count: Option<u64>,
        init: Init,
    },
}

/// What a buffer holds at first. Numbers are an element's bits.
#[derive(Clone, PartialEq, Debug)]
pub enum Init {
    Fill(u64),
    /// Element i is start + i * step, computed in f64 and rounded to the element.
    Range {
        start: f64,
        step: f64,
    },
    /// Element i is start + i * step, wrapping.
    RangeInt {
        start: u64,
        step: u64,
    },
    Random {
        seed: u64,
    },
    List(Vec<u64>),
    Text(Vec<u8>),
    File(String),
}

impl Arg {
    pub fn parse(text: &str) -> Result<Arg, ArgError> {
        let mut s = Scan::new(text);
        let name = {
            let word = s.word();
            if !word.is_empty() && s.take("=") {
                Some(word.to_owned())
            } else {
                s.at = 0;
                None
            }
        };
        let value = value(&mut s)?;
        s.expect_end()?;
        Ok(Arg { name, value })
    }

    /// The argument as a launch takes it. `read` gives the bytes of a named file.
    pub fn resolve(&self, read: impl FnOnce(&str) -> Result<Vec<u8>, String>) -> Result<ArgValue, String> {
        let (ty, count, init) = match &self.value {
            Value::Bytes(bytes) => return Ok(ArgValue::Bytes(bytes.clone())),
            Value::Buffer { ty, count, init } => (*ty, *count, init),
        };
        let mut bytes = vec![];
        let given = count.unwrap_or(0);
        match init {
            Init::Fill(bits) => (0..given).for_each(|_| ty.push(*bits, &mut bytes)),
            Init::RangeInt { start, step } => {
                (0..given).for_each(|i| ty.push(start.wrapping_add(step.wrapping_mul(i)), &mut bytes));
            }
            Init::Range { start, step } => (0..given).for_each(|i| {
                let value = start + step * i as f64;
                let bits = if ty == ElementType::F32 { (value as f32).to_bits() as u64 } else { value.to_bits() };
                ty.push(bits, &mut bytes);
            }),
            Init::Random { seed } => {
                let mut random = Random(*seed);
                (0..given).for_each(|_| ty.push(random.element(ty), &mut bytes));
            }
            Init::List(list) => list.iter().for_each(|&bits| ty.push(bits, &mut bytes)),
            Init::Text(text) => bytes.extend(text),
            Init::File(path) => bytes = read(path)?,
        }
        if let Some(count) = count {
            let wanted = count as usize * ty.bytes();
            if bytes.len() > wanted {
                return Err(format!("{} bytes do not fit into the buffer's {wanted}", bytes.len()));
            }
            bytes.resize(wanted, 0);
        }
        if !bytes.len().is_multiple_of(ty.bytes()) {
            return Err(format!("{} bytes are no whole number of elements of {} bytes", bytes.len(), ty.bytes()));
        }
        Ok(ArgValue::Buffer(bytes))
    }
}

/// splitmix64: each element is the low bits of one output; a float is its top bits over 2^24 or 2^53, in [0, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    fn element(&mut self, ty: ElementType) -> u64 {
        let bits = self.next();
        match ty {
            ElementType::F32 => ((bits >> 40) as f32 / (1u32 << 24) as f32).to_bits() as u64,
            ElementType::F64 => ((bits >> 11) as f64 / (1u64 << 53) as f64).to_bits(),
            _ => bits,
        }
    }
}

fn value(s: &mut Scan) -> Result<Value, ArgError> {
    let start = s.at;
    let word = s.word();
    match word {
        "null" => return Ok(Value::Bytes(vec![0; 8])),
        "bytes" => {
            s.expect(":", "and hexadecimal digits after `bytes`")?;
            return hex_bytes(s).map(Value::Bytes);
        }
        "str" => {
            s.expect(":", "and a quoted text after `str`")?;
            let mut text = string(s)?;
            text.push(0);
            return Ok(Value::Buffer { ty: ElementType::U8, count: None, init: Init::Text(text) });
        }
        _ => {}
    }
    let (word, start) = if word == "buf" && s.take(":") {
        let start = s.at;
        (s.word(), start)
    } else {
        (word, start)
    };
    let Some(ty) = ElementType::parse(word) else {
        let names: Vec<&str> = ElementType::ALL.iter().map(|(name, _)| *name).collect();
        let message = format!("expected a type ({}), `bytes:`, `str:` or `null`", names.join(", "));
        return Err(s.error_from(start, message));
    };
    if s.take(":") {
        let bits = number(s, ty)?;
        let mut bytes = vec![];
        ty.push(bits, &mut bytes);
        return Ok(Value::Bytes(bytes));
    }
    s.expect("[", "and a length for a buffer, or `:` and a number for a scalar")?;
    let count = count(s, ty)?;
    let mut init = Init::Fill(0);
    if s.take("=") {
        init = fill(s, ty)?;
    }
    let needs_count = matches!(init, Init::Fill(_) | Init::Range { .. } | Init::RangeInt { .. } | Init::Random { .. });
    if count.is_none() && needs_count {
        return Err(s.error_from(start, "the buffer needs a length: only a list, a text or a file brings one"));
    }
    let brought = match &init {
        Init::List(list) => list.len() as u64 * ty.bytes() as u64,
        Init::Text(text) => text.len() as u64,
        _ => 0,
    };
    if count.is_some_and(|count| count * (ty.bytes() as u64) < brought) {
        return Err(s.error_from(start, format!("{brought} bytes are given for a smaller buffer")));
    }
    Ok(Value::Buffer { ty, count, init })
}

fn count(s: &mut Scan, ty: ElementType) -> Result<Option<u64>, ArgError> {
    let start = s.at;
    let digits = s.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
    let count = match digits {
        "" => None,
        _ => match integer(digits) {
            Some(count) if count as u64 as u128 == count && count as u64 <= MAX_BUFFER_BYTES / ty.bytes() as u64 => {
                Some(count as u64)
            }
            _ => {
                return Err(
                    s.error_from(start, format!("a length up to {} is needed", MAX_BUFFER_BYTES / ty.bytes() as u64))
                );
            }
        },
    };
    s.expect("]", "after the length")?;
    Ok(count)
}

fn fill(s: &mut Scan, ty: ElementType) -> Result<Init, ArgError> {
    let start = s.at;
    if s.take("@") {
        let path = s.rest();
        if path.is_empty() {
            return Err(s.error_rest("a file name belongs after `@`"));
        }
        s.at = s.text.len();
        return Ok(Init::File(path.to_owned()));
    }
    if s.take("{") {
        return list(s, ty).map(Init::List);
    }
    if s.rest().starts_with('"') {
        return string(s).map(Init::Text);
    }
    let keyword = s.rest().starts_with(|c: char| c.is_ascii_alphabetic())
        && !["nan", "inf"].iter().any(|float| ty.is_float() && s.rest().starts_with(float));
    if !keyword {
        return number(s, ty).map(Init::Fill);
    }
    match s.word() {
        "range" => {
            let bound = |s: &mut Scan, default: u64| if s.take(":") { number(s, ty) } else { Ok(default) };
            let one = match ty {
                ElementType::F32 => 1f32.to_bits() as u64,
                ElementType::F64 => 1f64.to_bits(),
                _ => 1,
            };
            let (first, step) = (bound(s, 0)?, bound(s, one)?);
            Ok(match ty {
                ElementType::F32 => {
                    Init::Range { start: f32::from_bits(first as u32) as f64, step: f32::from_bits(step as u32) as f64 }
                }
                ElementType::F64 => Init::Range { start: f64::from_bits(first), step: f64::from_bits(step) },
                _ => Init::RangeInt { start: first, step },
            })
        }
        "rand" => {
            let seed = if s.take(":") { number(s, ElementType::U64)? } else { 0 };
            Ok(Init::Random { seed })
        }
        _ => Err(s.error_from(start, "expected a number, `range`, `rand`, `{list}`, a quoted text or `@file`")),
    }
}

fn list(s: &mut Scan, ty: ElementType) -> Result<Vec<u64>, ArgError> {
    let mut list = vec![];
    loop {
        s.skip_spaces();
        if s.take("}") {
            return Ok(list);
        }
        list.push(number(s, ty)?);
        s.skip_spaces();
        if !s.take(",") && !s.rest().starts_with('}') {
            return Err(s.error_rest("expected `,` or `}` in the list"));
        }
    }
}

/// An integer in decimal, hexadecimal, octal or binary, with `_` between digits.
fn integer(digits: &str) -> Option<u128> {
    let digits = digits.replace('_', "");
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = digits.strip_prefix(prefix) {
            return u128::from_str_radix(rest, radix).ok();
        }
    }
    digits.parse().ok()
}

/// A number as the bits of an element. Integers must be in range; a hexadecimal one may also give the bits of a negative
/// integer or of a float.
fn number(s: &mut Scan, ty: ElementType) -> Result<u64, ArgError> {
    let start = s.at;
    let word = s.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '+'));
    let bits = ty.bytes() as u32 * 8;
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word),
    };
    let is_hex = digits.starts_with("0x") || digits.starts_with("0b") || digits.starts_with("0o");
    if ty.is_float() {
        if is_hex && !negative {
            return match integer(digits) {
                Some(value) if value >> bits == 0 => Ok(value as u64),
                _ => Err(s.error_from(start, format!("`{word}` is not the bits of {bits} bits"))),
            };
        }
        let parsed = match ty {
            ElementType::F32 => word.parse::<f32>().ok().map(|f| f.to_bits() as u64),
            _ => word.parse::<f64>().ok().map(f64::to_bits),
        };
        return parsed.ok_or_else(|| s.error_from(start, format!("`{word}` is no number")));
    }
    let Some(value) = integer(digits) else {
        return Err(s.error_from(start, format!("`{word}` is no whole number")));
    };
    let fits = match (ty.is_signed(), negative) {
        (true, true) => value <= 1 << (bits - 1),
        (true, false) => value < 1 << (bits - 1) || is_hex && value >> bits == 0,
        (false, true) => value == 0,
        (false, false) => value >> bits == 0,
    };
    if !fits {
        let range = if ty.is_signed() {
            format!("-2^{} to 2^{} - 1", bits - 1, bits - 1)
        } else {
            format!("0 to 2^{bits} - 1")
        };
        return Err(s.error_from(start, format!("`{word}` is not in {range}")));
    }
    Ok(if negative { (value as u64).wrapping_neg() } else { value as u64 })
}

fn hex_bytes(s: &mut Scan) -> Result<Vec<u8>, ArgError> {
    let start = s.at;
    let digits = s.take_while(|c| c.is_ascii_hexdigit() || c == '_' || c == ' ');
    let nibbles: Vec<u8> = digits.chars().filter_map(|c| c.to_digit(16)).map(|d| d as u8).collect();
    if nibbles.is_empty() || !nibbles.len().is_multiple_of(2) {
        return Err(s.error_from(start, "expected pairs of hexadecimal digits, first byte first"));
    }
    Ok(nibbles.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// A quoted text with the escapes `\n \t \r \0 \\ \" \xNN`.
fn string(s: &mut Scan) -> Result<Vec<u8>, ArgError> {
    s.expect("\"", "before the text")?;
    let mut bytes = vec![];
    loop {
        let at = s.at;
        let Some(c) = s.rest().chars().next() else { return Err(s.error_rest("the text has no closing `\"`")) };
        s.at += c.len_utf8();
        match c {
            '"' => return Ok(bytes),
            '\\' => {
                let escape = s.rest().chars().next().unwrap_or(' ');
                s.at += if s.is_done() { 0 } else { escape.len_utf8() };
                bytes.push(match escape {
                    'n' => b'\n',
                    't' => b'\t',
                    'r' => b'\r',
                    '0' => 0,
                    '\\' => b'\\',
                    '"' => b'"',
                    'x' => {
                        let byte = s.rest().get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                        let Some(byte) = byte else {
                            return Err(s.error_from(at, "`\\x` needs two hexadecimal digits"));
                        };
                        s.at += 2;
                        byte
                    }
                    _ => return Err(s.error_from(at, "unknown escape; there are \\n \\t \\r \\0 \\\\ \\\" \\xNN")),
                });
            }
            c => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}
