//! What happens to buffers after a launch: printing and writing, by name.
//!
//! ```text
//! dump = name [ ":" format ] [ ":" count ]        out = name "=" path
//! ```
//! A name is an argument's own, the kernel parameter's, or the argument's position from 0.

use super::arg::{Arg, ElementType, Value};
use super::scan::{ArgError, Scan};
use std::fmt::Write;

/// One `--dump`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dump {
    pub name: String,
    /// `None`: as the buffer's own type.
    pub format: Option<DumpFormat>,
    /// Elements; `None` is all.
    pub count: Option<u64>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DumpFormat {
    Numbers(ElementType),
    /// Hexadecimal elements of the buffer's own size, or of this one.
    Hex(Option<ElementType>),
    /// Bytes as text; what is not printable is escaped.
    Text,
}

/// One `--out`: the bytes of a buffer into a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutFile {
    pub name: String,
    pub path: String,
}

impl Dump {
    pub fn parse(text: &str) -> Result<Dump, ArgError> {
        let mut s = Scan::new(text);
        let name = s.word().to_owned();
        if name.is_empty() {
            return Err(s.error_rest("expected the name or position of an argument"));
        }
        let mut dump = Dump { name, format: None, count: None };
        while s.take(":") {
            let start = s.at;
            let word = s.word();
            if let Ok(count) = word.parse::<u64>() {
                if dump.count.replace(count).is_some() {
                    return Err(s.error_from(start, "a second count"));
                }
                continue;
            }
            let format = match word {
                "hex" => DumpFormat::Hex(None),
                "text" => DumpFormat::Text,
                _ => match (ElementType::parse(word), word.strip_prefix('x').map(|bits| format!("u{bits}"))) {
                    (Some(ty), _) => DumpFormat::Numbers(ty),
                    (None, Some(unsigned)) if ElementType::parse(&unsigned).is_some() => {
                        DumpFormat::Hex(ElementType::parse(&unsigned))
                    }
                    _ => {
                        let message = "expected a format (a type such as u32 or f32, hex, x8 to x64, text) or a count";
                        return Err(s.error_from(start, message));
                    }
                },
            };
            if dump.format.replace(format).is_some() {
                return Err(s.error_from(start, "a second format"));
            }
        }
        s.expect_end()?;
        Ok(dump)
    }
}

impl OutFile {
    pub fn parse(text: &str) -> Result<OutFile, ArgError> {
        let mut s = Scan::new(text);
        let name = s.word().to_owned();
        if name.is_empty() {
            return Err(s.error_rest("expected the name or position of an argument"));
        }
        s.expect("=", "and a file name")?;
        if s.is_done() {
            return Err(s.error_rest("expected a file name"));
        }
        Ok(OutFile { name, path: s.rest().to_owned() })
    }
}

/// The buffer argument called `name`: its position among the arguments, and among the buffers.
///
/// `parameters` are the kernel's own names, as far as its metadata has them.
pub fn find_buffer(args: &[Arg], parameters: &[Option<String>], name: &str) -> Result<(usize, usize), String> {
    let own = args.iter().position(|a| a.name.as_deref() == Some(name));
    let parameter = || parameters.iter().position(|p| p.as_deref() == Some(name));
    let position = || name.parse::<usize>().ok();
    let found = own.or_else(parameter).or_else(position).filter(|&index| index < args.len());
    let is_buffer = |arg: &Arg| matches!(arg.value, Value::Buffer { .. });
    match found {
        Some(index) if is_buffer(&args[index]) => {
            Ok((index, args[..index].iter().filter(|arg| is_buffer(arg)).count()))
        }
        Some(index) => Err(format!("argument {index} (`{name}`) is no buffer")),
        None => {
            let names: Vec<String> = (0..args.len())
                .filter(|&i| is_buffer(&args[i]))
                .map(|i| args[i].name.clone().or(parameters.get(i).cloned().flatten()).unwrap_or(i.to_string()))
                .collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            Err(format!("no argument is called `{name}`; the buffers: {names}"))
        }
    }
}

/// A buffer as text: numbers eight to a line behind the index of the first, or quoted text.
pub fn render(bytes: &[u8], own: ElementType, dump: &Dump) -> String {
    let (ty, hex) = match dump.format {
        None => (own, false),
        Some(DumpFormat::Numbers(ty)) => (ty, false),
        Some(DumpFormat::Hex(ty)) => (ty.unwrap_or(own), true),
        Some(DumpFormat::Text) => {
            let count = dump.count.map_or(bytes.len(), |n| bytes.len().min(n as usize));
            return format!("\"{}\"\n", bytes[..count].escape_ascii());
        }
    };
    let mut text = String::new();
    let elements = bytes.chunks_exact(ty.bytes()).take(dump.count.map_or(usize::MAX, |n| n as usize));
    for (index, element) in elements.enumerate() {
        let mut raw = [0; 8];
        raw[..element.len()].copy_from_slice(element);
        match index % 8 {
            0 if index > 0 => text.push_str(&format!("\n{index:>6}:")),
            0 => text.push_str(&format!("{index:>6}:")),
            _ => {}
        }
        // Writing to a String cannot fail.
        let _ = write!(text, " {}", element_text(u64::from_le_bytes(raw), ty, hex));
    }
    text.push('\n');
    text
}

fn element_text(bits: u64, ty: ElementType, hex: bool) -> String {
    if hex {
        return format!("{bits:#0width$x}", width = ty.bytes() * 2 + 2);
    }
    match ty {
        ElementType::U8 | ElementType::U16 | ElementType::U32 | ElementType::U64 => bits.to_string(),
        ElementType::I8 => (bits as i8).to_string(),
        ElementType::I16 => (bits as i16).to_string(),
        ElementType::I32 => (bits as i32).to_string(),
        ElementType::I64 => (bits as i64).to_string(),
        ElementType::F32 => f32::from_bits(bits as u32).to_string(),
        ElementType::F64 => f64::from_bits(bits).to_string(),
    }
}
