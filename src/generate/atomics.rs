//! Atomics: of every operation, type, scope and space.
//!
//! Where others take part, all operations on one place are the same and commute, and what they return is thrown away; the thread's
//! own memory shows that as well.

use super::Generator;

/// What commutes, each at a place of eight bytes of its own; a constant where the operand must be the same for all.
const SHARED_OPS: &[(&str, &str, Option<&str>)] = &[
    ("add", "u32", None),
    ("add", "s32", None),
    ("add", "u64", None),
    ("min", "u32", None),
    ("min", "s32", None),
    ("min", "u64", None),
    ("min", "s64", None),
    ("max", "u32", None),
    ("max", "s32", None),
    ("max", "u64", None),
    ("max", "s64", None),
    ("and", "b32", None),
    ("and", "b64", None),
    ("or", "b32", None),
    ("or", "b64", None),
    ("xor", "b32", None),
    ("xor", "b64", None),
    ("inc", "u32", Some("6")),
    ("dec", "u32", Some("11")),
    ("exch", "b32", Some("77")),
    ("exch", "b64", Some("0x123456789")),
];

/// Bytes of counters.
pub const COUNTER_BYTES: usize = 8 * SHARED_OPS.len();

impl Generator<'_> {
    /// On counters of the grid or the block.
    pub fn count(&mut self) {
        let n = self.rng.below(SHARED_OPS.len() as u32);
        let (op, ty, constant) = SHARED_OPS[n as usize];
        let global = self.rng.one_in(2);
        let generic = self.rng.one_in(4);
        let scopes = if global && self.grid > 1 { "{|.gpu|.sys}" } else { "{|.cta|.cluster|.gpu|.sys}" };
        let address = match (global, generic) {
            (true, _) => format!("%a13+{}", 8 * n),
            (false, false) => format!("counts+{}", 8 * n),
            (false, true) => {
                emit!(self, "mov.u64 %a1, counts;\ncvta.shared.u64 %a2, %a1;");
                format!("%a2+{}", 8 * n)
            }
        };
        let operand = match constant {
            Some(constant) => constant.to_string(),
            None => self.operand(ty),
        };
        let words = self.atomic_words(op, ty, scopes, global, generic);
        let policy = if words.contains("cache_hint") { format!(", {}", self.reg('d')) } else { String::new() };
        let guard = self.guard();
        if op == "exch" || self.rng.one_in(3) {
            let sink = if ty.ends_with("64") { "%a3" } else { "%t1" };
            emit!(self, format!("{guard}atom{words} {sink}, [{address}], {operand}{policy};"));
        } else {
            emit!(self, format!("{guard}red{words} [{address}], {operand}{policy};"));
        }
    }

    /// On the thread's own memory: what comes back is known.
    pub fn count_alone(&mut self) {
        let (op, ty) = match self.rng.below(4) {
            0 => ("cas", *self.rng.pick(&["b32", "b64"])),
            1 => ("exch", *self.rng.pick(&["b32", "b64"])),
            _ => {
                let &(op, ty, _) = self.rng.pick(SHARED_OPS);
                (op, ty)
            }
        };
        let bytes = if ty.ends_with("64") { 8 } else { 4 };
        let (global, generic) = (self.rng.one_in(2), self.rng.one_in(4));
        let at = self.rng.below(16 / bytes) * bytes;
        let address = match (global, generic) {
            (true, _) => format!("%a11+{}", 128 + at),
            (false, false) => format!("%t13+{at}"),
            (false, true) => format!("%a14+{at}"),
        };
        let words = self.atomic_words(op, ty, "{|.cta|.cluster|.gpu|.sys}", global, generic);
        let (a, b) = (self.operand(ty), self.operand(ty));
        let to = self.reg(if bytes == 8 { 'd' } else { 'r' });
        let policy = if words.contains("cache_hint") { format!(", {}", self.reg('d')) } else { String::new() };
        if op == "cas" {
            // Half of the time with what is there.
            let space = match (generic, global) {
                (true, _) => "",
                (false, true) => ".global",
                (false, false) => ".shared",
            };
            let expected = if self.rng.one_in(2) {
                emit!(self, format!("ld{space}.{ty} {to}, [{address}];"));
                to.clone()
            } else {
                a
            };
            let guard = self.guard();
            return emit!(self, format!("{guard}atom{words} {to}, [{address}], {expected}, {b};"));
        }
        let guard = self.guard();
        if op != "exch" && self.rng.one_in(3) {
            emit!(self, format!("{guard}red{words} [{address}], {a}{policy};"));
        } else {
            emit!(self, format!("{guard}atom{words} {to}, [{address}], {a}{policy};"));
        }
    }

    fn operand(&mut self, ty: &str) -> String {
        if ty.ends_with("64") { self.reg_or('d', 64) } else { self.reg_or('r', 32) }
    }

    /// Order, scope, space, operation and type, in either order that the manual has had.
    fn atomic_words(&mut self, op: &str, ty: &str, scopes: &str, global: bool, generic: bool) -> String {
        let space = match (generic, global) {
            (true, _) => "",
            (false, true) => ".global",
            (false, false) => "{.shared|.shared::cta}",
        };
        let hint = if global && op != "cas" { "{|.L2::cache_hint}" } else { "" };
        let pattern = if self.rng.one_in(4) {
            format!("{space}{scopes}{{|.relaxed}}.{op}{hint}.{ty}")
        } else {
            format!("{{|.relaxed}}{scopes}{space}.{op}{hint}.{ty}")
        };
        self.words(&pattern)
    }
}
