//! An interpreter of the IR, for one thread: the judge of what passes do. It knows the IR's definitions only.
//!
//! Memory that nothing has written holds a function of its address. Float ops round to nearest with the host's f32;
//! other roundings are opaque functions of their arguments, which passes must leave alone anyway.

use std::collections::HashMap;
use warp2wave::id::{EntityRef, SecondaryMap};
use warp2wave::ir::byteperm::ByteSel;
use warp2wave::ir::lanemap::ShuffleMode;
use warp2wave::ir::*;

/// What a thread did to memory, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    Store(Space, u64, u8, u64),
    Atomic(AtomicOp, u64, Vec<u64>),
    Fence,
    Barrier,
    Exit,
    Trap,
}

/// Stores as their bytes: whether several bytes go to memory one by one or as a dword is the optimiser's choice.
pub fn by_byte(events: Vec<Event>) -> Vec<Event> {
    let bytes = |event| match event {
        Event::Store(space, at, bytes, value) => {
            (0..bytes).map(|n| Event::Store(space, at + u64::from(n), 1, value >> (8 * n) & 0xff)).collect()
        }
        other => vec![other],
    };
    events.into_iter().flat_map(bytes).collect()
}

pub struct Machine<'a> {
    pub globals: &'a [GlobalData],
    /// Values of special registers.
    pub special: fn(Special) -> u32,
    /// Added to the bits of each reciprocal.
    pub rcp_ulps: i32,
    pub steps: usize,
    pub params: &'a [u8],
    memory: HashMap<(u8, u64), u8>,
    pub events: Vec<Event>,
    /// Whether the thread ended within its steps.
    pub ended: bool,
}

const SHARED_HIGH: u32 = 0x0001_0000;
const LOCAL_HIGH: u32 = 0x0002_0000;
const PARAMS_HIGH: u32 = 0x5555;
const GLOBALS: u64 = 0x7f00_0000_0000;

impl<'a> Machine<'a> {
    pub fn new(params: &'a [u8], globals: &'a [GlobalData]) -> Machine<'a> {
        let special = |s| match s {
            Special::NtidX | Special::NtidY | Special::NtidZ => 4,
            Special::NctaidX | Special::NctaidY | Special::NctaidZ => 3,
            Special::GridX | Special::GridY | Special::GridZ => 12,
            Special::TidX => 2,
            Special::LaneId => 2,
            Special::LanemaskEq => 4,
            Special::LanemaskLt => 3,
            Special::LanemaskLe => 7,
            Special::LanemaskGe => !3,
            Special::LanemaskGt => !7,
            Special::CtaidX => 1,
            _ => 0,
        };
        Machine {
            globals,
            special,
            rcp_ulps: 0,
            steps: 20_000,
            params,
            memory: HashMap::new(),
            events: Vec::new(),
            ended: false,
        }
    }

    fn byte(&self, space: Space, at: u64) -> u8 {
        let space_key = key(space);
        if let Some(&byte) = self.memory.get(&(space_key, at)) {
            return byte;
        }
        if space_key == 0 && at >= GLOBALS {
            let global = ((at - GLOBALS) >> 32) as usize;
            let offset = (at & 0xffff_ffff) as usize;
            if let Some(data) = self.globals.get(global)
                && (offset as u64) < data.size_bytes
            {
                return data.init.get(offset).copied().unwrap_or(0);
            }
        }
        if space_key == 3 {
            return self.params.get(at as usize).copied().unwrap_or(0);
        }
        // Small bytes make loops over loaded counts end.
        (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8 & 0x37
    }

    fn read(&self, space: Space, at: u64, bytes: u8) -> u64 {
        (0..bytes).fold(0, |v, n| v | u64::from(self.byte(space, at.wrapping_add(u64::from(n)))) << (8 * n))
    }

    fn write(&mut self, space: Space, at: u64, bytes: u8, value: u64) {
        for n in 0..bytes {
            self.memory.insert((key(space), at.wrapping_add(u64::from(n))), (value >> (8 * n)) as u8);
        }
        let mask = if bytes == 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        self.events.push(Event::Store(space, at, bytes, value & mask));
    }

    /// Runs from the entry to the end, or until the steps are used up.
    pub fn run(&mut self, func: &Func) {
        let mut values: SecondaryMap<Value, u64> = SecondaryMap::new();
        let mut block = func.entry;
        for _ in 0..self.steps {
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                let args: Vec<u64> = data.args.iter().map(|&a| values[a]).collect();
                let results = self.inst(&data.op, &args);
                for (&result, value) in data.results.iter().zip(results) {
                    values[result] = match func.ty(result) {
                        Type::Pred => value & 1,
                        Type::B32 => value & 0xffff_ffff,
                        Type::B64 => value,
                    };
                }
            }
            let edge = match &func.blocks[block].term {
                Terminator::Jump(edge) => edge,
                Terminator::Branch { cond, then, els } => {
                    if values[*cond] != 0 {
                        then
                    } else {
                        els
                    }
                }
                Terminator::Switch { index, targets } => match targets.get(values[*index] as usize) {
                    Some(edge) => edge,
                    None => return,
                },
                Terminator::Wait { next, .. } => next,
                Terminator::Barrier { next, .. } => {
                    self.events.push(Event::Barrier);
                    next
                }
                Terminator::Exit | Terminator::Trap => {
                    let exit = func.blocks[block].term == Terminator::Exit;
                    self.events.push(if exit { Event::Exit } else { Event::Trap });
                    self.ended = true;
                    return;
                }
            };
            let args: Vec<u64> = edge.args.iter().map(|&a| values[a]).collect();
            for (&param, arg) in func.blocks[edge.block].params.iter().zip(args) {
                values[param] = arg;
            }
            block = edge.block;
        }
    }

    fn place(&self, mem: &Mem, args: &[u64]) -> (Space, u64) {
        match mem.space {
            Space::Param => (Space::Param, mem.offset as u64),
            Space::Shared | Space::Local => (mem.space, u64::from((args[0] as u32).wrapping_add(mem.offset as u32))),
            Space::Global | Space::Const | Space::Generic => {
                let at = args[0].wrapping_add(i64::from(mem.offset) as u64);
                match (at >> 32) as u32 {
                    SHARED_HIGH => (Space::Shared, at & 0xffff_ffff),
                    LOCAL_HIGH => (Space::Local, at & 0xffff_ffff),
                    PARAMS_HIGH => (Space::Param, at & 0xffff_ffff),
                    _ => (Space::Global, at),
                }
            }
        }
    }

    fn inst(&mut self, op: &Op, args: &[u64]) -> Vec<u64> {
        match op {
            Op::Load(mem) => {
                let (space, at) = self.place(mem, args);
                (0..u64::from(mem.count))
                    .map(|n| {
                        let v = self.read(space, at.wrapping_add(n * u64::from(mem.bytes)), mem.bytes);
                        let shift = 64 - 8 * u32::from(mem.bytes);
                        if mem.signed { ((v << shift) as i64 >> shift) as u64 } else { v }
                    })
                    .collect()
            }
            Op::Store(mem) => {
                let (space, at) = self.place(mem, args);
                for (n, &value) in args[1..].iter().enumerate() {
                    self.write(space, at.wrapping_add(n as u64 * u64::from(mem.bytes)), mem.bytes, value);
                }
                vec![]
            }
            Op::Atomic { op, width, mem } => {
                let (space, at) = self.place(mem, args);
                let bytes = (width.bits() / 8) as u8;
                let old = self.read(space, at, bytes);
                self.events.push(Event::Atomic(*op, at, args[1..].to_vec()));
                self.write(space, at, bytes, old.wrapping_add(args[1]));
                vec![old]
            }
            Op::Fence(_) => {
                self.events.push(Event::Fence);
                vec![]
            }
            Op::Special(s) => vec![u64::from((self.special)(*s))],
            // One thread alone, in a warp where the others have values of their own.
            Op::Ballot => vec![args[0] << (self.special)(Special::LaneId) | 1 << 31],
            Op::FromFirstLane => vec![args[0]],
            Op::LaneBits(bits) => vec![u64::from(bits >> (self.special)(Special::LaneId) & 1)],
            Op::WarpSync | Op::WarpBarrier => vec![],
            // The others have the same value: what moves it among them may move behind what computes with it.
            Op::Shuffle(mode) => {
                let lane = u64::from((self.special)(Special::LaneId));
                vec![args[0], u64::from(in_range(*mode, lane, args[1], args[2]))]
            }
            Op::LanePerm(_) | Op::LaneRead => vec![args[0]],
            Op::RcpF32 => {
                let x = f32::from_bits(args[0] as u32);
                let bits = (1.0 / x).to_bits();
                let normal = (1.0 / x).is_normal();
                vec![u64::from(if normal { bits.wrapping_add_signed(self.rcp_ulps) } else { bits })]
            }
            op => pure(op, args),
        }
    }
}

/// PTX ISA, "shfl": whether the source of a thread is in range.
fn in_range(mode: ShuffleMode, lane: u64, b: u64, c: u64) -> bool {
    let (lane, b, clamp, segment) = (lane as i64, b as i64 & 31, c as i64 & 31, c as i64 >> 8 & 31);
    let (least, most) = (lane & segment, lane & segment | clamp & !segment);
    match mode {
        ShuffleMode::Up => lane - b >= most,
        ShuffleMode::Down => lane + b <= most,
        ShuffleMode::Bfly => lane ^ b <= most,
        ShuffleMode::Idx => least | b & !segment <= most,
    }
}

fn key(space: Space) -> u8 {
    match space {
        Space::Global | Space::Const | Space::Generic => 0,
        Space::Shared => 1,
        Space::Local => 2,
        Space::Param => 3,
    }
}

/// An arbitrary function of an op and its arguments.
fn opaque(op: &Op, args: &[u64]) -> u64 {
    let mut hash = format!("{op:?}").bytes().fold(1u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
    for arg in args {
        hash = (hash.rotate_left(17) ^ arg).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash
}

pub fn pure(op: &Op, a: &[u64]) -> Vec<u64> {
    let d = |n: usize| a[n] as u32;
    let s = |n: usize| a[n] as u32 as i32;
    let f = |n: usize| f32::from_bits(a[n] as u32);
    let one = |v: u64| vec![v];
    let dword = |v: u32| vec![u64::from(v)];
    let plain = |env: &FloatEnv| env.round == Round::NearestEven && !env.ftz && !env.sat;
    match *op {
        Op::Const32(v) => dword(v),
        Op::Const64(v) => one(v),
        Op::ConstPred(v) => one(u64::from(v)),
        Op::Undef(_) => one(0),
        Op::GlobalAddr(g, offset) => one((GLOBALS + ((g.index() as u64) << 32)).wrapping_add(offset as u64)),
        Op::ParamBase => one(0x5555_0000_0000),
        Op::Aperture(Aperture::Shared) => dword(SHARED_HIGH),
        Op::Aperture(Aperture::Local) => dword(LOCAL_HIGH),
        Op::Pack64 => one(a[0] | a[1] << 32),
        Op::Lo => dword(d(0)),
        Op::Hi => one(a[0] >> 32),
        Op::Int(op, Width::W32) => dword(int32(op, d(0), d(1))),
        Op::Int(op, Width::W64) => one(int64(op, a[0], a[1])),
        Op::Unary(op, Width::W32) => dword(match op {
            UnaryOp::Not => !d(0),
            UnaryOp::Neg => 0u32.wrapping_sub(d(0)),
            UnaryOp::Popc => d(0).count_ones(),
            UnaryOp::Ffbh => {
                if d(0) == 0 {
                    u32::MAX
                } else {
                    d(0).leading_zeros()
                }
            }
            UnaryOp::Ffbl => {
                if d(0) == 0 {
                    u32::MAX
                } else {
                    d(0).trailing_zeros()
                }
            }
            UnaryOp::Brev => d(0).reverse_bits(),
        }),
        Op::Unary(op, Width::W64) => one(match op {
            UnaryOp::Not => !a[0],
            UnaryOp::Neg => 0u64.wrapping_sub(a[0]),
            UnaryOp::Popc => u64::from(a[0].count_ones()),
            UnaryOp::Ffbh => {
                if a[0] == 0 {
                    u64::MAX
                } else {
                    u64::from(a[0].leading_zeros())
                }
            }
            UnaryOp::Ffbl => {
                if a[0] == 0 {
                    u64::MAX
                } else {
                    u64::from(a[0].trailing_zeros())
                }
            }
            UnaryOp::Brev => a[0].reverse_bits(),
        }),
        Op::MulWide { signed: true } => one((i64::from(s(0)) * i64::from(s(1))) as u64),
        Op::MulWide { signed: false } => one(u64::from(d(0)) * u64::from(d(1))),
        Op::Mad24 { signed } => {
            let part = |v: i32| if signed { i64::from(v << 8 >> 8) } else { i64::from(v as u32 & 0xffffff) };
            dword(((part(s(0)) * part(s(1))) as u32).wrapping_add(d(2)))
        }
        Op::Mul24Hi { signed } => {
            let part = |v: i32| if signed { i64::from(v << 8 >> 8) } else { i64::from(v as u32 & 0xffffff) };
            dword(((part(s(0)) * part(s(1))) >> 16) as u32)
        }
        Op::AddCarry(Width::W32) => {
            let sum = u64::from(d(0)) + u64::from(d(1)) + a[2];
            vec![sum & 0xffff_ffff, sum >> 32]
        }
        Op::AddCarry(Width::W64) => {
            let sum = u128::from(a[0]) + u128::from(a[1]) + u128::from(a[2]);
            vec![sum as u64, (sum >> 64) as u64]
        }
        Op::SubBorrow(Width::W32) => {
            let difference = i64::from(d(0)) - i64::from(d(1)) - a[2] as i64;
            vec![difference as u64 & 0xffff_ffff, u64::from(difference < 0)]
        }
        Op::SubBorrow(Width::W64) => {
            let difference = i128::from(a[0]) - i128::from(a[1]) - i128::from(a[2]);
            vec![difference as u64, u64::from(difference < 0)]
        }
        Op::Lop3(table) => dword((0..32).fold(0, |out, bit| {
            let row = (d(0) >> bit & 1) << 2 | (d(1) >> bit & 1) << 1 | d(2) >> bit & 1;
            out | u32::from(table >> row & 1) << bit
        })),
        Op::FunnelShr => {
            let n = d(2) % 32;
            dword(if n == 0 { d(1) } else { d(1) >> n | d(0) << (32 - n) })
        }
        Op::Bfe { signed } => {
            let (pos, len) = (d(1) % 32, d(2) % 32);
            let mut out = 0;
            for n in 0..32u32 {
                let at = pos + n.min(len.saturating_sub(1));
                let inside = n < len;
                let bit = if len == 0 {
                    0
                } else if inside {
                    if pos + n < 32 {
                        d(0) >> (pos + n) & 1
                    } else if signed {
                        d(0) >> 31
                    } else {
                        0
                    }
                } else if signed {
                    d(0) >> at.min(31) & 1
                } else {
                    0
                };
                out |= bit << n;
            }
            dword(out)
        }
        Op::BitSelect => {
            dword((0..32).fold(0, |out, bit| out | (if d(0) >> bit & 1 != 0 { d(1) } else { d(2) }) & 1 << bit))
        }
        Op::Sad { signed: true } => dword(d(2).wrapping_add((i64::from(s(0)) - i64::from(s(1))).unsigned_abs() as u32)),
        Op::Sad { signed: false } => {
            dword(d(2).wrapping_add((i64::from(d(0)) - i64::from(d(1))).unsigned_abs() as u32))
        }
        Op::Dot4 { a_signed, b_signed } => {
            let part = |v: u32, n: usize, signed: bool| {
                let byte = (v >> (8 * n)) as u8;
                if signed { i64::from(byte as i8) } else { i64::from(byte) }
            };
            let sum: i64 = (0..4).map(|n| part(d(0), n, a_signed) * part(d(1), n, b_signed)).sum();
            dword(d(2).wrapping_add(sum as u32))
        }
        Op::BytePerm(sels) => {
            let sources: Vec<u32> = a.iter().map(|&v| v as u32).collect();
            dword(permute(sels, &sources))
        }
        Op::PrmtDynamic(mode) => dword(prmt(mode, d(0), d(1), d(2))),
        Op::Cmp(op, width) => {
            let signed = |v: u64| if width == Width::W32 { i64::from(v as i32) } else { v as i64 };
            let (x, y, p, q) = (a[0], a[1], signed(a[0]), signed(a[1]));
            one(u64::from(match op {
                CmpOp::Eq => x == y,
                CmpOp::Ne => x != y,
                CmpOp::LtU => x < y,
                CmpOp::LeU => x <= y,
                CmpOp::GtU => x > y,
                CmpOp::GeU => x >= y,
                CmpOp::LtS => p < q,
                CmpOp::LeS => p <= q,
                CmpOp::GtS => p > q,
                CmpOp::GeS => p >= q,
            }))
        }
        Op::PredBin(PredOp::And) => one(a[0] & a[1]),
        Op::PredBin(PredOp::Or) => one(a[0] | a[1]),
        Op::PredBin(PredOp::Xor) => one(a[0] ^ a[1]),
        Op::PredNot => one(a[0] ^ 1),
        Op::Select(_) => one(if a[0] != 0 { a[1] } else { a[2] }),
        Op::Float(op, FloatTy::F32, env) => match op {
            FloatOp::Neg if !env.ftz => dword(d(0) ^ 0x8000_0000),
            FloatOp::Abs if !env.ftz => dword(d(0) & 0x7fff_ffff),
            FloatOp::Add if plain(&env) => dword((f(0) + f(1)).to_bits()),
            FloatOp::Sub if plain(&env) => dword((f(0) - f(1)).to_bits()),
            FloatOp::Mul if plain(&env) => dword((f(0) * f(1)).to_bits()),
            FloatOp::Fma if plain(&env) => dword(f(0).mul_add(f(1), f(2)).to_bits()),
            FloatOp::Rint if env.round == Round::Zero && !env.ftz && !env.sat => dword(f(0).trunc().to_bits()),
            _ => one(opaque(&Op::Float(op, FloatTy::F32, env), a)),
        },
        Op::FCmp(op, FloatTy::F32, env) if !env.ftz => {
            let (x, y) = (f(0), f(1));
            let nan = x.is_nan() || y.is_nan();
            one(u64::from(match op {
                FCmpOp::Eq => x == y,
                FCmpOp::Ne => !nan && x != y,
                FCmpOp::Lt => x < y,
                FCmpOp::Le => x <= y,
                FCmpOp::Gt => x > y,
                FCmpOp::Ge => x >= y,
                FCmpOp::EqU => nan || x == y,
                FCmpOp::NeU => nan || x != y,
                FCmpOp::LtU => nan || x < y,
                FCmpOp::LeU => nan || x <= y,
                FCmpOp::GtU => nan || x > y,
                FCmpOp::GeU => nan || x >= y,
                FCmpOp::Num => !nan,
                FCmpOp::Nan => nan,
            }))
        }
        Op::IntToFloat { signed, from, to: FloatTy::F32, env } if plain(&env) => dword(
            match (signed, from) {
                (true, Width::W32) => s(0) as f32,
                (false, Width::W32) => d(0) as f32,
                (true, Width::W64) => a[0] as i64 as f32,
                (false, Width::W64) => a[0] as f32,
            }
            .to_bits(),
        ),
        Op::FloatToInt { signed, from: FloatTy::F32, to, round: Round::Zero, ftz: false } => one(match (signed, to) {
            (true, Width::W32) => u64::from(f(0) as i32 as u32),
            (false, Width::W32) => u64::from(f(0) as u32),
            (true, Width::W64) => f(0) as i64 as u64,
            (false, Width::W64) => f(0) as u64,
        }),
        ref op => op.results().iter().map(|_| opaque(op, a)).collect(),
    }
}

fn permute(sels: [ByteSel; 4], sources: &[u32]) -> u32 {
    sels.iter().enumerate().fold(0, |out, (n, sel)| {
        let byte = |s: u8, b: u8| sources[s as usize] >> (8 * b) & 0xff;
        let value = match *sel {
            ByteSel::Byte(s, b) => byte(s, b),
            ByteSel::Sign(s, b) => {
                if byte(s, b) >= 0x80 {
                    0xff
                } else {
                    0
                }
            }
            ByteSel::Zero => 0,
            ByteSel::Ones => 0xff,
        };
        out | value << (8 * n)
    })
}

/// PTX ISA, "prmt": the generic mode bit by bit, the others by what their names say.
fn prmt(mode: PrmtMode, a: u32, b: u32, c: u32) -> u32 {
    let pair = u64::from(b) << 32 | u64::from(a);
    let byte = |n: u32| (pair >> (8 * (n & 7))) as u8;
    let n = c & 3;
    let out: [u8; 4] = match mode {
        PrmtMode::Generic => std::array::from_fn(|i| {
            let nibble = c >> (4 * i) & 0xf;
            let picked = byte(nibble & 7);
            if nibble & 8 == 0 { picked } else { (picked as i8 >> 7) as u8 }
        }),
        // `V_PERM_B32` of the AMD manuals, with the sources as PTX counts them.
        PrmtMode::Bytes => std::array::from_fn(|i| match (c >> (8 * i)) as u8 {
            pick @ 0..=7 => byte(pick.into()),
            sign @ 8..=11 => (byte(u32::from(sign) * 2 - 15) as i8 >> 7) as u8,
            12 => 0,
            _ => 0xff,
        }),
        // Four bytes from n upwards, or from n downwards around the end.
        PrmtMode::F4e => std::array::from_fn(|i| byte(n + i as u32)),
        PrmtMode::B4e => std::array::from_fn(|i| byte(n.wrapping_sub(i as u32))),
        PrmtMode::Rc8 => [byte(n); 4],
        // Byte i, clamped from below or above by n.
        PrmtMode::Ecl => std::array::from_fn(|i| byte((i as u32).max(n))),
        PrmtMode::Ecr => std::array::from_fn(|i| byte((i as u32).min(n))),
        PrmtMode::Rc16 => std::array::from_fn(|i| byte((n & 1) * 2 + i as u32 % 2)),
    };
    u32::from_le_bytes(out)
}

fn int32(op: IntOp, a: u32, b: u32) -> u32 {
    let (s, t) = (a as i32, b as i32);
    match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::MulHiU => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        IntOp::MulHiS => ((i64::from(s) * i64::from(t)) >> 32) as u32,
        IntOp::DivU => a.checked_div(b).unwrap_or(u32::MAX),
        IntOp::DivS => {
            if b == 0 {
                u32::MAX
            } else {
                s.wrapping_div(t) as u32
            }
        }
        IntOp::RemU => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        IntOp::RemS => {
            if b == 0 {
                a
            } else {
                s.wrapping_rem(t) as u32
            }
        }
        IntOp::MinU => a.min(b),
        IntOp::MinS => s.min(t) as u32,
        IntOp::MaxU => a.max(b),
        IntOp::MaxS => s.max(t) as u32,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a.wrapping_shl(b),
        IntOp::ShrU => a.wrapping_shr(b),
        IntOp::ShrS => s.wrapping_shr(b) as u32,
        IntOp::AddSatS => s.saturating_add(t) as u32,
        IntOp::SubSatS => s.saturating_sub(t) as u32,
    }
}

fn int64(op: IntOp, a: u64, b: u64) -> u64 {
    let (s, t) = (a as i64, b as i64);
    match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::MulHiU => ((u128::from(a) * u128::from(b)) >> 64) as u64,
        IntOp::MulHiS => ((i128::from(s) * i128::from(t)) >> 64) as u64,
        IntOp::DivU => a.checked_div(b).unwrap_or(u64::MAX),
        IntOp::DivS => {
            if b == 0 {
                u64::MAX
            } else {
                s.wrapping_div(t) as u64
            }
        }
        IntOp::RemU => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        IntOp::RemS => {
            if b == 0 {
                a
            } else {
                s.wrapping_rem(t) as u64
            }
        }
        IntOp::MinU => a.min(b),
        IntOp::MinS => s.min(t) as u64,
        IntOp::MaxU => a.max(b),
        IntOp::MaxS => s.max(t) as u64,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a.wrapping_shl(b as u32),
        IntOp::ShrU => a.wrapping_shr(b as u32),
        IntOp::ShrS => s.wrapping_shr(b as u32) as u64,
        IntOp::AddSatS => s.saturating_add(t) as u64,
        IntOp::SubSatS => s.saturating_sub(t) as u64,
    }
}
