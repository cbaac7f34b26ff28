//! Calls: of a function on scalars, and of one of each kernel's own that takes and gives structures.

use super::Generator;
use std::fmt::Write;

/// Bytes of the structure that is passed, and of the one that comes back.
const TAKEN: u32 = 32;
const GIVEN: u32 = 16;

const TYPES: &[(&str, char, u32)] = &[
    ("b8", 'r', 1),
    ("u8", 'h', 1),
    ("s8", 'r', 1),
    ("b16", 'h', 2),
    ("u16", 'r', 2),
    ("s16", 'r', 2),
    ("b32", 'r', 4),
    ("u32", 'r', 4),
    ("s32", 'r', 4),
    ("f32", 'r', 4),
    ("b64", 'd', 8),
    ("u64", 'd', 8),
    ("s64", 'd', 8),
    ("f64", 'd', 8),
];

impl Generator<'_> {
    pub fn call(&mut self) {
        let (a, b, to) = (self.reg('r'), self.reg('d'), self.reg('r'));
        let uni = self.words("{|.uni}");
        if self.rng.one_in(2) {
            return emit!(
                self,
                format!(
                    "{{ .param .b32 p0; .param .b64 p1; .param .b32 ret; st.param.b32 [p0], {a}; st.param.b64 [p1], {b}; \
                     call{uni} (ret), mixes, (p0, p1); ld.param.b32 {to}, [ret]; }}"
                )
            );
        }
        let mut text = format!("{{\n.param .align 16 .b8 px[{TAKEN}];\n.param .align 16 .b8 pr[{GIVEN}];\n");
        let (r, d) = (self.regs('r', 4).join(", "), self.regs('d', 2).join(", "));
        let _ = writeln!(text, "st.param.v4.b32 [px], {{{r}}};\nst.param.v2.b64 [px+16], {{{d}}};");
        for _ in 0..2 {
            let (words, kind, count, at) = self.part("st", "{|.wb|.cg|.cs|.wt}", TAKEN);
            let list: Vec<String> = (0..count).map(|_| self.reg(kind)).collect();
            let _ = writeln!(text, "{words} [px+{at}], {};", braced(&list));
        }
        let _ = writeln!(text, "call{uni} (pr), takes, (px);");
        let (words, kind, count, at) = self.part("ld", "{|.ca|.cg|.cs|.lu|.cv}", GIVEN);
        let list = self.regs(kind, count);
        let _ = writeln!(text, "{words} {}, [pr+{at}];\n}}", braced(&list));
        self.text += &text;
    }

    /// The function that takes a structure: it mixes parts of it of any type.
    pub fn function(&mut self) -> String {
        let mut text = format!(
            ".func (.param .align 16 .b8 r[{GIVEN}]) takes(.param .align 16 .b8 x[{TAKEN}])\n{{\n.reg .b32 %r<16>;\n.reg .b64 %d<8>;\n\
             .reg .b16 %h<8>;\nld.param.b32 %r11, [x+4];\nld.param.b32 %r12, [x+24];\n"
        );
        for _ in 0..3 {
            let (words, kind, count, at) = self.part("ld", "{|.ca|.cg|.cs|.lu|.cv}", TAKEN);
            let list = self.regs(kind, count);
            let _ = writeln!(text, "{words} {}, [x+{at}];", braced(&list));
            for register in list {
                let part = match kind {
                    'd' => "cvt.u32.u64 %r13",
                    'h' => "cvt.u32.u16 %r13",
                    _ => "mov.b32 %r13",
                };
                let _ = writeln!(text, "{part}, {register};\nmad.lo.u32 %r11, %r11, 31, %r13;");
                if kind == 'd' {
                    let _ = writeln!(
                        text,
                        "shr.u64 %d7, {register}, 32;\ncvt.u32.u64 %r13, %d7;\nxor.b32 %r12, %r12, %r13;"
                    );
                }
            }
        }
        text += "mov.b64 %d6, {%r12, %r11};\nst.param.v2.b64 [r], {%d6, %d6};\nst.param.b32 [r+4], %r12;\n";
        let (words, _, count, at) = self.part("st", "{|.wb|.cg|.cs|.wt}", GIVEN);
        let register = if words.contains("64") { "%d6" } else { "%r11" };
        let list = vec![register.to_string(); count];
        let _ = writeln!(text, "{words} [r+{at}], {};\nret{};\n}}", braced(&list), self.words("{|.uni}"));
        text
    }

    /// A load or store of a part of a structure: words, kind of registers, their number, and where.
    fn part(&mut self, opcode: &str, operators: &str, bytes: u32) -> (String, char, usize, u32) {
        let &(ty, kind, size) = self.rng.pick(TYPES);
        let count = u32::min(*self.rng.pick(&[1, 1, 2, 4, 8]), 16 / size);
        let (vector, kind) = match count {
            2 => (".v2", kind),
            4 => (".v4", kind),
            8 => (".v8", 'r'),
            _ => ("", kind),
        };
        let words = if self.rng.one_in(2) {
            format!("{opcode}.param{vector}.{ty}")
        } else {
            self.words(&format!("{opcode}{{|.weak}}{{.param|.param::func}}{operators}{vector}.{ty}"))
        };
        (words, kind, count as usize, self.rng.below(bytes / (size * count)) * size * count)
    }
}

fn braced(list: &[String]) -> String {
    if list.len() == 1 { list[0].clone() } else { format!("{{{}}}", list.join(", ")) }
}
