//! What one launch of one kernel is given, and what it must leave behind.

/// One PTX file of the corpus. Its name says who wrote it: `STEM.PRODUCER.TARGET[.VARIANT].ptx`.
pub struct Ptx {
    pub file: String,
    pub text: String,
}

impl Ptx {
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.file.trim_end_matches(".ptx").split('.').skip(1)
    }

    /// Whether the compiler was `name` (`nvcc`, `clang`, `nvrtc`, `triton`).
    pub fn by(&self, name: &str) -> bool {
        self.parts().next().is_some_and(|p| p.starts_with(name))
    }

    /// Whether the file is the `sm_NN` or variant build `name` (`O0`, `G`, `ftz`, `sm_100`).
    pub fn is(&self, name: &str) -> bool {
        self.parts().any(|p| p == name)
    }

    /// Whether `a * b + c` became one `fma`. Only nvcc's unoptimised code keeps the two roundings.
    pub fn fuses(&self) -> bool {
        !(self.by("nvcc") && (self.is("O0") || self.is("G")))
    }

    /// The names of the `.entry` functions, in order.
    pub fn kernels(&self) -> Vec<&str> {
        entries(&self.text).into_iter().map(|(name, _)| name).collect()
    }
}

/// Every `.entry` with the sizes of its parameters in bytes: a scan of the text that owes nothing to the parser under test.
pub fn entries(text: &str) -> Vec<(&str, Vec<usize>)> {
    let mut found = vec![];
    for part in text.split(".entry ").skip(1) {
        let name_end = part.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(part.len());
        let head = &part[..part.find('{').unwrap_or(part.len())];
        let sizes = head.split(".param ").skip(1).map(param_bytes).collect();
        found.push((&part[..name_end], sizes));
    }
    found
}

/// The size of one `.param` declaration; `text` starts behind the keyword.
fn param_bytes(text: &str) -> usize {
    let text = &text[..text.find([',', ')']).unwrap_or(text.len())];
    let count = match (text.find('['), text.find(']')) {
        (Some(open), Some(close)) => text[open + 1..close].parse().unwrap_or(0),
        _ => 1,
    };
    let bits: usize = text
        .split_whitespace()
        .filter_map(|word| word.strip_prefix(['.']))
        .find_map(|word| word.strip_prefix(['b', 'u', 's', 'f']).and_then(|bits| bits.parse().ok()))
        .unwrap_or(0);
    count * bits / 8
}

/// How a buffer is judged after the launch.
pub enum Want {
    /// Byte for byte; the number is the width of an element in bytes, for messages.
    Exact(Vec<u8>, usize),
    /// f32 values: bit for bit, but any NaN will do where a NaN is due (PTX leaves its payload open).
    Floats(Vec<f32>),
    /// Numbers of a size, each within a bound of its own size and one of any.
    Near { kind: Number, values: Vec<f64>, relative: f64, absolute: f64 },
    /// Each word is one of those listed for it (a race in the source).
    AnyOf(Vec<Vec<u32>>),
    /// Word 0 counts; that many words follow in any order (claimed by an atomic counter); the rest is exact.
    Claimed(Vec<u32>),
}

/// How a buffer holds a number.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Number {
    F32,
    F16,
    Bf16,
}

impl Number {
    fn bytes(self) -> usize {
        if self == Number::F32 { 4 } else { 2 }
    }

    fn read(self, bytes: &[u8]) -> f64 {
        let word = bytes.iter().rev().fold(0, |word, &b| word << 8 | u32::from(b));
        match self {
            Number::F32 => f64::from(f32::from_bits(word)),
            Number::F16 => super::softmax::half(word as u16),
            Number::Bf16 => f64::from(f32::from_bits(word << 16)),
        }
    }
}

impl Want {
    /// The size of the buffer in bytes.
    pub fn size_bytes(&self) -> usize {
        match self {
            Want::Exact(bytes, _) => bytes.len(),
            Want::Floats(floats) => 4 * floats.len(),
            Want::Near { kind, values, .. } => kind.bytes() * values.len(),
            Want::AnyOf(choices) => 4 * choices.len(),
            Want::Claimed(words) => 4 * words.len(),
        }
    }
}

pub enum Arg {
    /// A scalar or a structure by value.
    Value(Vec<u8>),
    Buffer {
        before: Vec<u8>,
        after: Want,
    },
}

pub struct Case {
    pub kernel: &'static str,
    pub what: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_lds_bytes: u32,
    pub args: Vec<Arg>,
    /// Replacements in the PTX text before translation, to initialise a module variable as its host program would.
    pub edits: Vec<(String, String)>,
}

impl Case {
    /// A launch in one dimension.
    pub fn new(kernel: &'static str, grid: u32, block: u32) -> Case {
        Case::new_3d(kernel, [grid, 1, 1], [block, 1, 1])
    }

    pub fn new_3d(kernel: &'static str, grid: [u32; 3], block: [u32; 3]) -> Case {
        let what = format!("grid {grid:?} block {block:?}");
        Case { kernel, what, grid, block, dynamic_lds_bytes: 0, args: vec![], edits: vec![] }
    }

    pub fn note(mut self, text: impl std::fmt::Display) -> Case {
        self.what = format!("{} {text}", self.what);
        self
    }

    pub fn lds(mut self, bytes: u32) -> Case {
        self.dynamic_lds_bytes = bytes;
        self
    }

    /// A parameter by value.
    pub fn val<T: Plain>(mut self, value: T) -> Case {
        self.args.push(Arg::Value(value.le_bytes()));
        self
    }

    /// A buffer that the kernel only reads: it must be unchanged afterwards.
    pub fn read<T: Plain>(self, data: &[T]) -> Case {
        self.write(data, data)
    }

    /// A buffer that holds `before` and must hold `after`, bit for bit.
    pub fn write<T: Plain>(self, before: &[T], after: &[T]) -> Case {
        let width = size_of::<T>();
        self.buffer(to_bytes(before), Want::Exact(to_bytes(after), width))
    }

    /// A buffer of computed floats.
    pub fn write_floats(self, before: &[f32], after: Vec<f32>) -> Case {
        self.buffer(to_bytes(before), Want::Floats(after))
    }

    /// A buffer of zeros before, and of approximations afterwards.
    pub fn near(self, kind: Number, values: Vec<f64>, relative: f64, absolute: f64) -> Case {
        self.buffer(vec![0; kind.bytes() * values.len()], Want::Near { kind, values, relative, absolute })
    }

    pub fn buffer(mut self, before: Vec<u8>, after: Want) -> Case {
        self.args.push(Arg::Buffer { before, after });
        self
    }

    pub fn edit(mut self, from: &str, to: String) -> Case {
        self.edits.push((from.to_string(), to));
        self
    }
}

/// Plain data with a little-endian layout.
pub trait Plain: Copy {
    fn le_bytes(self) -> Vec<u8>;
}

macro_rules! plain {
    ($($t:ty)*) => { $(impl Plain for $t { fn le_bytes(self) -> Vec<u8> { self.to_le_bytes().to_vec() } })* };
}
plain!(u8 i8 u16 i16 u32 i32 u64 i64 u128 f32 f64);

impl<T: Plain, const N: usize> Plain for [T; N] {
    fn le_bytes(self) -> Vec<u8> {
        to_bytes(&self)
    }
}

pub fn to_bytes<T: Plain>(data: &[T]) -> Vec<u8> {
    data.iter().flat_map(|v| v.le_bytes()).collect()
}

pub fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// A one-dimensional launch over `n` items with the usual guard `if (i < n)`.
#[derive(Copy, Clone)]
pub struct Shape {
    pub n: usize,
    pub grid: u32,
    pub block: u32,
}

const fn shape(n: usize, grid: u32, block: u32) -> Shape {
    Shape { n, grid, block }
}

/// Guarded launches: nothing to do, one partial warp, partial blocks, blocks that are no multiple of a warp or wave.
pub const SHAPES: [Shape; 7] = [
    shape(0, 1, 64),
    shape(1, 1, 32),
    shape(20, 1, 32),
    shape(75, 2, 40),
    shape(127, 2, 64),
    shape(130, 5, 32),
    shape(200, 1, 256),
];

/// The same for kernels that run thousands of instructions a thread.
pub const FEW_SHAPES: [Shape; 3] = [shape(0, 1, 32), shape(5, 1, 32), shape(67, 2, 48)];

/// Launches without a guard: every thread has an item.
pub const EXACT_SHAPES: [Shape; 4] = [shape(1, 1, 1), shape(32, 1, 32), shape(120, 3, 40), shape(128, 1, 128)];

impl Shape {
    pub fn case(self, kernel: &'static str) -> Case {
        Case::new(kernel, self.grid, self.block).note(format!("n {}", self.n))
    }

    /// The number of elements a buffer needs: `n`, but never none, so that an empty launch shows a stray write.
    pub fn len(self) -> usize {
        self.n.max(4)
    }
}

/// Says where `got` differs from what is wanted, or nothing.
pub fn difference(want: &Want, got: &[u8]) -> Option<String> {
    let words = |want: usize| -> Result<Vec<u32>, String> {
        if got.len() == want * 4 { Ok(words_of(got)) } else { Err(format!("{} bytes, not {}", got.len(), want * 4)) }
    };
    let judged = || -> Result<Option<String>, String> {
        match want {
            Want::Exact(bytes, width) => {
                if bytes.len() != got.len() {
                    return Err(format!("{} bytes, not {}", got.len(), bytes.len()));
                }
                let differs = bytes.chunks(*width).zip(got.chunks(*width)).position(|(a, b)| a != b);
                Ok(differs.map(|i| {
                    let at = i * width..(i + 1) * width;
                    format!("[{i}] expected {} got {}", hex(&bytes[at.clone()]), hex(&got[at]))
                }))
            }
            Want::Floats(floats) => {
                let got = words(floats.len())?;
                let same = |a: f32, b: u32| a.to_bits() == b || a.is_nan() && f32::from_bits(b).is_nan();
                let differs = floats.iter().zip(&got).position(|(&a, &b)| !same(a, b));
                Ok(differs.map(|i| {
                    let (a, b) = (floats[i], got[i]);
                    format!("[{i}] expected {a:e} ({:08x}) got {:e} ({b:08x})", a.to_bits(), f32::from_bits(b))
                }))
            }
            Want::Near { kind, values, relative, absolute } => {
                if got.len() != kind.bytes() * values.len() {
                    return Err(format!("{} bytes, not {} numbers", got.len(), values.len()));
                }
                let got: Vec<f64> = got.chunks(kind.bytes()).map(|bytes| kind.read(bytes)).collect();
                // A NaN is near to nothing.
                let far = |(i, got): (usize, &f64)| {
                    let bound = relative * values[i].abs() + absolute;
                    (values[i] - got).abs().partial_cmp(&bound).is_none_or(|o| o.is_gt())
                };
                let differs = got.iter().enumerate().position(far);
                Ok(differs.map(|i| format!("[{i}] expected {:e} got {:e}", values[i], got[i])))
            }
            Want::AnyOf(choices) => {
                let got = words(choices.len())?;
                let differs = choices.iter().zip(&got).position(|(any, b)| !any.contains(b));
                Ok(differs.map(|i| format!("[{i}] expected one of {:x?} got {:x}", choices[i], got[i])))
            }
            Want::Claimed(list) => {
                let (mut got, mut list) = (words(list.len())?, list.clone());
                let count = list[0] as usize;
                got[1..=count].sort_unstable();
                list[1..=count].sort_unstable();
                let differs = list.iter().zip(&got).position(|(a, b)| a != b);
                Ok(differs.map(|i| format!("[{i}] (claimed part sorted) expected {:x} got {:x}", list[i], got[i])))
            }
        }
    };
    judged().unwrap_or_else(Some)
}

/// The value of little-endian bytes, in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().rev().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn differences_are_found_and_told() {
    let words = |w: &[u32]| to_bytes(w);
    let near =
        |values: &[f64]| Want::Near { kind: Number::F32, values: values.to_vec(), relative: 0.25, absolute: 0.5 };
    let floats = |floats: &[f32]| to_bytes(floats);
    assert_eq!(difference(&near(&[4.0, 0.0]), &floats(&[5.5, -0.5])), None);
    assert_eq!(difference(&near(&[4.0, 0.0]), &floats(&[4.0, 0.75])).unwrap(), "[1] expected 0e0 got 7.5e-1");
    assert!(difference(&near(&[4.0]), &floats(&[f32::NAN])).is_some());
    let exact = Want::Exact(words(&[1, 2]), 4);
    assert_eq!(difference(&exact, &words(&[1, 2])), None);
    assert_eq!(difference(&exact, &words(&[1, 0x102])).unwrap(), "[1] expected 00000002 got 00000102");
    assert_eq!(difference(&exact, &words(&[1])).unwrap(), "4 bytes, not 8");
    let floats = Want::Floats(vec![f32::NAN, 0.0]);
    assert_eq!(difference(&floats, &words(&[0xffc1_2345, 0])), None);
    assert!(difference(&floats, &words(&[0x7f80_0000, 0])).is_some());
    assert!(difference(&floats, &words(&[0x7fc0_0000, 0x8000_0000])).is_some());
    let claimed = Want::Claimed(vec![2, 8, 9, 0]);
    assert_eq!(difference(&claimed, &words(&[2, 9, 8, 0])), None);
    assert!(difference(&claimed, &words(&[2, 9, 9, 0])).is_some());
    assert!(difference(&claimed, &words(&[2, 9, 8, 1])).is_some());
    let race = Want::AnyOf(vec![vec![1, 2]]);
    assert_eq!(difference(&race, &words(&[2])), None);
    assert!(difference(&race, &words(&[3])).is_some());
}

#[test]
fn entries_are_read_off_the_text() {
    let text = ".visible .entry k_1(\n\t.param .u64 .ptr .global .align 1 a,\n\t.param .align 8 .b8 b[12],\n.param .f32 c\n)\n{ ret; }\n.entry z()\n{}";
    assert_eq!(entries(text), [("k_1", vec![8, 12, 4]), ("z", vec![])]);
}
