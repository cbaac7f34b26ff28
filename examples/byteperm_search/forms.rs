//! The instructions that are searched: every vector op that moves bits, with every operand and constant that can matter.
//!
//! Left out, because they can give nothing that these do not: `v_alignbyte_b32` (a case of `v_alignbit_b32`), `v_pack_b32_f16` (of
//! `v_perm_b32`; it may also quiet a NaN), `v_and_or_b32` of two constants and the like. Not searched, and so not part of what the
//! minimum says: compares with `v_cndmask_b32`, dot products and sums of differences, 64-bit shifts (which need a register pair
//! and are `v_alignbit_b32` in each half), multiplications other than by powers of two, and 16-bit ops that write half a register
//! (gfx11 and later), which keep the other half of a register that must then die.

use warp2wave::provenance::{Modifiers, Part, Rest, Word, sdwa_result, sdwa_source, vector};

/// An operand of a form: a place (`a`, `b`, the helper) or a constant.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    Place(u8),
    Constant(u32),
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sdwa {
    pub to: Part,
    pub rest: Rest,
    pub from: Part,
    pub sext: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Form {
    pub op: &'static str,
    pub uses: Vec<Use>,
    pub mods: Modifiers,
    pub sdwa: Option<Sdwa>,
}

impl Form {
    pub fn new(op: &'static str, uses: &[Use]) -> Form {
        Form { op, uses: uses.to_vec(), mods: Modifiers::default(), sdwa: None }
    }

    pub fn eval(&self, places: &[Word]) -> Option<Word> {
        let word = |u: &Use| match *u {
            Use::Place(n) => places[n as usize],
            Use::Constant(bits) => Word::constant(bits),
        };
        let Some(sdwa) = self.sdwa else {
            let uses: Vec<Word> = self.uses.iter().map(word).collect();
            return vector(self.op, &uses, self.mods);
        };
        // The data is the last source but the old value; an amount in front of it is read as it is.
        let data = self.uses.len() - 1 - usize::from(sdwa.rest == Rest::Preserve);
        let mut uses: Vec<Word> = self.uses[..=data].iter().map(word).collect();
        uses[data] = sdwa_source(&uses[data], sdwa.from, sdwa.sext);
        let result = vector(self.op, &uses, self.mods)?;
        let old = self.uses.get(data + 1).map_or(Word::UNKNOWN, word);
        Some(sdwa_result(&result, sdwa.to, sdwa.rest, &old))
    }

    /// Constants that need a literal or a register: the same one counts once.
    pub fn literals(&self) -> u32 {
        let mut seen: Vec<u32> = vec![];
        for u in &self.uses {
            if let Use::Constant(bits) = *u
                && (!is_inline(bits) || self.sdwa.is_some())
                && !seen.contains(&bits)
            {
                seen.push(bits);
            }
        }
        seen.len() as u32
    }
}

/// AMD ISA manuals, "Operands": -16 to 64 and nine floats.
pub fn is_inline(bits: u32) -> bool {
    const FLOATS: [u32; 9] = [
        0x3f00_0000,
        0xbf00_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x4000_0000,
        0xc000_0000,
        0x4080_0000,
        0xc080_0000,
        0x3e22_f983,
    ];
    (-16..=64).contains(&(bits as i32)) || FLOATS.contains(&bits)
}

/// Every inline constant.
pub fn inline_constants() -> Vec<u32> {
    (-16..=64).map(|n: i32| n as u32).chain([0x3f00_0000, 0x3f80_0000, 0x4080_0000, 0x3e22_f983]).collect()
}

/// Masks of whole bytes, and of the top bit or all but the top bit of bytes.
fn masks() -> Vec<u32> {
    let mut out = vec![];
    for n in 0..256u32 {
        let byte = |k: u32| [0x00, 0xff, 0x80, 0x7f][(n >> (2 * k) & 3) as usize];
        let mask = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        if mask != 0 && mask != u32::MAX {
            out.push(mask);
        }
    }
    out
}

/// Every form over these places except `v_perm_b32` that reads the last of them (or any, for a first instruction).
pub fn forms(places: u8, must_read: Option<u8>, sdwa: SdwaForms) -> Vec<Form> {
    let mut out = vec![];
    let k = Use::Constant;
    let wanted = |uses: &[Use]| must_read.is_none_or(|n| uses.contains(&Use::Place(n)));
    let mut add = |op: &'static str, uses: &[Use]| {
        if wanted(uses) {
            out.push(Form::new(op, uses));
        }
    };
    let all: Vec<Use> = (0..places).map(Use::Place).collect();
    for &x in &all {
        add("v_not_b32", &[x]);
        add("v_bfrev_b32", &[x]);
        for n in 1..32 {
            add("v_lshlrev_b32", &[k(n), x]);
            add("v_lshrrev_b32", &[k(n), x]);
            add("v_ashrrev_i32", &[k(n), x]);
            for fill in [0, u32::MAX] {
                add("v_alignbit_b32", &[x, k(fill), k(n)]);
                add("v_alignbit_b32", &[k(fill), x, k(n)]);
            }
            for width in 1..=32 - n {
                add("v_bfe_u32", &[x, k(n), k(width)]);
                add("v_bfe_i32", &[x, k(n), k(width)]);
            }
            add("v_bfe_u32", &[x, k(0), k(n)]);
            add("v_bfe_i32", &[x, k(0), k(n)]);
            if n < 24 {
                add("v_mul_u32_u24", &[k(1 << n), x]);
                add("v_mul_i32_i24", &[k(1 << n), x]);
            }
        }
        for mask in masks() {
            add("v_and_b32", &[k(mask), x]);
            add("v_or_b32", &[k(mask), x]);
            add("v_xor_b32", &[k(mask), x]);
        }
    }
    for &x in &all {
        for &y in &all {
            for n in 1..32 {
                add("v_alignbit_b32", &[x, y, k(n)]);
                add("v_lshl_or_b32", &[x, k(n), y]);
                add("v_lshl_add_u32", &[x, k(n), y]);
            }
            for mask in masks() {
                add("v_bfi_b32", &[k(mask), x, y]);
                add("v_and_or_b32", &[x, k(mask), y]);
            }
            add("v_and_b32", &[x, y]);
            add("v_or_b32", &[x, y]);
            add("v_xor_b32", &[x, y]);
            for &z in &all {
                add("v_bfi_b32", &[x, y, z]);
                add("v_and_or_b32", &[x, y, z]);
            }
            // Of a select by a register, one side may be zeros or ones.
            for fill in [0, u32::MAX] {
                add("v_bfi_b32", &[x, y, k(fill)]);
                add("v_bfi_b32", &[x, k(fill), y]);
            }
        }
    }
    for &x in &all {
        if !wanted(&[x]) {
            continue;
        }
        for op in ["v_pk_lshlrev_b16", "v_pk_lshrrev_b16", "v_pk_ashrrev_i16"] {
            for (low, high) in (0..256u32).map(|n| (n & 15, n >> 4)) {
                for halves in 0..4u8 {
                    // An inline constant has zeros in its high half; both selects of the amount can name its low half.
                    let (amount, select) = match (low, high) {
                        (n, m) if n == m => (n, 0),
                        (n, 0) => (n, 2),
                        (0, n) => (n, 1),
                        (n, m) => (n | m << 16, 2),
                    };
                    // Bit 0 selects the amount's half, bit 1 the data's.
                    let mods = Modifiers {
                        op_sel: (select & 1) | (halves & 1) << 1,
                        op_sel_hi: match (low, high) {
                            (n, m) if n == m => 0,
                            (_, 0) => 1,
                            (0, _) => 0,
                            _ => 1,
                        } | (halves & 2)
                            | 0b100,
                        table: 0,
                    };
                    if low != 0 || high != 0 {
                        out.push(Form { op, uses: vec![k(amount), x], mods, sdwa: None });
                    } else if halves != 2 && op == "v_pk_lshlrev_b16" {
                        // Halves moved about, not shifted.
                        out.push(Form { op, uses: vec![k(0), x], mods, sdwa: None });
                    }
                }
            }
        }
    }
    if sdwa != SdwaForms::None {
        out.extend(sdwa_forms(&all, must_read, sdwa));
    }
    out
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SdwaForms {
    None,
    /// Zeros or the sign in the rest of the destination.
    Fresh,
    /// Also the old contents: the result takes the place of a value that must die.
    All,
}

/// SDWA takes no literal, and on GFX9 no constant at all: an amount stands in a register.
fn sdwa_forms(places: &[Use], must_read: Option<u8>, which: SdwaForms) -> Vec<Form> {
    let mut out = vec![];
    for &x in places {
        let mut ops: Vec<(&'static str, Vec<Use>)> = vec![("v_mov_b32", vec![x])];
        for n in 1..32 {
            for op in ["v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32"] {
                ops.push((op, vec![Use::Constant(n), x]));
            }
        }
        for (op, uses) in ops {
            for from in Part::ALL {
                for to in Part::ALL {
                    for sext in [false, true] {
                        for rest in [Rest::Pad, Rest::Sext] {
                            if must_read.is_none_or(|n| uses.contains(&Use::Place(n))) {
                                let sdwa = Some(Sdwa { to, rest, from, sext });
                                out.push(Form { op, uses: uses.clone(), mods: Modifiers::default(), sdwa });
                            }
                        }
                        if which != SdwaForms::All || to == Part::DWORD {
                            continue;
                        }
                        for &old in places {
                            let mut uses = uses.clone();
                            uses.push(old);
                            if must_read.is_none_or(|n| uses.contains(&Use::Place(n))) {
                                let sdwa = Some(Sdwa { to, rest: Rest::Preserve, from, sext });
                                out.push(Form { op, uses, mods: Modifiers::default(), sdwa });
                            }
                        }
                    }
                }
            }
        }
    }
    out
}
