//! Loads and stores: every type, vector, state space and hint, to places that nobody else writes.

use super::{Generator, IN_BYTES, OUT_BYTES, OWN_BYTES, PARAM_BYTES};
use std::fmt::Write;

/// What is read or written.
#[derive(Copy, Clone, PartialEq)]
enum Place {
    /// The buffer that nobody writes.
    Input,
    /// The second half of the thread's part of the output; the first is for the end.
    Output,
    /// The thread's part of shared memory, which is no slot of an exchange.
    Shared,
    Local,
    Const,
    Param,
}

use Place::*;

const TYPES: &[(&str, u32)] = &[
    ("b8", 1),
    ("u8", 1),
    ("s8", 1),
    ("b16", 2),
    ("u16", 2),
    ("s16", 2),
    ("b32", 4),
    ("u32", 4),
    ("s32", 4),
    ("f32", 4),
    ("b64", 8),
    ("u64", 8),
    ("s64", 8),
    ("f64", 8),
];

const L1: &str = "{|.L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate}";
const L2: &str = "{|.L2::evict_normal|.L2::evict_first|.L2::evict_last}";
const FETCH: &str = "{|.L2::64B|.L2::128B|.L2::256B}";
const HINT: &str = "{||.L2::cache_hint}";
const SCOPE: &str = "{.cta|.cluster|.gpu|.sys}";

impl Generator<'_> {
    pub fn load(&mut self) {
        let place = *self.rng.pick(&[Input, Input, Output, Shared, Local, Const, Param]);
        let global = matches!(place, Input | Output);
        let generic = place != Param && self.rng.one_in(5);
        let large = global && self.rng.one_in(3);
        let (ty, bytes, count) = self.element(large);
        let words = if self.rng.one_in(3) && bytes * count < 32 {
            space(place, generic).to_string()
        } else {
            self.load_words(place, generic, bytes * count == 32, bytes < 4 && count == 8)
        };
        let kind = self.holder(ty, bytes, count);
        let to = self.regs(kind, count as usize);
        let address = self.address(place, generic, bytes * count);
        self.access(&format!("ld{words}"), ty, &to, &address, true);
        if kind == 'f' {
            to.iter().for_each(|register| self.settle(register));
        }
    }

    pub fn store(&mut self) {
        let place = *self.rng.pick(&[Output, Output, Shared, Local]);
        let generic = self.rng.one_in(5);
        let large = place == Output && self.rng.one_in(3);
        let (ty, bytes, count) = self.element(large);
        let words = if self.rng.one_in(3) && bytes * count < 32 {
            space(place, generic).to_string()
        } else {
            self.store_words(place, generic, bytes * count == 32, bytes < 4 && count == 8)
        };
        let kind = self.holder(ty, bytes, count);
        let from: Vec<String> = (0..count).map(|_| self.reg(kind)).collect();
        let address = self.address(place, generic, bytes * count);
        self.access(&format!("st{words}"), ty, &from, &address, false);
    }

    fn access(&mut self, words: &str, ty: &str, registers: &[String], address: &str, load: bool) {
        let mut vector = String::new();
        let mut list = registers.join(", ");
        if registers.len() > 1 {
            let _ = write!(vector, ".v{}", registers.len());
            list = format!("{{{list}}}");
        }
        let policy = if words.contains("cache_hint") { format!(", {}", self.reg('d')) } else { String::new() };
        let guard = self.guard();
        if load {
            emit!(self, format!("{guard}{words}{vector}.{ty} {list}, [{address}]{policy};"));
        } else {
            emit!(self, format!("{guard}{words}{vector}.{ty} [{address}], {list}{policy};"));
        }
    }

    /// A type, its bytes, and how many: up to 16 bytes, or 32 of global memory.
    fn element(&mut self, large: bool) -> (&'static str, u32, u32) {
        if large && self.rng.one_in(2) {
            let &(ty, bytes) = self.rng.pick(&TYPES[6..]);
            return (ty, bytes, 32 / bytes);
        }
        let &(ty, bytes) = self.rng.pick(TYPES);
        let count = *self.rng.pick(&[1, 1, 1, 2, 4, 4, 8]);
        (ty, bytes, count.min(16 / bytes))
    }

    /// The kind of register for elements, which may be wider than they are.
    fn holder(&mut self, ty: &str, bytes: u32, count: u32) -> char {
        match bytes {
            1 | 2 if count == 8 => 'r',
            4 if ty == "f32" => *self.rng.pick(if self.config.floats && count < 8 { &['f', 'r'] } else { &['r', 'r'] }),
            1 => *self.rng.pick(&['r', 'h', 'd']),
            2 => *self.rng.pick(&['h', 'r', 'd']),
            4 if count < 4 => *self.rng.pick(&['r', 'r', 'd']),
            4 => 'r',
            _ => 'd',
        }
    }

    /// Code for the address of so many aligned bytes.
    fn address(&mut self, place: Place, generic: bool, bytes: u32) -> String {
        let (base, from, limit) = match place {
            Input => ("%a10", 0, IN_BYTES as u32),
            Output => ("%a11", OUT_BYTES as u32 / 2, OUT_BYTES as u32 / 2),
            Shared if generic => ("%a14", 0, OWN_BYTES),
            Shared => ("%t13", 0, OWN_BYTES),
            Local if generic => ("%a12", 0, 64),
            Local => ("local", 0, 64),
            Const => ("table", 0, 64),
            Param => ("s", 0, PARAM_BYTES as u32),
        };
        let named = matches!(base, "local" | "table" | "s");
        let fixed = self.rng.below(limit / bytes) * bytes;
        if generic && place == Const {
            emit!(self, "mov.u64 %a1, table;\ncvta.const.u64 %a2, %a1;");
            return format!("%a2+{fixed}");
        }
        if self.rng.one_in(3) || place == Param && !self.rng.one_in(3) {
            return format!("{base}+{}", from + fixed);
        }
        // A half of the bytes by a register, the other by the offset.
        let half = (limit / 2).max(bytes);
        let register = self.reg('r');
        emit!(self, format!("and.b32 %t1, {register}, {};", (half - 1) & !(bytes - 1)));
        let rest = from + if half < limit { self.rng.below((limit - half) / bytes + 1) * bytes } else { 0 };
        if base.starts_with("%t") {
            emit!(self, format!("add.u32 %t1, {base}, %t1;"));
            return format!("%t1+{rest}");
        }
        emit!(self, "cvt.u64.u32 %a1, %t1;");
        if named {
            emit!(self, format!("mov.u64 %a2, {base};\nadd.u64 %a2, %a2, %a1;"));
        } else {
            emit!(self, format!("add.u64 %a2, {base}, %a1;"));
        }
        format!("%a2+{rest}")
    }

    /// State space and hints of a load, of 32 bytes if it is large; eight small elements (`plain`) take few hints.
    fn load_words(&mut self, place: Place, generic: bool, large: bool, plain: bool) -> String {
        let space = space(place, generic);
        let global = matches!(place, Input | Output);
        let l2 = if large { L2 } else { "" };
        let own = if place == Shared && !generic { "{.shared|.shared::cta}" } else { space };
        let own = if place == Param { "{.param|.param::entry}" } else { own };
        let pattern = match self.rng.below(6) {
            0 if place == Input => format!(".global{{|.ca|.cg|.cs}}.nc{HINT}{FETCH}"),
            1 if place == Input && !plain => format!(".global.nc{L1}{l2}{HINT}{FETCH}"),
            2 if global && !plain => format!("{{|.weak}}{space}{{|.ca|.cg|.cs|.lu|.cv}}{HINT}{FETCH}"),
            3 if global && !plain => format!("{{|.weak}}{space}{L1}{l2}{HINT}{FETCH}"),
            4 if global && !plain && (large || self.rng.one_in(2)) => {
                format!(".relaxed{SCOPE}{space}{L1}{l2}{HINT}{FETCH}")
            }
            4 if global => format!(".relaxed{SCOPE}{space}"),
            4 if place == Shared => format!(".relaxed{SCOPE}{own}"),
            5 if large => format!("{{|.weak}}{space}{HINT}"),
            5 if global && !plain => format!(".volatile{space}{FETCH}"),
            5 if !matches!(place, Const | Param) => format!(".volatile{own}"),
            _ if large => space.to_string(),
            _ => format!("{{|.weak}}{own}{{|.ca|.cg|.cs|.lu|.cv}}"),
        };
        self.words(&pattern)
    }

    fn store_words(&mut self, place: Place, generic: bool, large: bool, plain: bool) -> String {
        let space = space(place, generic);
        let global = place == Output;
        let l2 = if large { L2 } else { "" };
        let own = if place == Shared && !generic { "{.shared|.shared::cta}" } else { space };
        let pattern = match self.rng.below(5) {
            0 if global && !plain => format!("{{|.weak}}{space}{{|.wb|.cg|.cs|.wt}}.L2::cache_hint"),
            1 if global && !plain => format!("{{|.weak}}{space}{L1}{l2}{HINT}"),
            2 if global && !plain => format!(".relaxed{SCOPE}{space}{L1}{l2}{HINT}"),
            2 if global || place == Shared => format!(".relaxed{SCOPE}{own}"),
            3 if !large => format!(".volatile{own}"),
            _ => format!("{{|.weak}}{own}{{|.wb|.cg|.cs|.wt}}"),
        };
        self.words(&pattern)
    }

    /// An address goes through the generic ones and back.
    pub fn through_generic(&mut self) {
        let (to, at) = (self.reg('r'), 4 * self.rng.below(4));
        let space = *self.rng.pick(&["global", "shared", "shared::cta", "local", "const", "param", "param::entry"]);
        let from = match space {
            "global" => "%a10",
            "shared" | "shared::cta" => "own",
            "local" => "local",
            "const" => "table",
            _ => "s",
        };
        emit!(self, format!("mov.u64 %a1, {from};\ncvta.{space}.u64 %a2, %a1;"));
        if space.starts_with("shared") {
            // The first thread's part, which only that thread may look at: the own one has the same distance from it.
            emit!(self, "sub.u32 %t1, %t13, %t12;\ncvt.u64.u32 %a3, %t1;\nadd.u64 %a2, %a2, %a3;");
        }
        if self.rng.one_in(2) {
            emit!(self, format!("ld.b32 {to}, [%a2+{at}];"));
        } else {
            emit!(self, format!("cvta.to.{space}.u64 %a3, %a2;\nld.{space}.b32 {to}, [%a3+{at}];"));
        }
    }
}

fn space(place: Place, generic: bool) -> &'static str {
    match place {
        _ if generic => "",
        Input | Output => ".global",
        Shared => ".shared",
        Local => ".local",
        Const => ".const",
        Param => ".param",
    }
}
