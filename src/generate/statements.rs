//! Statements without control flow: arithmetic, memory of every kind, calls, exchanges.

use super::forms::{FLOAT_FORMS, FORMS};
use super::{DWORDS, FLOATS, Generator, HALVES, PAIRS, PREDICATES, UNIFORMS, interesting};
use std::fmt::Write;

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

    /// A constant of this many bits, as PTX writes it.
    fn constant(&mut self, bits: u32) -> String {
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

    fn reg_or(&mut self, kind: char, bits: u32) -> String {
        if self.rng.one_in(4) { self.constant(bits) } else { self.reg(kind) }
    }

    /// A guard for a statement, sometimes.
    fn guard(&mut self) -> String {
        match self.rng.below(8) {
            0 => format!("@{} ", self.reg('p')),
            1 => format!("@!{} ", self.reg('p')),
            _ => String::new(),
        }
    }

    /// Fills in a pattern of `forms`. Destinations of one instruction differ.
    pub fn form(&mut self, pattern: &str) {
        let mut text = String::new();
        let mut before = String::new();
        let (opcode, operands) = pattern.split_once(' ').unwrap_or((pattern, ""));
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
                'R' => text += &self.reg_or('r', 32),
                'D' => text += &self.reg_or('d', 64),
                'H' => text += &self.reg_or('h', 16),
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
                'z' => {
                    if self.rng.one_in(2) {
                        // Neither zero nor, for the smallest number, -1.
                        let register = self.reg('r');
                        let _ = writeln!(
                            before,
                            "and.b32 %t8, {register}, 0x8fffffff;\nor.b32 %t8, %t8, {};",
                            1 + self.rng.below(9)
                        );
                        text += "%t8";
                    } else {
                        let divisor =
                            *self.rng.pick(&[1i32, 2, 3, 5, 7, 8, 10, 100, 255, 641, 0x7fff_ffff, -2, -3, -10]);
                        let _ = write!(text, "{divisor}");
                    }
                }
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
        if opcode.contains("f32") && operands.starts_with('f') || pattern == "mov.b32 f, r" {
            let register = text.split(',').next().unwrap_or("%f1").to_string();
            self.settle(&register);
        }
    }

    /// A NaN becomes a number: its bits are open.
    fn settle(&mut self, register: &str) {
        emit!(self, format!("setp.nan.f32 %q7, {register}, {register};\n@%q7 mov.b32 {register}, 0x40490fdb;"));
    }

    /// Any statement that needs no control flow.
    pub fn simple(&mut self) {
        match self.rng.below(20) {
            0 => self.carry_chain(),
            1 => self.load_input(),
            2 => self.store_output(),
            3 => self.local(),
            4 => self.table(),
            5 if self.rng.one_in(2) => self.call(),
            6 if self.rng.one_in(2) => self.count(),
            7 => self.vector(),
            8 if self.config.floats => {
                let form = *self.rng.pick(FLOAT_FORMS);
                self.form(form);
            }
            9 => self.rotate_or_bytes(),
            _ => {
                let form = *self.rng.pick(FORMS);
                self.form(form);
            }
        }
    }

    /// Statements that only the block as a whole executes.
    pub fn together(&mut self) {
        match self.rng.below(4) {
            0 => {
                let (a, b, u) = (self.reg('u'), self.reg('u'), self.reg('u'));
                let op = *self.rng.pick(&["add.u32", "xor.b32", "mul.lo.u32", "min.u32"]);
                emit!(self, format!("{op} {a}, {b}, {u};"));
            }
            // A thread that has ended in an earlier turn of a loop has no value for a shuffle.
            _ if self.config.lanes && !self.may_have_ended && self.depth == 0 => self.lanes(),
            _ => self.exchange(),
        }
    }

    fn carry_chain(&mut self) {
        let (a, b, c, d, e, f) =
            (self.reg('r'), self.reg('r'), self.reg('r'), self.reg('r'), self.reg('r'), self.reg('r'));
        let k = self.constant(32);
        match self.rng.below(4) {
            0 => emit!(
                self,
                format!(
                    "add.cc.u32 %t1, {a}, {b};\naddc.cc.u32 %t2, {c}, {d};\naddc.u32 {e}, {f}, {k};\nxor.b32 {a}, %t1, %t2;"
                )
            ),
            1 => emit!(
                self,
                format!(
                    "sub.cc.u32 %t1, {a}, {k};\nsubc.cc.u32 %t2, {c}, {d};\nsubc.u32 {e}, {f}, 0;\nxor.b32 {a}, %t1, %t2;"
                )
            ),
            2 => emit!(
                self,
                format!(
                    "mad.lo.cc.u32 %t1, {a}, {b}, {c};\nmadc.hi.cc.u32 %t2, {a}, {b}, {d};\naddc.u32 {e}, 0, 0;\nadd.u32 {f}, %t1, %t2;"
                )
            ),
            _ => {
                let (x, y) = (self.reg('d'), self.reg('d'));
                emit!(self, format!("add.cc.u64 %a1, {x}, {y};\naddc.u64 {x}, {y}, %a1;"));
            }
        }
    }

    /// What people write for rotations and byte work.
    fn rotate_or_bytes(&mut self) {
        let (a, b, c) = (self.reg('r'), self.reg('r'), self.reg('r'));
        let n = 1 + self.rng.below(31);
        let byte = 8 * (1 + self.rng.below(3));
        match self.rng.below(5) {
            0 => emit!(self, format!("shl.b32 %t1, {a}, {n};\nshr.u32 %t2, {a}, {};\nor.b32 {b}, %t1, %t2;", 32 - n)),
            1 => emit!(
                self,
                format!(
                    "and.b32 %t1, {a}, 0xff00ff;\nshl.b32 %t1, %t1, 8;\nshr.u32 %t2, {b}, 8;\nand.b32 %t2, %t2, 0xff00ff;\nor.b32 {c}, %t1, %t2;"
                )
            ),
            2 => emit!(
                self,
                format!(
                    "shr.u32 %t1, {a}, {byte};\nand.b32 %t1, %t1, 255;\ncvt.s32.s8 %t2, {b};\nadd.s32 {c}, %t1, %t2;"
                )
            ),
            3 => emit!(self, format!("bfe.u32 %t1, {a}, {byte}, 8;\nbfi.b32 {c}, %t1, {b}, {}, 8;", 32 - byte)),
            _ => {
                let (s, t) = (self.rng.below(0x1_0000), self.rng.below(0x1_0000));
                emit!(self, format!("prmt.b32 %t1, {a}, {b}, {s:#x};\nprmt.b32 {c}, %t1, {b}, {t:#x};"));
            }
        }
    }

    /// Type, register, and bytes of a memory access.
    fn access(&mut self, load: bool) -> (String, String, u32) {
        let types: &[(&str, char, u32)] = if load {
            &[
                ("u8", 'r', 1),
                ("s8", 'r', 1),
                ("u16", 'r', 2),
                ("s16", 'r', 2),
                ("b32", 'r', 4),
                ("b64", 'd', 8),
                ("s8", 'h', 1),
                ("u16", 'h', 2),
                ("s32", 'd', 4),
                ("u8", 'd', 1),
                ("s16", 'd', 2),
            ]
        } else {
            &[
                ("u8", 'r', 1),
                ("u16", 'r', 2),
                ("b32", 'r', 4),
                ("b64", 'd', 8),
                ("u8", 'h', 1),
                ("u16", 'h', 2),
                ("u32", 'd', 4),
            ]
        };
        let &(ty, kind, bytes) = self.rng.pick(types);
        (ty.to_string(), self.reg(kind), bytes)
    }

    /// A random offset below `limit`, a power of two, aligned for so many bytes, into `%t1` (or `%a1` as well).
    fn offset(&mut self, limit: u32, bytes: u32, wide: bool) {
        let register = self.reg('r');
        emit!(self, format!("and.b32 %t1, {register}, {};", (limit - 1) & !(bytes - 1)));
        if wide {
            emit!(self, "cvt.u64.u32 %a1, %t1;");
        }
    }

    fn load_input(&mut self) {
        let (ty, register, bytes) = self.access(true);
        let form = *self.rng.pick(&["ld.global", "ld.global.nc", "ld", "ld.volatile.global", "ld.global"]);
        if self.rng.one_in(3) {
            let at = self.rng.below(1024 / bytes) * bytes;
            let guard = self.guard();
            return emit!(self, format!("{guard}{form}.{ty} {register}, [%a10+{at}];"));
        }
        self.offset(512, bytes, true);
        let at = self.rng.below(512 / bytes) * bytes;
        let guard = self.guard();
        emit!(self, format!("add.u64 %a2, %a10, %a1;\n{guard}{form}.{ty} {register}, [%a2+{at}];"));
    }

    /// Bytes 128 to 255 of the thread's part; the rest is for the end.
    fn store_output(&mut self) {
        let (ty, register, bytes) = self.access(false);
        let form = *self.rng.pick(&["st.global", "st", "st.volatile.global", "st.global"]);
        self.offset(64, bytes, true);
        let at = 128 + self.rng.below(64 / bytes) * bytes;
        let guard = self.guard();
        emit!(self, format!("add.u64 %a2, %a11, %a1;\n{guard}{form}.{ty} [%a2+{at}], {register};"));
        if self.rng.one_in(3) {
            let register = self.reg('r');
            emit!(self, format!("ld.global.b32 {register}, [%a11+{}];", 128 + 4 * self.rng.below(32)));
        }
    }

    fn vector(&mut self) {
        let (a, b, c, d) = (self.reg('r'), self.reg('r'), self.reg('r'), self.reg('r'));
        match self.rng.below(6) {
            0 => {
                let mut four: Vec<String> = vec![];
                while four.len() < 4 {
                    let register = self.reg('r');
                    if !four.contains(&register) {
                        four.push(register);
                    }
                }
                let at = 16 * self.rng.below(64);
                emit!(self, format!("ld.global.v4.u32 {{{}}}, [%a10+{at}];", four.join(", ")));
            }
            1 => {
                emit!(
                    self,
                    format!("st.global.v4.b32 [%a11+{}], {{{a}, {b}, {c}, {d}}};", 128 + 16 * self.rng.below(8))
                )
            }
            2 => {
                let at = 2 * self.rng.below(128);
                emit!(self, format!("ld.global.v2.u8 {{%h1, %h2}}, [%a10+{at}];"));
            }
            3 => emit!(self, format!("st.global.v2.b64 [%a11+{}], {{%d1, %d2}};", 128 + 16 * self.rng.below(8))),
            4 => {
                emit!(self, format!("st.global.v4.u8 [%a11+{}], {{{a}, {b}, {c}, {d}}};", 128 + 4 * self.rng.below(32)))
            }
            _ => emit!(self, format!("ld.global.v2.b64 {{%d1, %d3}}, [%a10+{}];", 16 * self.rng.below(64))),
        }
    }

    fn local(&mut self) {
        let load = self.rng.one_in(2);
        let (ty, register, bytes) = self.access(load);
        let generic = self.rng.one_in(4);
        self.offset(64, bytes, true);
        if generic {
            emit!(self, "add.u64 %a2, %a12, %a1;");
        } else {
            emit!(self, "mov.u64 %a2, local;\nadd.u64 %a2, %a2, %a1;");
        }
        let space = if generic { "" } else { ".local" };
        let guard = self.guard();
        if load {
            emit!(self, format!("{guard}ld{space}.{ty} {register}, [%a2];"));
        } else {
            emit!(self, format!("{guard}st{space}.{ty} [%a2], {register};"));
        }
    }

    fn table(&mut self) {
        let (ty, register, bytes) = self.access(true);
        self.offset(64, bytes, true);
        emit!(self, format!("mov.u64 %a2, table;\nadd.u64 %a2, %a2, %a1;\nld.const.{ty} {register}, [%a2];"));
    }

    fn call(&mut self) {
        let (a, b, to) = (self.reg('r'), self.reg('d'), self.reg('r'));
        emit!(
            self,
            format!(
                "{{ .param .b32 p0; .param .b64 p1; .param .b32 ret; st.param.b32 [p0], {a}; st.param.b64 [p1], {b}; call.uni (ret), \
             mixes, (p0, p1); ld.param.b32 {to}, [ret]; }}"
            )
        );
    }

    /// An atomic that commutes with the others on its counter.
    fn count(&mut self) {
        let a = self.reg('r');
        let (at, op) = *self.rng.pick(&[
            (0, "add.u32"),
            (4, "min.s32"),
            (8, "max.u32"),
            (12, "and.b32"),
            (16, "or.b32"),
            (20, "xor.b32"),
            (24, "min.u32"),
            (28, "max.s32"),
        ]);
        let guard = self.guard();
        if self.rng.one_in(4) {
            let (d, at, op) = match self.rng.below(3) {
                0 => (self.reg('d'), 32, "add.u64"),
                1 => (self.reg('d'), 40, "xor.b64"),
                _ => (self.reg('d'), 48, "max.u64"),
            };
            return emit!(self, format!("{guard}red.global.{op} [%a13+{at}], {d};"));
        }
        emit!(self, format!("{guard}red.global.{op} [%a13+{at}], {a};"));
    }

    /// Through shared memory, between barriers: every thread has a slot of eight bytes.
    fn exchange(&mut self) {
        let bar = *self.rng.pick(&["bar.sync 0;", "barrier.sync 0;", "barrier.cta.sync.aligned 0;", "bar.sync 0;"]);
        let (from, to, other) = (self.reg('r'), self.reg('r'), self.reg('r'));
        // Another thread's slot: any of the block, by a register that need not be the same for all.
        let wide = self.rng.one_in(3);
        let d = self.reg('d');
        emit!(
            self,
            if wide { format!("st.shared.b64 [%t14], {d};") } else { format!("st.shared.b32 [%t14], {from};") }
        );
        emit!(self, bar);
        emit!(
            self,
            format!(
                "mov.u32 %t1, %ntid.x;\nrem.u32 %t1, {other}, %t1;\nshl.b32 %t1, %t1, 3;\nmov.u32 %t2, shared;\nadd.u32 %t1, %t1, %t2;"
            )
        );
        match self.rng.below(4) {
            0 => emit!(self, format!("ld.shared.b64 {d}, [%t1];")),
            1 => emit!(self, format!("ld.shared.u8 {to}, [%t1+{}];", self.rng.below(8))),
            2 => emit!(self, format!("ld.shared.s16 {to}, [%t1+{}];", 2 * self.rng.below(4))),
            _ => emit!(self, format!("ld.shared.b32 {to}, [%t1+4];")),
        }
        emit!(self, bar);
    }

    /// Among the threads of a warp, all of which are here.
    fn lanes(&mut self) {
        let (a, to, p) = (self.reg('r'), self.reg('r'), self.reg('p'));
        let b = self.reg_or('r', 32);
        match self.rng.below(6) {
            0 => {
                let mode = *self.rng.pick(&["up", "down", "bfly", "idx"]);
                let c = *self.rng.pick(&["31", "0x1f", "0", "0x1c1f", "0x181f", "0x100f"]);
                // Sources beyond a block that ends within the warp are open: those of the own lane are not.
                emit!(
                    self,
                    format!(
                        "shfl.sync.{mode}.b32 %t1|%q1, {a}, {b}, {c}, %t15;\nsetp.eq.u32 %q2, %t15, -1;\n@%q2 mov.b32 {to}, %t1;\n\
                     selp.b32 %t2, 1, 0, %q1;\nxor.b32 {to}, {to}, %t2;"
                    )
                );
            }
            1 => emit!(self, format!("vote.sync.ballot.b32 {to}, {p}, %t15;")),
            2 => {
                let mode = *self.rng.pick(&["all", "any", "uni"]);
                let q = self.reg('p');
                emit!(self, format!("vote.sync.{mode}.pred {q}, {p}, %t15;"));
            }
            3 => emit!(self, format!("and.b32 %t1, {a}, 3;\nmatch.any.sync.b32 {to}, %t1, %t15;")),
            4 => {
                let op = *self.rng.pick(&["add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"]);
                emit!(self, format!("redux.sync.{op} {to}, {a}, %t15;"));
            }
            _ => emit!(self, "bar.warp.sync %t15;"),
        }
    }
}
