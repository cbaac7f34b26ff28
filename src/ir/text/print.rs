//! Writes the text form.

use crate::diag::Span;
use crate::ir::byteperm::ByteSel;
use crate::ir::*;
use std::fmt::Write;

/// Prints a function without spans.
pub fn print(name: &str, func: &Func) -> String {
    print_marked(name, func, false, None)
}

/// Prints a function, each instruction with its span as a comment.
pub fn print_with_spans(name: &str, func: &Func) -> String {
    print_marked(name, func, true, None)
}

/// What the verifier points at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Inst(Inst),
    Terminator(Block),
}

pub(crate) fn print_marked(name: &str, func: &Func, spans: bool, mark: Option<Mark>) -> String {
    let mut out = format!("func @{name} {{\n");
    let note = |out: &mut String, span: Span, here: Mark| {
        if spans && !span.is_none() {
            let _ = write!(out, " ; from {}-{}", span.start, span.end);
        }
        if mark == Some(here) {
            out.push_str(" ; <-- here");
        }
        out.push('\n');
    };
    for &block in &func.order {
        let data = &func.blocks[block];
        let _ = write!(out, "{block}");
        if !data.params.is_empty() {
            let params: Vec<String> = data.params.iter().map(|&p| format!("{p}: {}", func.ty(p).word())).collect();
            let _ = write!(out, "({})", params.join(", "));
        }
        out.push_str(":\n");
        for &inst in &data.insts {
            out.push_str("  ");
            print_inst(&mut out, &func.insts[inst]);
            note(&mut out, func.spans[inst], Mark::Inst(inst));
        }
        out.push_str("  ");
        print_terminator(&mut out, &data.term);
        note(&mut out, data.term_span, Mark::Terminator(block));
    }
    out.push_str("}\n");
    out
}

/// One instruction, results first, without a newline.
pub fn print_inst(out: &mut String, data: &InstData) {
    if !data.results.is_empty() {
        list(out, &data.results);
        out.push_str(" = ");
    }
    let args = &data.args;
    print_op(out, &data.op);
    match &data.op {
        Op::BytePerm(sels) => {
            let sels: Vec<String> = sels.iter().map(|&sel| byte_sel(sel, args)).collect();
            let _ = write!(out, " [{}]", sels.join(", "));
        }
        Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. } => {
            let (address, values) = match mem.space {
                Space::Param => (None, &args[..]),
                _ => (args.first(), args.get(1..).unwrap_or(&[])),
            };
            match (address, mem.offset) {
                (None, offset) => {
                    let _ = write!(out, " [{offset}]");
                }
                (Some(base), 0) => {
                    let _ = write!(out, " [{base}]");
                }
                (Some(base), offset) if offset < 0 => {
                    let _ = write!(out, " [{base} - {}]", -i64::from(offset));
                }
                (Some(base), offset) => {
                    let _ = write!(out, " [{base} + {offset}]");
                }
            }
            for value in values {
                let _ = write!(out, ", {value}");
            }
        }
        _ if args.is_empty() => {}
        _ => {
            out.push(' ');
            list(out, args);
        }
    }
}

fn list(out: &mut String, values: &[Value]) {
    for (n, value) in values.iter().enumerate() {
        let comma = if n == 0 { "" } else { ", " };
        let _ = write!(out, "{comma}{value}");
    }
}

fn byte_sel(sel: ByteSel, args: &[Value]) -> String {
    let name = |source: u8| args.get(source as usize).map_or("?".to_string(), |v| v.to_string());
    match sel {
        ByteSel::Byte(source, byte) => format!("{}.{byte}", name(source)),
        ByteSel::Sign(source, byte) => format!("sign {}.{byte}", name(source)),
        ByteSel::Zero => "zero".into(),
        ByteSel::Ones => "ones".into(),
    }
}

fn signed_word(signed: bool) -> char {
    if signed { 's' } else { 'u' }
}

fn env_words(env: &FloatEnv) -> String {
    let mut out = String::new();
    if env.round != Round::NearestEven {
        out.push('.');
        out.push_str(env.round.word());
    }
    if env.ftz {
        out.push_str(".ftz");
    }
    if env.sat {
        out.push_str(".sat");
    }
    out
}

fn mem_words(mem: &Mem) -> String {
    let mut out = format!("{}.{}{}", mem.space.word(), if mem.signed { 's' } else { 'u' }, u32::from(mem.bytes) * 8);
    if mem.count != 1 {
        let _ = write!(out, ".v{}", mem.count);
    }
    if mem.order != Order::Weak {
        let _ = write!(out, ".{}", mem.order.word());
    }
    if mem.scope != Scope::Cta {
        let _ = write!(out, ".{}", mem.scope.word());
    }
    if mem.nontemporal {
        out.push_str(".nt");
    }
    out
}

/// The op and its constants, without arguments (and without the byte selectors and the address).
fn print_op(out: &mut String, op: &Op) {
    let _ = match op {
        Op::Const32(v) => write!(out, "const.b32 {v:#x}"),
        Op::Const64(v) => write!(out, "const.b64 {v:#x}"),
        Op::ConstPred(v) => write!(out, "const.pred {v}"),
        Op::Undef(ty) => write!(out, "undef.{}", ty.word()),
        Op::Special(s) => write!(out, "special.{}", s.word()),
        Op::GlobalAddr(g, offset) => write!(out, "global_addr[{g}, {offset}]"),
        Op::ParamBase => write!(out, "param_base"),
        Op::Aperture(a) => write!(out, "aperture.{}", a.word()),
        Op::Pack64 => write!(out, "pack64"),
        Op::Lo => write!(out, "lo"),
        Op::Hi => write!(out, "hi"),
        Op::Int(op, w) => write!(out, "int.{}.{}", op.word(), w.word()),
        Op::Unary(op, w) => write!(out, "unary.{}.{}", op.word(), w.word()),
        Op::MulWide { signed } => write!(out, "mul_wide.{}", signed_word(*signed)),
        Op::Mad24 { signed } => write!(out, "mad24.{}", signed_word(*signed)),
        Op::Mul24Hi { signed } => write!(out, "mul24_hi.{}", signed_word(*signed)),
        Op::AddCarry(w) => write!(out, "add_carry.{}", w.word()),
        Op::SubBorrow(w) => write!(out, "sub_borrow.{}", w.word()),
        Op::Lop3(table) => write!(out, "lop3[{table:#04x}]"),
        Op::FunnelShr => write!(out, "funnel_shr"),
        Op::Bfe { signed } => write!(out, "bfe.{}", signed_word(*signed)),
        Op::BitSelect => write!(out, "bit_select"),
        Op::Sad { signed } => write!(out, "sad.{}", signed_word(*signed)),
        Op::Dot4 { a_signed, b_signed } => {
            write!(out, "dot4.{}.{}", signed_word(*a_signed), signed_word(*b_signed))
        }
        Op::BytePerm(_) => write!(out, "byteperm"),
        Op::PrmtDynamic(mode) => write!(out, "prmt.{}", mode.word()),
        Op::Cmp(op, w) => write!(out, "cmp.{}.{}", op.word(), w.word()),
        Op::PredBin(op) => write!(out, "pred.{}", op.word()),
        Op::PredNot => write!(out, "pred.not"),
        Op::Select(ty) => write!(out, "select.{}", ty.word()),
        Op::Float(op, ty, env) => write!(out, "float.{}.{}{}", op.word(), ty.word(), env_words(env)),
        Op::FCmp(op, ty, env) => write!(out, "fcmp.{}.{}{}", op.word(), ty.word(), env_words(env)),
        Op::IntToFloat { signed, from, to, env } => {
            let (sign, env) = (signed_word(*signed), env_words(env));
            write!(out, "int_to_float.{sign}{}.{}{env}", from.bits(), to.word())
        }
        Op::FloatToInt { signed, from, to, round, ftz } => {
            let (sign, ftz) = (signed_word(*signed), if *ftz { ".ftz" } else { "" });
            write!(out, "float_to_int.{}.{sign}{}.{}{ftz}", from.word(), to.bits(), round.word())
        }
        Op::RcpF32 => write!(out, "rcp.f32"),
        Op::Approx { op, ftz } => write!(out, "approx.{}{}", op.word(), if *ftz { ".ftz" } else { "" }),
        Op::FloatConvert { from, to, env } => {
            write!(out, "float_convert.{}.{}{}", from.word(), to.word(), env_words(env))
        }
        Op::Load(mem) => write!(out, "load.{}", mem_words(mem)),
        Op::Store(mem) => write!(out, "store.{}", mem_words(mem)),
        Op::Atomic { op, width, mem } => write!(out, "atomic.{}.{}.{}", op.word(), width.word(), mem_words(mem)),
        Op::Fence(scope) => write!(out, "fence.{}", scope.word()),
        Op::Ballot => write!(out, "ballot"),
        Op::LiveLanes => write!(out, "live_lanes"),
        Op::FromFirstLane => write!(out, "from_first_lane"),
        Op::Bar(bar) => {
            let word = |is: bool, word| if is { word } else { "" };
            let (counted, aligned) = (word(bar.counted, ".counted"), word(bar.aligned, ".aligned"));
            write!(out, "bar.{}{counted}{aligned}", bar.kind.word())
        }
        Op::Shuffle(mode) => write!(out, "shuffle.{}", mode.word()),
        Op::LaneRead => write!(out, "lane_read"),
        Op::LanePerm(map) => {
            let lanes: Vec<String> = map.sources().iter().map(u8::to_string).collect();
            write!(out, "lane_perm[{}]", lanes.join(","))
        }
        Op::LaneBits(bits) => write!(out, "lane_bits[{bits:#x}]"),
        Op::WarpSync => write!(out, "warp_sync"),
        Op::WarpBarrier => write!(out, "warp_barrier"),
    };
}

fn edge(out: &mut String, edge: &Edge) {
    let _ = write!(out, "{}", edge.block);
    if !edge.args.is_empty() {
        out.push('(');
        list(out, &edge.args);
        out.push(')');
    }
}

/// The terminator, without a newline.
pub fn print_terminator(out: &mut String, term: &Terminator) {
    match term {
        Terminator::Jump(next) => {
            out.push_str("jump ");
            edge(out, next);
        }
        Terminator::Branch { cond, then, els } => {
            let _ = write!(out, "branch {cond}, ");
            edge(out, then);
            out.push_str(", ");
            edge(out, els);
        }
        Terminator::Switch { index, targets } => {
            let _ = write!(out, "switch {index}");
            for target in targets {
                out.push_str(", ");
                edge(out, target);
            }
        }
        Terminator::Exit => out.push_str("exit"),
        Terminator::Trap => out.push_str("trap"),
        Terminator::Wait { cond, next } => {
            let _ = write!(out, "wait {cond}, ");
            edge(out, next);
        }
        Terminator::Barrier { barrier, next } => {
            out.push_str(if barrier.whole { "barrier.whole " } else { "barrier " });
            edge(out, next);
        }
    }
}
