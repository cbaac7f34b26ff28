//! Parses machine IR.

use super::{CACHE, ENCODINGS, HIDDEN_NAMES};
use crate::amd::{self, Dpp, File, Mods, Op, Sdwa, Sel, Unused};
use crate::diag::{Diag, Span, codes};
use crate::id::{EntityRef, PrimaryMap};
use crate::mir::{
    Abi, Block, FloatMode, Inst, InstKind, MirFunc, Operand, Part, Reg, RegClass, Terminator, VReg, VRegData,
};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Parses one function, finding ops in the op tables.
pub fn parse(text: &str) -> Result<MirFunc, Diag> {
    static BY_NAME: LazyLock<HashMap<&str, Op>> = LazyLock::new(|| amd::ops::all().map(|op| (op.name, op)).collect());
    parse_with(text, |name| BY_NAME.get(name).copied())
}

/// Parses one function whose ops `lookup` knows by name.
pub fn parse_with(text: &str, lookup: impl Fn(&str) -> Option<Op>) -> Result<MirFunc, Diag> {
    let func = MirFunc {
        name: String::new(),
        vregs: PrimaryMap::new(),
        blocks: PrimaryMap::new(),
        entry: Block::new(0),
        layout: vec![],
        abi: Abi::default(),
        local_bytes: 0,
        spill_bytes: 0,
        max_workgroup_items: 0,
        min_workgroups: 0,
        lds_bytes: 0,
    };
    let mut parser = Parser { cursor: Cursor { text, at: 0, mark: 0 }, lookup: &lookup, func };
    parser.func()?;
    Ok(parser.func)
}

type Res<T> = Result<T, Diag>;

/// A place in one text. Words end at white space and at the punctuation of the grammar.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Where the last word or failed expectation started, for errors.
    mark: usize,
}

impl<'a> Cursor<'a> {
    /// Skips blanks and comments, but no end of line.
    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        if self.text[self.at..].starts_with(';') {
            self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |n| self.at + n);
        }
    }

    /// Skips blanks, comments and ends of lines.
    fn lines(&mut self) {
        loop {
            self.blanks();
            if !self.text[self.at..].starts_with('\n') {
                return;
            }
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Res<()> {
        if self.eat(token) {
            return Ok(());
        }
        self.mark = self.at;
        Err(self.error(format!("expected `{token}`")))
    }

    fn word(&mut self) -> &'a str {
        self.blanks();
        let rest = &self.text[self.at..];
        self.mark = self.at;
        let end = rest.find(|c: char| c.is_whitespace() || ",=:[]|{};".contains(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// The next word without taking it.
    fn peek(&mut self) -> &'a str {
        let at = self.at;
        let word = self.word();
        self.at = at;
        word
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.word();
        }
        found
    }

    fn at_end_of_line(&mut self) -> bool {
        self.blanks();
        self.text[self.at..].starts_with('\n') || self.at == self.text.len()
    }

    fn number<T: TryFrom<i128>>(&mut self) -> Res<T> {
        let word = self.word();
        match number(word) {
            Some(n) => T::try_from(n).map_err(|_| self.error(format!("`{word}` is out of range"))),
            None => Err(self.error(format!("expected a number, not `{word}`"))),
        }
    }

    fn error(&self, message: String) -> Diag {
        let span = Span::new(self.mark as u32, self.at.max(self.mark + 1) as u32);
        Diag::error(codes::SYNTAX, span, message)
    }
}

fn number(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    lookup: &'a dyn Fn(&str) -> Option<Op>,
    func: MirFunc,
}

impl Parser<'_> {
    fn func(&mut self) -> Res<()> {
        self.cursor.lines();
        self.cursor.expect("func")?;
        self.cursor.expect("@")?;
        self.func.name = self.cursor.word().to_string();
        while !self.cursor.eat("{") {
            let name = self.cursor.word();
            self.cursor.expect("=")?;
            let value = self.cursor.number()?;
            match name {
                "min_workgroups" => self.func.min_workgroups = value,
                "max_workgroup_items" => self.func.max_workgroup_items = value,
                "local_bytes" => self.func.local_bytes = value,
                "spill_bytes" => self.func.spill_bytes = value,
                "lds_bytes" => self.func.lds_bytes = value,
                _ => return Err(self.cursor.error(format!("no function attribute `{name}`"))),
            }
        }
        loop {
            self.cursor.lines();
            let word = self.cursor.peek();
            if word.starts_with("bb") || self.cursor.at == self.cursor.text.len() {
                break;
            }
            if self.cursor.eat("}") {
                return self.finish();
            }
            self.declaration()?;
        }
        loop {
            self.cursor.lines();
            if self.cursor.eat("}") {
                return self.finish();
            }
            self.block()?;
        }
    }

    /// Whatever a block's header mentions exists; nothing else may stand behind the function.
    fn finish(&mut self) -> Res<()> {
        self.cursor.lines();
        if self.cursor.at != self.cursor.text.len() {
            return Err(self.cursor.error("text after the function".into()));
        }
        Ok(())
    }

    fn declaration(&mut self) -> Res<()> {
        let word = self.cursor.word();
        match word {
            "abi" => return self.abi(),
            "entry" => {
                self.func.entry = self.block_name()?;
                return self.end_of_line();
            }
            "hidden" => {
                let name = self.cursor.word();
                let Some(name) = HIDDEN_NAMES.iter().find(|n| **n == name) else {
                    return Err(self.cursor.error(format!("no hidden argument `{name}`")));
                };
                let argument = (*name, self.cursor.number()?, self.cursor.number()?);
                self.func.abi.hidden_args.push(argument);
                return self.end_of_line();
            }
            _ => {}
        }
        let next = self.func.vregs.len();
        if word.strip_prefix('%').and_then(|n| n.parse().ok()) != Some(next) {
            return Err(self.cursor.error(format!("expected the declaration of `%{next}` or a block, not `{word}`")));
        }
        self.cursor.expect(":")?;
        let class = self.cursor.word();
        let (class, dwords) = match (class.strip_prefix('v'), class.strip_prefix('s')) {
            (Some(n), _) => (RegClass::Vgpr, n),
            (_, Some(n)) => (RegClass::Sgpr, n),
            _ => return Err(self.cursor.error(format!("expected a class and a size, not `{class}`"))),
        };
        let Some(dwords) = dwords.parse().ok().filter(|n| (1..=32).contains(n)) else {
            return Err(self.cursor.error("expected 1 to 32 dwords".into()));
        };
        let linear = self.cursor.eat_word("linear");
        self.func.vregs.push(VRegData { class, dwords, linear });
        self.end_of_line()
    }

    fn abi(&mut self) -> Res<()> {
        while !self.cursor.at_end_of_line() {
            let word = self.cursor.word();
            let abi = &mut self.func.abi;
            match word {
                "dispatch_ptr" => abi.dispatch_ptr = true,
                "kernarg_ptr" => abi.kernarg_ptr = true,
                "flat_scratch_init" => {
                    self.cursor.expect("=")?;
                    abi.flat_scratch_init = Some(self.cursor.number()?);
                }
                "user_sgprs" => {
                    self.cursor.expect("=")?;
                    abi.user_sgprs = self.cursor.number()?;
                }
                "workitem_dims" => {
                    self.cursor.expect("=")?;
                    abi.workitem_dims = self.cursor.number()?;
                }
                "workgroup_id" => {
                    self.cursor.expect("=")?;
                    let dims = self.cursor.word();
                    abi.workgroup_id = ['x', 'y', 'z'].map(|d| dims.contains(d));
                }
                _ => return Err(self.cursor.error(format!("no ABI attribute `{word}`"))),
            }
        }
        self.end_of_line()
    }

    fn end_of_line(&mut self) -> Res<()> {
        if self.cursor.at_end_of_line() {
            Ok(())
        } else {
            Err(self.cursor.error("expected the end of the line".into()))
        }
    }

    fn block_name(&mut self) -> Res<Block> {
        let word = self.cursor.word();
        let index = word.strip_prefix("bb").and_then(|n| n.parse::<usize>().ok()).filter(|n| *n < 1 << 24);
        let Some(index) = index else {
            return Err(self.cursor.error(format!("expected a block, not `{word}`")));
        };
        while self.func.blocks.len() <= index {
            self.func.add_block();
        }
        Ok(Block::new(index))
    }

    fn block_list(&mut self) -> Res<SmallVec<[Block; 2]>> {
        let mut blocks = SmallVec::new();
        while self.cursor.peek().starts_with("bb") {
            blocks.push(self.block_name()?);
            if !self.cursor.eat(",") {
                break;
            }
        }
        Ok(blocks)
    }

    fn block(&mut self) -> Res<()> {
        let block = self.block_name()?;
        if !self.cursor.eat_word("unplaced") {
            self.func.layout.push(block);
        }
        if self.cursor.eat("->") {
            self.func.blocks[block].logical_succs = self.block_list()?;
        }
        if self.cursor.eat("|") {
            self.func.blocks[block].linear_succs = self.block_list()?;
        }
        if self.cursor.eat_word("depth") {
            self.func.blocks[block].loop_depth = self.cursor.number()?;
        }
        self.cursor.expect(":")?;
        self.end_of_line()?;
        loop {
            self.cursor.lines();
            let line = self.cursor.at;
            if let Some(term) = self.terminator()? {
                let span = self.span()?;
                let data = &mut self.func.blocks[block];
                (data.term, data.term_span) = (term, span);
                return self.end_of_line();
            }
            self.cursor.at = line;
            let inst = self.inst()?;
            self.end_of_line()?;
            self.func.blocks[block].insts.push(inst);
        }
    }

    fn terminator(&mut self) -> Res<Option<Terminator>> {
        Ok(Some(match self.cursor.word() {
            "jump" => Terminator::Jump(self.block_name()?),
            "branch_scc" => {
                let then = self.block_name()?;
                self.cursor.expect(",")?;
                Terminator::BranchScc { then, els: self.block_name()? }
            }
            "branch_mask" => {
                let mask = self.reg()?;
                self.cursor.expect(",")?;
                let then = self.block_name()?;
                self.cursor.expect(",")?;
                let els = self.block_name()?;
                Terminator::BranchMask { mask, uniform: self.cursor.eat_word("uniform"), then, els }
            }
            "switch" => {
                let index = self.reg()?;
                let mut targets = vec![];
                while self.cursor.eat(",") {
                    targets.push(self.block_name()?);
                }
                Terminator::Switch { index, targets }
            }
            "exit" => Terminator::Exit,
            "trap" => Terminator::Trap,
            "wait" => {
                let mask = self.reg()?;
                self.cursor.expect(",")?;
                Terminator::Wait { mask, next: self.block_name()? }
            }
            "barrier" => {
                let next = self.block_name()?;
                Terminator::Barrier { whole: self.cursor.eat_word("whole"), next }
            }
            "linear" => Terminator::Linear,
            _ => return Ok(None),
        }))
    }

    fn inst(&mut self) -> Res<Inst> {
        let kind = match self.cursor.peek() {
            "spill" => {
                self.cursor.word();
                let slot = self.cursor.number()?;
                self.cursor.expect(",")?;
                InstKind::Spill { slot, src: self.reg()? }
            }
            word if self.names_register(word) => self.pseudo()?,
            _ => self.op()?,
        };
        let mut inst = Inst::new(kind, Span::NONE);
        if self.cursor.eat_word("mode") {
            self.cursor.expect(":")?;
            let round_f32 = self.cursor.number()?;
            self.cursor.expect(",")?;
            let round_f64 = self.cursor.number()?;
            inst.float_mode = FloatMode { round_f32, round_f64, ftz_f32: self.cursor.eat(",") };
            if inst.float_mode.ftz_f32 {
                self.cursor.expect("ftz")?;
            }
        }
        inst.span = self.span()?;
        Ok(inst)
    }

    /// A line that starts with a register is a pseudo op with a destination.
    fn names_register(&mut self, word: &str) -> bool {
        word.starts_with('%') || phys_file(word).is_some()
    }

    fn pseudo(&mut self) -> Res<InstKind> {
        let mut dsts = vec![self.reg()?];
        while self.cursor.eat(",") {
            dsts.push(self.reg()?);
        }
        self.cursor.expect("=")?;
        let name = self.cursor.word();
        if name == "parallel_copy" {
            let mut copies = vec![];
            for (i, &dst) in dsts.iter().enumerate() {
                if i > 0 {
                    self.cursor.expect(",")?;
                }
                copies.push((dst, self.operand()?));
            }
            return Ok(InstKind::ParallelCopy(copies));
        }
        let [dst] = dsts[..] else {
            return Err(self.cursor.error(format!("`{name}` has one destination")));
        };
        Ok(match name {
            "copy" => InstKind::Copy { dst, src: self.operand()? },
            "mask_merge" => {
                let src = self.operand()?;
                self.cursor.expect(",")?;
                InstKind::MaskMerge { dst, src, scratch: self.reg()? }
            }
            "global_addr" => {
                let global = self.cursor.number()?;
                self.cursor.expect(",")?;
                InstKind::GlobalAddr { dst, global, addend: self.cursor.number()? }
            }
            "reload" => InstKind::Reload { dst, slot: self.cursor.number()? },
            "undef" => InstKind::Undef { dst },
            "live_lanes" => InstKind::LiveLanes { dst },
            _ => return Err(self.cursor.error(format!("no pseudo op `{name}`"))),
        })
    }

    fn op(&mut self) -> Res<InstKind> {
        let name = self.cursor.word();
        let Some(op) = (self.lookup)(name) else {
            return Err(self.cursor.error(format!("no op `{name}`")));
        };
        let (defs, uses) = (op.defs.len(), op.uses.len());
        let mut inst = amd::Inst::new(op, [], []);
        for i in 0..defs + uses {
            if i > 0 {
                self.cursor.expect(",")?;
            }
            if i < defs {
                inst.defs.push(self.reg()?);
            } else {
                inst.uses.push(self.operand()?);
            }
        }
        self.mods(&mut inst.mods)?;
        Ok(InstKind::Op(inst))
    }

    fn mods(&mut self, mods: &mut Mods) -> Res<()> {
        loop {
            let word = self.cursor.peek();
            if word.is_empty() || word.starts_with('@') || word == "mode" {
                return Ok(());
            }
            self.cursor.word();
            if let Some(encoding) = ENCODINGS.iter().find(|e| e.1 == word) {
                mods.encoding = encoding.0;
                continue;
            }
            if let Some(cache) = CACHE.iter().find(|c| c.1 == word) {
                mods.cache |= cache.0;
                continue;
            }
            if word == "clamp" {
                mods.clamp = true;
                continue;
            }
            self.cursor.expect(":")?;
            match word {
                "offset" => mods.offset = self.cursor.number()?,
                "offset0" => mods.offset0 = self.cursor.number()?,
                "offset1" => mods.offset1 = self.cursor.number()?,
                "neg" => mods.neg = self.cursor.number()?,
                "abs" => mods.abs = self.cursor.number()?,
                "omod" => mods.omod = self.cursor.number()?,
                "op_sel" => mods.op_sel = self.cursor.number()?,
                "op_sel_hi" => mods.op_sel_hi = self.cursor.number()?,
                "dpp" => mods.dpp = Some(self.dpp()?),
                "parts" => mods.sdwa = Some(self.sdwa()?),
                _ => return Err(self.cursor.error(format!("no modifier `{word}`"))),
            }
        }
    }

    fn dpp(&mut self) -> Res<Dpp> {
        let mut dpp = Dpp { ctrl: self.cursor.number()?, ..Dpp::default() };
        self.cursor.expect(",")?;
        dpp.row_mask = self.cursor.number()?;
        self.cursor.expect(",")?;
        dpp.bank_mask = self.cursor.number()?;
        while self.cursor.eat(",") {
            match self.cursor.word() {
                "bound_ctrl" => dpp.bound_ctrl = true,
                "fi" => dpp.fetch_inactive = true,
                word => return Err(self.cursor.error(format!("no DPP control `{word}`"))),
            }
        }
        Ok(dpp)
    }

    /// Destination part and what happens to the rest, parts of two sources, sign-extended sources: by number.
    fn sdwa(&mut self) -> Res<Sdwa> {
        let sel = |s: &mut Self| -> Res<Sel> {
            let number: usize = s.cursor.number()?;
            Sel::ALL.get(number).copied().ok_or_else(|| s.cursor.error(format!("no part {number}")))
        };
        let dst = sel(self)?;
        self.cursor.expect(",")?;
        let number: usize = self.cursor.number()?;
        let unused = Unused::ALL.get(number).copied();
        let unused = unused.ok_or_else(|| self.cursor.error(format!("nothing else is called {number}")))?;
        self.cursor.expect(",")?;
        let first = sel(self)?;
        self.cursor.expect(",")?;
        let second = sel(self)?;
        self.cursor.expect(",")?;
        Ok(Sdwa { dst, unused, src: [first, second], sext: self.cursor.number()? })
    }

    fn span(&mut self) -> Res<Span> {
        if !self.cursor.eat("@") {
            return Ok(Span::NONE);
        }
        let word = self.cursor.word();
        let ends = word.split_once("..").and_then(|(a, b)| Some(Span::new(a.parse().ok()?, b.parse().ok()?)));
        ends.ok_or_else(|| self.cursor.error(format!("expected a span, not `@{word}`")))
    }

    fn operand(&mut self) -> Res<Operand> {
        let word = self.cursor.peek();
        if let Some(value) = number(word) {
            self.cursor.word();
            let bits = u64::try_from(value).or(i64::try_from(value).map(|v| v as u64));
            return bits.map(Operand::Imm).map_err(|_| self.cursor.error(format!("`{word}` is out of range")));
        }
        if word == "off" {
            self.cursor.word();
            return Ok(Operand::Off);
        }
        if word.starts_with("bb") {
            return Ok(Operand::Label(self.block_name()?.as_u32()));
        }
        self.reg().map(Operand::Reg)
    }

    fn reg(&mut self) -> Res<Reg> {
        let word = self.cursor.word();
        if let Some(index) = word.strip_prefix('%') {
            let vreg = index.parse().ok().filter(|n| *n < self.func.vregs.len()).map(VReg::new);
            let Some(vreg) = vreg else {
                return Err(self.cursor.error(format!("`{word}` is not declared")));
            };
            let whole = self.func.vregs[vreg].dwords;
            let (first, dwords) = self.range()?.unwrap_or((0, whole as u16));
            if first + dwords > whole as u16 {
                return Err(self.cursor.error(format!("`{word}` has {whole} dwords")));
            }
            return Ok(Reg::Virt(Part { vreg, first: first as u8, dwords: dwords as u8 }));
        }
        let Some((file, named)) = phys_file(word) else {
            return Err(self.cursor.error(format!("expected a register, not `{word}`")));
        };
        let (index, dwords) = match self.range()? {
            Some(range) => range,
            None => match named {
                Some(named) => named,
                None => return Err(self.cursor.error(format!("`{word}` needs a range"))),
            },
        };
        Ok(Reg::Phys(amd::Reg::new(file, index, dwords as u8)))
    }

    /// `[first:last]` or `[first]`, as first and count.
    fn range(&mut self) -> Res<Option<(u16, u16)>> {
        if !self.cursor.eat("[") {
            return Ok(None);
        }
        let first: u16 = self.cursor.number()?;
        let last = if self.cursor.eat(":") { self.cursor.number()? } else { first };
        self.cursor.expect("]")?;
        if last < first || last - first >= 64 || last >= 2048 {
            return Err(self.cursor.error(format!("no range `[{first}:{last}]`")));
        }
        Ok(Some((first, last - first + 1)))
    }
}

/// The file that a name stands for, with index and dwords unless a range must follow.
fn phys_file(word: &str) -> Option<(File, Option<(u16, u16)>)> {
    for (name, file) in
        [("vcc", File::Vcc), ("exec", File::Exec), ("flat_scratch", File::FlatScratch), ("xnack_mask", File::XnackMask)]
    {
        match word.strip_prefix(name) {
            Some("") => return Some((file, Some((0, 2)))),
            Some("_lo") => return Some((file, Some((0, 1)))),
            Some("_hi") => return Some((file, Some((1, 1)))),
            _ => {}
        }
    }
    match word {
        "m0" => return Some((File::M0, Some((0, 1)))),
        "null" => return Some((File::Null, Some((0, 1)))),
        "scc" => return Some((File::Scc, Some((0, 1)))),
        "src_shared_base" => return Some((File::SharedBase, Some((0, 2)))),
        "src_shared_limit" => return Some((File::SharedLimit, Some((0, 2)))),
        "src_private_base" => return Some((File::PrivateBase, Some((0, 2)))),
        "src_private_limit" => return Some((File::PrivateLimit, Some((0, 2)))),
        "src_flat_scratch_base" => return Some((File::FlatScratchBase, Some((0, 2)))),
        _ => {}
    }
    for (prefix, file) in [("ttmp", File::Ttmp), ("v", File::Vgpr), ("a", File::Agpr), ("s", File::Sgpr)] {
        match word.strip_prefix(prefix) {
            Some("") => return Some((file, None)),
            Some(n) => {
                if let Some(index) = n.parse().ok().filter(|n| *n < 1024) {
                    return Some((file, Some((index, 1))));
                }
            }
            None => {}
        }
    }
    None
}
