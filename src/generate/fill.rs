//! Patterns of `forms` become statements: words, registers and constants are drawn.

use super::{DWORDS, FLOATS, Generator, HALVES, PAIRS, PREDICATES, UNIFORMS, interesting};
use std::fmt::Write;

const SPECIAL: &[&str] = &[
    "%tid.x",
    "%ntid.x",
    "%ctaid.x",
    "%nctaid.x",
    "%tid.y",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_lt",
    "%lanemask_le",
    "%lanemask_gt",
    "%lanemask_ge",
];

/// Bits of floats at which things happen.
const FLOAT_BITS: &[u32] = &[
    0x0000_0000,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x0000_0001,
    0x807f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x4f00_0000,
    0xcf00_0001,
    0x5f00_0000,
    0x4b00_0001,
    0x3effffff,
    0x3380_0001,
];

impl Generator<'_> {
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    pub fn reg(&mut self, kind: char) -> String {
        let count = match kind {
            'r' => DWORDS,
            'd' => PAIRS,
            'h' => HALVES,
            'f' => FLOATS,
            'u' => UNIFORMS,
            _ => PREDICATES,
        };
        format!("%{kind}{}", 1 + self.rng.below(count))
    }

    /// So many different registers of one kind.
    pub fn regs(&mut self, kind: char, count: usize) -> Vec<String> {
        let mut found: Vec<String> = vec![];
        while found.len() < count {
            let register = self.reg(kind);
            if !found.contains(&register) {
                found.push(register);
            }
        }
        found
    }

    /// A constant of this many bits, as PTX writes it.
    pub fn constant(&mut self, bits: u32) -> String {
        let low = u64::from(interesting(&mut self.rng));
        match bits {
            16 => format!("{}", low as u16 as i16),
            32 if self.rng.one_in(2) => format!("{}", low as u32 as i32),
            32 => format!("{:#x}", low as u32),
            _ => match self.rng.below(3) {
                0 => format!("{}", low as u32 as i32),
                1 => format!("{:#x}", low << 32 | u64::from(interesting(&mut self.rng))),
                _ => format!("{:#x}", 1u64 << self.rng.below(64)),
            },
        }
    }

    pub fn reg_or(&mut self, kind: char, bits: u32) -> String {
        if self.rng.one_in(4) { self.constant(bits) } else { self.reg(kind) }
    }

    /// A guard for a statement, sometimes.
    pub fn guard(&mut self) -> String {
        match self.rng.below(8) {
            0 => format!("@{} ", self.reg('p')),
            1 => format!("@!{} ", self.reg('p')),
            _ => String::new(),
        }
    }

    /// One of the words in each pair of braces.
    pub fn words(&mut self, pattern: &str) -> String {
        let mut text = String::new();
        let mut rest = pattern;
        while let Some((before, set)) = rest.split_once('{') {
            let (set, after) = set.split_once('}').unwrap_or((set, ""));
            let all: Vec<&str> = set.split('|').collect();
            text += before;
            text += *self.rng.pick(&all);
            rest = after;
        }
        text + rest
    }

    /// The kind of register that a type takes; more than one holds the smallest.
    pub fn kind_of(&mut self, ty: &str) -> char {
        match ty {
            "f32" => 'f',
            "b8" | "u8" | "s8" => *self.rng.pick(&['r', 'h']),
            _ if ty.ends_with("16") => 'h',
            _ if ty.ends_with("64") => 'd',
            _ => 'r',
        }
    }

    fn typed(&mut self, ty: &str, constant: bool) -> String {
        let kind = self.kind_of(ty);
        match kind {
            _ if !constant => self.reg(kind),
            'f' => self.float(),
            'h' => self.reg_or('h', 16),
            'd' => self.reg_or('d', 64),
            _ => self.reg_or('r', 32),
        }
    }

    /// A register or constant, the latter perhaps a NaN.
    fn float(&mut self) -> String {
        if !self.rng.one_in(5) {
            return self.reg('f');
        }
        let bits = if self.rng.one_in(2) { *self.rng.pick(FLOAT_BITS) } else { self.rng.bits() as u32 };
        format!("0f{bits:08x}")
    }

    /// A divisor: neither zero nor, for the smallest number, -1. `mask` leaves the sign and not the bits below it.
    fn divisor(&mut self, kind: char, bits: u32, mask: &str, before: &mut String) -> String {
        if self.rng.one_in(2) {
            let register = self.reg(kind);
            let to = match kind {
                'h' => "%h9",
                'd' => "%a3",
                _ => "%t8",
            };
            let small = 1 + self.rng.below(9);
            let _ = writeln!(before, "and.b{bits} {to}, {register}, {mask};\nor.b{bits} {to}, {to}, {small};");
            return to.to_string();
        }
        let divisors = &[1i32, 2, 3, 5, 7, 8, 10, 100, 255, 641, 0x7fff, 0x7fff_ffff, -2, -3, -10];
        let limit = if bits == 16 { 0x8000 } else { i32::MAX };
        loop {
            let divisor = *self.rng.pick(divisors);
            if divisor <= limit {
                return divisor.to_string();
            }
        }
    }

    /// Fills in a pattern of `forms`. Destinations of one instruction differ.
    pub fn form(&mut self, pattern: &str) {
        let mut text = String::new();
        let mut before = String::new();
        let (opcode, operands) = pattern.split_once(' ').unwrap_or((pattern, ""));
        let opcode = self.words(opcode);
        let types: Vec<&str> = opcode.split('.').filter(|word| is_type(word)).collect();
        let (first, last) = (types.first().copied().unwrap_or(""), types.last().copied().unwrap_or(""));
        let mut used: Vec<String> = vec![];
        for (n, c) in operands.char_indices() {
            let next = operands[n + 1..].chars().next();
            match c {
                'r' | 'd' | 'h' | 'f' | 'p' => {
                    let mut register = self.reg(c);
                    // Several results of one instruction go to different registers.
                    let is_result = !operands[..n].contains(", ") && next == Some('|')
                        || operands[..n].ends_with('|')
                        || operands.starts_with('{') && n < operands.find('}').unwrap_or(0);
                    while is_result && used.contains(&register) {
                        register = self.reg(c);
                    }
                    if is_result {
                        used.push(register.clone());
                    }
                    text += &register;
                }
                't' => text += &self.typed(last, false),
                'T' => text += &self.typed(last, true),
                'w' => text += &self.typed(first, false),
                'W' => text += &self.typed(first, true),
                'R' => text += &self.reg_or('r', 32),
                'D' => text += &self.reg_or('d', 64),
                'H' => text += &self.reg_or('h', 16),
                'F' => text += &self.float(),
                'S' => text += *self.rng.pick(SPECIAL),
                'I' => text += *self.rng.pick(&SPECIAL[..5]),
                'a' => text += *self.rng.pick(&["%a10", "%a11", "%a12", "%a14", "%a15"]),
                'n' => {
                    if self.rng.one_in(3) {
                        text += &self.reg('r');
                    } else {
                        let _ = write!(text, "{}", self.rng.below(70));
                    }
                }
                'b' => {
                    if self.rng.one_in(2) {
                        let register = self.reg('r');
                        let _ = writeln!(before, "and.b32 %t9, {register}, 31;");
                        text += "%t9";
                    } else {
                        let _ = write!(text, "{}", self.rng.below(32));
                    }
                }
                'x' => text += &self.divisor('h', 16, "0x8fff", &mut before),
                'y' => text += &self.divisor('d', 64, "0x8fffffffffffffff", &mut before),
                'z' => text += &self.divisor('r', 32, "0x8fffffff", &mut before),
                'k' => {
                    let _ = write!(text, "{:#x}", self.rng.below(256));
                }
                's' => {
                    let _ = write!(text, "{:#x}", self.rng.below(0x1_0000));
                }
                '!' => {
                    if self.rng.one_in(2) {
                        text.push('!');
                    }
                }
                other => text.push(other),
            }
        }
        self.text += &before;
        let guard = self.guard();
        let _ = writeln!(self.text, "{guard}{opcode} {text};");
        let register = text.split(',').next().unwrap_or("").to_string();
        if operands.starts_with('f') || register.starts_with("%f") {
            self.settle(&register);
        } else if opcode.contains(".f16.f32") || opcode.contains(".bf16.f32") {
            self.settle_half(&register, opcode.contains(".bf16."));
        }
    }

    /// A NaN becomes a number: its bits are open.
    pub fn settle(&mut self, register: &str) {
        emit!(self, format!("setp.nan.f32 %q7, {register}, {register};\n@%q7 mov.b32 {register}, 0x40490fdb;"));
    }

    fn settle_half(&mut self, register: &str, brain: bool) {
        let infinity = if brain { "0x7f80" } else { "0x7c00" };
        emit!(
            self,
            format!(
                "and.b16 %h10, {register}, 0x7fff;\nsetp.gt.u16 %q7, %h10, {infinity};\n@%q7 mov.b16 {register}, 0x3c00;"
            )
        );
    }
}

fn is_type(word: &str) -> bool {
    matches!(word.trim_start_matches(['b', 'u', 's', 'f']), "8" | "16" | "32" | "64") || word == "bf16"
}
