//! The kernel around an instruction.
//!
//! Names that it uses become registers of the first kind with which the checker accepts it; the types that it names itself are tried
//! first. Every one is loaded, the results are stored.

use super::Operands;
use crate::diag::{Diag, Span, codes};
use crate::ptx;
use std::fmt::Write;

/// Bytes between two operands in memory: an operand may have 64 bits.
pub(super) const STRIDE_BYTES: u32 = 8;

pub(super) struct Wrapped {
    pub source: String,
    /// Where the instruction is in `source`.
    pub span: Span,
    /// In order of appearance, one for each name; a name of 64 bits has two entries.
    pub sources: Vec<Source>,
    /// Names of results, and their dwords.
    pub results: Vec<(String, u32)>,
}

/// A dword of an operand.
pub(super) struct Source {
    pub name: String,
    /// Where it is loaded from.
    pub offset_bytes: u32,
}

impl Wrapped {
    pub fn instruction(&self) -> &str {
        self.span.text(&self.source)
    }

    pub fn relocated(&self, diags: Vec<Diag>) -> Vec<Diag> {
        relocated(diags, self.span)
    }
}

fn relocated(mut diags: Vec<Diag>, within: Span) -> Vec<Diag> {
    for diag in &mut diags {
        diag.span = super::moved(diag.span, within.start, within.end - within.start);
        for label in &mut diag.labels {
            label.span = super::moved(label.span, within.start, within.end - within.start);
        }
    }
    diags
}

/// How a name can be declared: its type, and the suffixes of the load and store that fit.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Kind {
    B16,
    B32,
    B64,
    Pred,
    F32,
    F64,
}

impl Kind {
    const ALL: [Kind; 6] = [Kind::B32, Kind::B64, Kind::B16, Kind::Pred, Kind::F32, Kind::F64];

    fn declaration(self) -> &'static str {
        match self {
            Kind::B16 => ".b16",
            Kind::B32 => ".b32",
            Kind::B64 => ".b64",
            Kind::Pred => ".pred",
            Kind::F32 => ".f32",
            Kind::F64 => ".f64",
        }
    }

    fn dwords(self) -> u32 {
        match self {
            Kind::B64 | Kind::F64 => 2,
            Kind::B16 | Kind::B32 | Kind::Pred | Kind::F32 => 1,
        }
    }

    /// The kind of a type that an instruction names.
    fn of_word(word: &str) -> Option<Kind> {
        Some(match word {
            "b16" | "u16" | "s16" | "f16" | "bf16" | "b8" | "u8" | "s8" => Kind::B16,
            "b32" | "u32" | "s32" | "f16x2" | "bf16x2" => Kind::B32,
            "b64" | "u64" | "s64" => Kind::B64,
            "f32" => Kind::F32,
            "f64" => Kind::F64,
            "pred" => Kind::Pred,
            _ => return None,
        })
    }
}

/// Ways to declare the names that are tried at most.
const MOST_TRIES: usize = 4000;

pub(super) fn wrap(instruction: &str, operands: Operands) -> Result<Wrapped, Vec<Diag>> {
    let instruction = instruction.trim().trim_end_matches(';').trim_end();
    let refuse = |text: &str| Err(vec![Diag::error(codes::SYNTAX, Span::NONE, text.to_string())]);
    if instruction.is_empty() {
        return refuse("an instruction is expected, as `prmt.b32 d, a, b, 0x9a41`");
    }
    if instruction.contains([';', '\n']) || instruction.ends_with(':') {
        return refuse("one instruction is expected, without a label");
    }
    let (names, results) = names(instruction);
    let head = instruction.split_whitespace().next().unwrap_or("");
    let mut likely: Vec<Kind> = vec![];
    // The last type is mostly that of the operands.
    for kind in head.split('.').rev().filter_map(Kind::of_word).chain(Kind::ALL) {
        if !likely.contains(&kind) {
            likely.push(kind);
        }
    }
    let mut first_fault = None;
    let tries = likely.len().checked_pow(names.len() as u32).unwrap_or(MOST_TRIES).min(MOST_TRIES);
    for number in 0..tries {
        let mut rest = number;
        let kinds: Vec<Kind> = names
            .iter()
            .map(|_| {
                let kind = likely[rest % likely.len()];
                rest /= likely.len();
                kind
            })
            .collect();
        let wrapped = with_kinds(instruction, &names, &results, &kinds, operands);
        let (_, diags) = ptx::parse(&wrapped.source);
        if !diags.iter().any(Diag::is_fatal) {
            return Ok(wrapped);
        }
        first_fault.get_or_insert_with(|| wrapped.relocated(diags));
    }
    Err(first_fault.unwrap_or_default())
}

/// The names of the instruction's operands that need a declaration, and those among them that the first operand writes.
fn names(instruction: &str) -> (Vec<String>, Vec<String>) {
    let start = instruction.find(char::is_whitespace).unwrap_or(instruction.len());
    let guard = instruction.starts_with('@');
    // Behind a guard comes the instruction itself.
    let start = if guard {
        let rest = instruction[start..].trim_start();
        let opcode = instruction.len() - rest.len();
        opcode + rest.find(char::is_whitespace).unwrap_or(rest.len())
    } else {
        start
    };
    let (mut names, mut results): (Vec<String>, Vec<String>) = (vec![], vec![]);
    let is_start = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '%' | '$');
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    let scan = |text: &str, names: &mut Vec<String>, results: Option<&mut Vec<String>>| {
        let mut found = vec![];
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| is_start(c) || c.is_ascii_digit()) {
            let word: String = rest[at..].chars().take_while(|&c| is_part(c)).collect();
            rest = &rest[at + word.len()..];
            // A component or part of a register is the register's.
            let base = word.split('.').next().unwrap_or("").to_string();
            if word.starts_with(|c: char| c.is_ascii_digit()) || is_special(&base) {
                continue;
            }
            if !names.contains(&base) {
                names.push(base.clone());
            }
            found.push(base);
        }
        if let Some(results) = results {
            results.extend(found);
        }
    };
    let operands = &instruction[start..];
    let opcode = instruction[..start].split_whitespace().last().unwrap_or("");
    let writes =
        !["st.", "red.", "bar", "membar", "fence", "bra", "ret", "exit", "trap"].iter().any(|p| opcode.starts_with(p));
    // The first operand ends at the first comma outside braces.
    let mut depth = 0;
    let end = operands
        .find(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        })
        .unwrap_or(operands.len());
    if guard {
        scan(&instruction[..instruction.find(char::is_whitespace).unwrap_or(0)], &mut names, None);
    }
    let first = &operands[..end];
    let writes = writes && !first.trim_start().starts_with('[');
    scan(first, &mut names, writes.then_some(&mut results));
    scan(&operands[end..], &mut names, None);
    names.retain(|name| name != "_");
    results.retain(|name| name != "_");
    (names, results)
}

/// Special registers and constants have their declarations.
fn is_special(name: &str) -> bool {
    const SPECIAL: [&str; 14] = [
        "%tid",
        "%ntid",
        "%ctaid",
        "%nctaid",
        "%laneid",
        "%warpid",
        "%nwarpid",
        "%gridid",
        "%clock",
        "%clock64",
        "%lanemask_eq",
        "%globaltimer",
        "%smid",
        "WARP_SZ",
    ];
    SPECIAL.contains(&name) || name.starts_with("%lanemask") || name.starts_with("%clock") || name.starts_with("%pm")
}

fn with_kinds(instruction: &str, names: &[String], results: &[String], kinds: &[Kind], operands: Operands) -> Wrapped {
    let mut out = String::from(".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry explained(");
    // Writing to a String cannot fail.
    let uniform = operands == Operands::Uniform;
    let _ = write!(out, ".param .u64 w2w_in, .param .u64 w2w_out");
    if uniform {
        for n in 0..names.len() {
            let _ = write!(out, ", .param .u64 w2w_{n}");
        }
    }
    out += ")\n{\n    .reg .b64 %w2w_in, %w2w_out, %w2w_at;\n    .reg .b32 %w2w_word;\n    .reg .b16 %w2w_half;\n";
    for (name, kind) in names.iter().zip(kinds) {
        let _ = writeln!(out, "    .reg {} {name};", kind.declaration());
    }
    out += "    ld.param.u64 %w2w_in, [w2w_in];\n    ld.param.u64 %w2w_out, [w2w_out];\n    mov.u32 %w2w_word, %tid.x;\n    \
            mul.wide.u32 %w2w_at, %w2w_word, 4096;\n    add.u64 %w2w_in, %w2w_in, %w2w_at;\n    \
            add.u64 %w2w_out, %w2w_out, %w2w_at;\n";
    let mut sources = vec![];
    for (n, (name, kind)) in names.iter().zip(kinds).enumerate() {
        let offset = n as u32 * STRIDE_BYTES;
        let (space, at) = if uniform { ("param", format!("w2w_{n}")) } else { ("global", format!("%w2w_in+{offset}")) };
        let _ = match kind {
            Kind::B16 => writeln!(out, "    ld.{space}.u16 {name}, [{at}];"),
            Kind::Pred => {
                writeln!(out, "    ld.{space}.u32 %w2w_word, [{at}];\n    setp.ne.u32 {name}, %w2w_word, 0;")
            }
            Kind::B32 | Kind::B64 | Kind::F32 | Kind::F64 => {
                writeln!(out, "    ld.{space}{} {name}, [{at}];", kind.declaration())
            }
        };
        // The two pointers come first among the parameters.
        let base = if uniform { 16 } else { 0 };
        for dword in 0..kind.dwords() {
            let name = match (kind.dwords(), dword) {
                (1, _) => name.clone(),
                (_, 0) => format!("{name}.lo"),
                _ => format!("{name}.hi"),
            };
            sources.push(Source { name, offset_bytes: base + offset + 4 * dword });
        }
    }
    out += "    ";
    let start = out.len() as u32;
    out += instruction;
    out.push(';');
    let span = Span::new(start, out.len() as u32);
    out.push('\n');
    let mut written = vec![];
    for (n, name) in results.iter().enumerate() {
        let Some(kind) = names.iter().position(|known| known == name).map(|n| kinds[n]) else { continue };
        let offset = n as u32 * STRIDE_BYTES;
        let _ = match kind {
            // What is above a 16-bit result is not its own.
            Kind::B16 => {
                writeln!(out, "    cvt.u32.u16 %w2w_word, {name};\n    st.global.u32 [%w2w_out+{offset}], %w2w_word;")
            }
            Kind::Pred => {
                writeln!(
                    out,
                    "    selp.u32 %w2w_word, 1, 0, {name};\n    st.global.u32 [%w2w_out+{offset}], %w2w_word;"
                )
            }
            Kind::B32 | Kind::B64 | Kind::F32 | Kind::F64 => {
                writeln!(out, "    st.global{} [%w2w_out+{offset}], {name};", kind.declaration())
            }
        };
        written.push((name.clone(), kind.dwords()));
    }
    out += "    ret;\n}\n";
    Wrapped { source: out, span, sources, results: written }
}
