//! Reads the text form.

use crate::diag::{Diag, Span, codes};
use crate::id::EntityRef;
use crate::ir::byteperm::ByteSel;
use crate::ir::lanemap::{LaneMap, ShuffleMode};
use crate::ir::*;
use smallvec::SmallVec;

/// Reads one function: its name and itself.
pub fn parse(source: &str) -> Result<(String, Func), Diag> {
    Parser { source, at: 0, func: Func::new(), defined: Vec::new(), laid_out: Vec::new() }.function()
}

struct Parser<'a> {
    source: &'a str,
    at: usize,
    func: Func,
    /// Whether a value, by number, has been defined.
    defined: Vec<bool>,
    /// Whether a block, by number, has been read.
    laid_out: Vec<bool>,
}

type Parsed<T> = Result<T, Diag>;

impl<'a> Parser<'a> {
    fn function(mut self) -> Parsed<(String, Func)> {
        self.func.order.clear();
        self.blank();
        self.word("func")?;
        self.expect("@")?;
        let name = self.take(|c| !c.is_whitespace() && c != '{').to_string();
        self.expect("{")?;
        self.blank();
        while !self.eat("}") {
            self.block()?;
            self.blank();
        }
        let Some(&entry) = self.func.order.first() else { return self.fail("a function needs a block") };
        self.func.entry = entry;
        for &block in &self.func.order {
            let data = &self.func.blocks[block];
            let of_insts = data.insts.iter().flat_map(|&i| self.func.insts[i].args.iter().copied());
            let of_edges = data.term.edges().into_iter().flat_map(|e| e.args.iter().copied());
            if let Some(value) =
                of_insts.chain(data.term.condition()).chain(of_edges).find(|v| !self.defined[v.index()])
            {
                return self.fail(format!("{value} has no definition"));
            }
        }
        Ok((name, self.func))
    }

    fn block(&mut self) -> Parsed<()> {
        let block = self.block_id()?;
        if self.laid_out.len() <= block.index() {
            self.laid_out.resize(block.index() + 1, false);
        }
        if std::mem::replace(&mut self.laid_out[block.index()], true) {
            return self.fail(format!("{block} is there twice"));
        }
        self.func.order.push(block);
        if self.eat("(") {
            loop {
                let value = self.value()?;
                self.expect(":")?;
                let word = self.ident();
                let Some(ty) = Type::from_word(word) else { return self.fail("a type is expected") };
                let n = self.func.blocks[block].params.len() as u16;
                self.define(value, ty, ValueDef::Param(block, n))?;
                self.func.blocks[block].params.push(value);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect(":")?;
        loop {
            self.blank();
            if let Some(term) = self.terminator()? {
                let span = self.span_comment();
                let data = &mut self.func.blocks[block];
                data.term = term;
                data.term_span = span;
                return Ok(());
            }
            self.inst(block)?;
        }
    }

    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let start = self.at;
        let term = match self.ident() {
            "jump" => Terminator::Jump(self.edge()?),
            "branch" => {
                let cond = self.value()?;
                self.expect(",")?;
                let then = self.edge()?;
                self.expect(",")?;
                Terminator::Branch { cond, then, els: self.edge()? }
            }
            "switch" => {
                let index = self.value()?;
                let mut targets = Vec::new();
                while self.eat(",") {
                    targets.push(self.edge()?);
                }
                Terminator::Switch { index, targets }
            }
            "exit" => Terminator::Exit,
            "trap" => Terminator::Trap,
            "wait" => {
                let cond = self.value()?;
                self.expect(",")?;
                Terminator::Wait { cond, next: self.edge()? }
            }
            "barrier" => {
                let whole = self.eat(".whole");
                Terminator::Barrier { barrier: Barrier { whole }, next: self.edge()? }
            }
            _ => {
                self.at = start;
                return Ok(None);
            }
        };
        Ok(Some(term))
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let block = self.block_id()?;
        let mut args = SmallVec::new();
        if self.eat("(") {
            loop {
                args.push(self.value()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(Edge { block, args })
    }

    fn inst(&mut self, block: Block) -> Parsed<()> {
        let mut results: SmallVec<[Value; 2]> = SmallVec::new();
        if self.peek() == Some('%') {
            loop {
                results.push(self.value()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("=")?;
        }
        self.space();
        let start = self.at;
        let words = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.').to_string();
        let words: Vec<&str> = words.split('.').collect();
        let mut args = SmallVec::new();
        let op = self.op(&words, &mut args).map_err(|mut diag| {
            if diag.message.is_empty() {
                diag.message = format!("no op is called {:?}", words.join("."));
                diag.span = Span::new(start as u32, self.at as u32);
            }
            diag
        })?;
        let types = op.results();
        if types.len() != results.len() {
            return self.fail(format!("{} results are expected, not {}", types.len(), results.len()));
        }
        let span = self.span_comment();
        let inst = self.func.insts.push(InstData { op, args, results: results.clone() });
        self.func.spans[inst] = span;
        for (n, (value, ty)) in results.into_iter().zip(types).enumerate() {
            self.define(value, ty, ValueDef::Result(inst, n as u16))?;
        }
        self.func.blocks[block].insts.push(inst);
        Ok(())
    }

    /// The op named by the words, with its constants; its arguments go to `args`. An unknown op fails with an empty message.
    fn op(&mut self, words: &[&str], args: &mut SmallVec<[Value; 4]>) -> Parsed<Op> {
        let unknown = || Diag::error(codes::SYNTAX, Span::NONE, "");
        let signed = |word: &str| match word {
            "s" => Ok(true),
            "u" => Ok(false),
            _ => Err(unknown()),
        };
        macro_rules! from {
            ($ty:ident, $word:expr) => {
                $ty::from_word($word).ok_or_else(unknown)?
            };
        }
        let op = match *words {
            ["const", "b32"] => Op::Const32(self.number()? as u32),
            ["const", "b64"] => Op::Const64(self.number()? as u64),
            ["const", "pred"] => Op::ConstPred(match self.ident() {
                "true" => true,
                "false" => false,
                _ => return self.fail("true or false is expected"),
            }),
            ["global_addr"] => {
                self.expect("[")?;
                self.expect("@g")?;
                let global = Global::from_u32(self.number()? as u32);
                self.expect(",")?;
                let offset = self.number()? as i64;
                self.expect("]")?;
                Op::GlobalAddr(global, offset)
            }
            ["byteperm"] => Op::BytePerm(self.byte_sels(args)?),
            ["load", ref mem @ ..] => {
                let mut mem = mem_from(mem).ok_or_else(unknown)?;
                self.address(&mut mem, args)?;
                Op::Load(mem)
            }
            ["store", ref mem @ ..] => {
                let mut mem = mem_from(mem).ok_or_else(unknown)?;
                self.address(&mut mem, args)?;
                Op::Store(mem)
            }
            ["atomic", op, width, ref mem @ ..] => {
                let (op, width) = (from!(AtomicOp, op), from!(Width, width));
                let mut mem = mem_from(mem).ok_or_else(unknown)?;
                self.address(&mut mem, args)?;
                Op::Atomic { op, width, mem }
            }
            ["lop3"] => {
                self.expect("[")?;
                let table = self.number()? as u8;
                self.expect("]")?;
                Op::Lop3(table)
            }
            ["undef", ty] => Op::Undef(from!(Type, ty)),
            ["special", name] => Op::Special(from!(Special, name)),
            ["param_base"] => Op::ParamBase,
            ["aperture", name] => Op::Aperture(from!(Aperture, name)),
            ["pack64"] => Op::Pack64,
            ["lo"] => Op::Lo,
            ["hi"] => Op::Hi,
            ["int", op, w] => Op::Int(from!(IntOp, op), from!(Width, w)),
            ["unary", op, w] => Op::Unary(from!(UnaryOp, op), from!(Width, w)),
            ["mul_wide", s] => Op::MulWide { signed: signed(s)? },
            ["mad24", s] => Op::Mad24 { signed: signed(s)? },
            ["mul24_hi", s] => Op::Mul24Hi { signed: signed(s)? },
            ["add_carry", w] => Op::AddCarry(from!(Width, w)),
            ["sub_borrow", w] => Op::SubBorrow(from!(Width, w)),
            ["funnel_shr"] => Op::FunnelShr,
            ["bfe", s] => Op::Bfe { signed: signed(s)? },
            ["bit_select"] => Op::BitSelect,
            ["sad", s] => Op::Sad { signed: signed(s)? },
            ["dot4", a, b] => Op::Dot4 { a_signed: signed(a)?, b_signed: signed(b)? },
            ["prmt", mode] => Op::PrmtDynamic(from!(PrmtMode, mode)),
            ["cmp", op, w] => Op::Cmp(from!(CmpOp, op), from!(Width, w)),
            ["pred", "not"] => Op::PredNot,
            ["pred", op] => Op::PredBin(from!(PredOp, op)),
            ["select", ty] => Op::Select(from!(Type, ty)),
            ["float", op, ty, ref env @ ..] => {
                Op::Float(from!(FloatOp, op), from!(FloatTy, ty), env_from(env).ok_or_else(unknown)?)
            }
            ["fcmp", op, ty, ref env @ ..] => {
                Op::FCmp(from!(FCmpOp, op), from!(FloatTy, ty), env_from(env).ok_or_else(unknown)?)
            }
            ["int_to_float", from, to, ref env @ ..] => {
                let (signed, from) = int_type(from).ok_or_else(unknown)?;
                Op::IntToFloat { signed, from, to: from!(FloatTy, to), env: env_from(env).ok_or_else(unknown)? }
            }
            ["float_to_int", from, to, round, ref ftz @ ..] => {
                let (signed, to) = int_type(to).ok_or_else(unknown)?;
                let ftz = match *ftz {
                    [] => false,
                    ["ftz"] => true,
                    _ => return Err(unknown()),
                };
                Op::FloatToInt { signed, from: from!(FloatTy, from), to, round: from!(Round, round), ftz }
            }
            ["rcp", "f32"] => Op::RcpF32,
            ["approx", op] => Op::Approx { op: from!(ApproxOp, op), ftz: false },
            ["approx", op, "ftz"] => Op::Approx { op: from!(ApproxOp, op), ftz: true },
            ["float_convert", from, to, ref env @ ..] => Op::FloatConvert {
                from: from!(FloatTy, from),
                to: from!(FloatTy, to),
                env: env_from(env).ok_or_else(unknown)?,
            },
            ["fence", scope] => Op::Fence(from!(Scope, scope)),
            ["ballot"] => Op::Ballot,
            ["live_lanes"] => Op::LiveLanes,
            ["from_first_lane"] => Op::FromFirstLane,
            ["bar", kind, ref words @ ..] => {
                let (counted, aligned) = match *words {
                    [] => (false, false),
                    ["counted"] => (true, false),
                    ["aligned"] => (false, true),
                    ["counted", "aligned"] => (true, true),
                    _ => return Err(unknown()),
                };
                Op::Bar(Bar { kind: from!(BarKind, kind), counted, aligned })
            }
            ["shuffle", mode] => Op::Shuffle(from!(ShuffleMode, mode)),
            ["lane_read"] => Op::LaneRead,
            ["lane_perm"] => Op::LanePerm(self.lane_map()?),
            ["lane_bits"] => {
                self.expect("[")?;
                let bits = self.number()? as u32;
                self.expect("]")?;
                Op::LaneBits(bits)
            }
            ["warp_sync"] => Op::WarpSync,
            ["warp_barrier"] => Op::WarpBarrier,
            _ => return Err(unknown()),
        };
        if args.is_empty() && self.peek() == Some('%') {
            args.push(self.value()?);
            while self.eat(",") {
                args.push(self.value()?);
            }
        }
        Ok(op)
    }

    /// `[%2.0, sign %3.1, zero, ones]`: each source becomes an argument once, in order of appearance.
    fn byte_sels(&mut self, args: &mut SmallVec<[Value; 4]>) -> Parsed<[ByteSel; 4]> {
        let mut sels = [ByteSel::Zero; 4];
        self.expect("[")?;
        for (n, sel) in sels.iter_mut().enumerate() {
            if n > 0 {
                self.expect(",")?;
            }
            if self.peek() != Some('%') {
                match self.ident() {
                    "zero" => continue,
                    "ones" => {
                        *sel = ByteSel::Ones;
                        continue;
                    }
                    "sign" => *sel = ByteSel::Sign(0, 0),
                    _ => return self.fail("a byte selector is expected"),
                }
            }
            let value = self.value()?;
            self.expect(".")?;
            let byte = self.number()?;
            if !(0..4).contains(&byte) {
                return self.fail("a byte of a dword is 0 to 3");
            }
            let source = args.iter().position(|&a| a == value).unwrap_or_else(|| {
                args.push(value);
                args.len() - 1
            });
            *sel = match sel {
                ByteSel::Sign(..) => ByteSel::Sign(source as u8, byte as u8),
                _ => ByteSel::Byte(source as u8, byte as u8),
            };
        }
        self.expect("]")?;
        Ok(sels)
    }

    /// `[1,0,3,2, ...]`: 32 threads.
    fn lane_map(&mut self) -> Parsed<LaneMap> {
        let mut sources = [0; 32];
        for (n, from) in sources.iter_mut().enumerate() {
            self.expect(if n == 0 { "[" } else { "," })?;
            match self.number()? {
                number @ 0..32 => *from = number as u8,
                _ => return self.fail("a thread of a warp is 0 to 31"),
            }
        }
        self.expect("]")?;
        Ok(LaneMap::new(|lane| sources[lane as usize]))
    }

    /// `[%1 + 4], %2, %3`, or `[16]` in the parameter space.
    fn address(&mut self, mem: &mut Mem, args: &mut SmallVec<[Value; 4]>) -> Parsed<()> {
        self.expect("[")?;
        if mem.space == Space::Param {
            mem.offset = self.number()? as i32;
        } else {
            args.push(self.value()?);
            if self.eat("+") {
                mem.offset = self.number()? as i32;
            } else if self.eat("-") {
                mem.offset = -self.number()? as i32;
            }
        }
        self.expect("]")?;
        while self.eat(",") {
            args.push(self.value()?);
        }
        Ok(())
    }

    fn value(&mut self) -> Parsed<Value> {
        self.expect("%")?;
        let number = self.id_number()?;
        while self.func.values.len() <= number {
            let filler = ValueData { ty: Type::B32, def: ValueDef::Param(Block::from_u32(0), u16::MAX) };
            self.func.values.push(filler);
            self.defined.push(false);
        }
        Ok(Value::from_u32(number as u32))
    }

    fn define(&mut self, value: Value, ty: Type, def: ValueDef) -> Parsed<()> {
        if std::mem::replace(&mut self.defined[value.index()], true) {
            return self.fail(format!("{value} is defined twice"));
        }
        self.func.values[value] = ValueData { ty, def };
        Ok(())
    }

    fn block_id(&mut self) -> Parsed<Block> {
        self.expect("bb")?;
        let number = self.id_number()?;
        while self.func.blocks.len() <= number {
            self.func.add_block();
        }
        Ok(Block::from_u32(number as u32))
    }

    /// The number of an id. It is bounded by the text, so that a huge one does not fill the memory.
    fn id_number(&mut self) -> Parsed<usize> {
        let digits = self.take(|c| c.is_ascii_digit());
        match digits.parse::<usize>() {
            Ok(n) if n <= self.source.len() * 4 => Ok(n),
            _ => self.fail("an id is expected"),
        }
    }

    fn number(&mut self) -> Parsed<i128> {
        self.space();
        let negative = self.eat("-");
        let text = self.take(|c| c.is_ascii_alphanumeric()).to_string();
        let number = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => text.parse::<u64>().ok(),
        };
        match number {
            Some(n) if negative => Ok(-i128::from(n)),
            Some(n) => Ok(i128::from(n)),
            None => self.fail("a number is expected"),
        }
    }

    /// `; from a-b` before the end of the line.
    fn span_comment(&mut self) -> Span {
        let line = self.source[self.at..].lines().next().unwrap_or("");
        let comment = line.trim_start().strip_prefix("; from ");
        let span = comment.and_then(|c| {
            let (start, rest) = c.split_once('-')?;
            let end = rest.split(|c: char| !c.is_ascii_digit()).next()?;
            Some(Span::new(start.parse().ok()?, end.parse().ok()?))
        });
        span.unwrap_or(Span::NONE)
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.ident() == word { Ok(()) } else { self.fail(format!("{word:?} is expected")) }
    }

    fn ident(&mut self) -> &'a str {
        self.space();
        self.take(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    fn take(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.source[self.at..];
        let len = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn space(&mut self) {
        self.take(|c| c == ' ' || c == '\t');
    }

    /// Skips white space, newlines and comments.
    fn blank(&mut self) {
        loop {
            self.take(char::is_whitespace);
            if !self.source[self.at..].starts_with(';') {
                return;
            }
            self.take(|c| c != '\n');
        }
    }

    fn peek(&mut self) -> Option<char> {
        self.space();
        self.source[self.at..].chars().next()
    }

    fn eat(&mut self, text: &str) -> bool {
        self.space();
        let there = self.source[self.at..].starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { self.fail(format!("{text:?} is expected")) }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let end = (self.at + 1).min(self.source.len());
        Err(Diag::error(codes::SYNTAX, Span::new(self.at as u32, end as u32), message))
    }
}

fn env_from(words: &[&str]) -> Option<FloatEnv> {
    let mut env = FloatEnv::default();
    for &word in words {
        match word {
            "ftz" => env.ftz = true,
            "sat" => env.sat = true,
            _ => env.round = Round::from_word(word)?,
        }
    }
    Some(env)
}

/// `s32`: signed, 32 bits.
fn int_type(word: &str) -> Option<(bool, Width)> {
    Some(match word {
        "s32" => (true, Width::W32),
        "u32" => (false, Width::W32),
        "s64" => (true, Width::W64),
        "u64" => (false, Width::W64),
        _ => return None,
    })
}

fn mem_from(words: &[&str]) -> Option<Mem> {
    let (space, element, rest) = match *words {
        [space, element, ref rest @ ..] => (Space::from_word(space)?, element, rest),
        _ => return None,
    };
    let (signed, bits) = match element.split_at_checked(1)? {
        ("s", bits) => (true, bits),
        ("u", bits) => (false, bits),
        _ => return None,
    };
    let mut mem = Mem::new(space, (bits.parse::<u8>().ok()?) / 8);
    mem.signed = signed;
    for &word in rest {
        if let Some(order) = Order::from_word(word) {
            mem.order = order;
        } else if let Some(scope) = Scope::from_word(word) {
            mem.scope = scope;
        } else if let Some(count) = word.strip_prefix('v') {
            mem.count = count.parse().ok()?;
        } else if word == "nt" {
            mem.nontemporal = true;
        } else {
            return None;
        }
    }
    Some(mem)
}
