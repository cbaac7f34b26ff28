//! The laws of the algebra of byte permutes, over any number of sources: on its own terms where it says what a byte is, and against
//! evaluation of random data.

use proptest::collection::vec;
use proptest::prelude::*;
use warp2wave::ir::byteperm::ByteSel;

type Permute = [ByteSel; 4];

const MOST_SOURCES: u8 = 6;

fn sel(sources: u8) -> impl Strategy<Value = ByteSel> {
    prop_oneof![
        4 => (0..sources, 0u8..4).prop_map(|(source, byte)| ByteSel::Byte(source, byte)),
        3 => (0..sources, 0u8..4).prop_map(|(source, byte)| ByteSel::Sign(source, byte)),
        1 => Just(ByteSel::Zero),
        1 => Just(ByteSel::Ones),
    ]
}

fn permute(sources: u8) -> impl Strategy<Value = Permute> {
    [sel(sources), sel(sources), sel(sources), sel(sources)]
}

/// As many permutes as there are sources.
fn permutes() -> impl Strategy<Value = Vec<Permute>> {
    vec(permute(MOST_SOURCES), MOST_SOURCES as usize)
}

/// Bytes that a sign, 0x00 or 0xff could be mistaken for are as likely as all others together.
fn data() -> impl Strategy<Value = Vec<u32>> {
    let byte = || prop_oneof![Just(0x00u8), Just(0x7f), Just(0x80), Just(0xff), any::<u8>(), any::<u8>()];
    vec([byte(), byte(), byte(), byte()].prop_map(u32::from_le_bytes), MOST_SOURCES as usize)
}

/// Dwords whose bytes are 0x00 and 0xff.
fn byte_masks() -> impl Strategy<Value = Vec<u32>> {
    vec(0u8..16, MOST_SOURCES as usize).prop_map(|masks| masks.into_iter().map(byte_mask).collect())
}

fn byte_mask(bits: u8) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|n| if bits >> n & 1 == 1 { 0xff } else { 0 }))
}

fn eval(permute: &Permute, sources: &[u32]) -> u32 {
    u32::from_le_bytes(permute.map(|sel| sel.eval(sources)))
}

fn after(outer: &Permute, inner: &[Permute]) -> Permute {
    outer.map(|sel| sel.compose(|source, byte| inner[source as usize][byte as usize]))
}

fn identities() -> Vec<Permute> {
    (0..MOST_SOURCES).map(|source| std::array::from_fn(|byte| ByteSel::Byte(source, byte as u8))).collect()
}

fn constants(words: &[u32]) -> impl Fn(u8) -> Option<u64> {
    |source| Some(u64::from(words[source as usize]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_permute_of_permutes_is_one(outer in permute(MOST_SOURCES), inner in permutes(), data in data()) {
        let between: Vec<u32> = inner.iter().map(|permute| eval(permute, &data)).collect();
        prop_assert_eq!(eval(&after(&outer, &inner), &data), eval(&outer, &between));
    }

    #[test]
    fn composition_is_associative(outer in permute(MOST_SOURCES), middle in permutes(), inner in permutes()) {
        let inner_first: Vec<Permute> = middle.iter().map(|permute| after(permute, &inner)).collect();
        prop_assert_eq!(after(&after(&outer, &middle), &inner), after(&outer, &inner_first));
    }

    #[test]
    fn identity_changes_nothing(outer in permute(MOST_SOURCES)) {
        prop_assert_eq!(after(&outer, &identities()), outer);
        prop_assert_eq!(after(&ByteSel::IDENTITY, &[outer]), outer);
    }

    #[test]
    fn constants_fold(outer in permute(MOST_SOURCES), data in data(), known in vec(any::<bool>(), MOST_SOURCES as usize)) {
        let constant = |source: u8| known[source as usize].then_some(u64::from(data[source as usize]));
        let folded = outer.map(|sel| sel.folded(constant));
        prop_assert_eq!(eval(&folded, &data), eval(&outer, &data));
        // What still names a constant is a byte that no selector can say.
        for sel in folded.into_iter().filter(|sel| sel.source().is_some_and(|source| known[source as usize])) {
            prop_assert!(matches!(sel, ByteSel::Byte(..)) && !matches!(sel.eval(&data), 0x00 | 0xff), "{:?}", sel);
        }
    }

    /// Byte masks go through a permute: p(x op m) = p(x) op p(m), signs included.
    #[test]
    fn byte_masks_commute(outer in permute(MOST_SOURCES), data in data(), masks in byte_masks()) {
        let named = identities();
        let mask_of: Vec<Permute> =
            named.iter().map(|dword| dword.map(|sel| sel.folded(constants(&masks)))).collect();
        type OnSels = fn(ByteSel, ByteSel) -> Option<ByteSel>;
        type OnWords = fn(u32, u32) -> u32;
        let ops: [(OnSels, OnWords); 3] = [
            (ByteSel::and, |x, m| x & m),
            (ByteSel::or, |x, m| x | m),
            (ByteSel::xor, |x, m| x ^ m),
        ];
        for (on_sels, on_words) in ops {
            let masked: Vec<u32> = data.iter().zip(&masks).map(|(&x, &m)| on_words(x, m)).collect();
            // A byte that the permute makes up itself is no operand's.
            for sel in outer {
                let Some((source, byte)) = place(sel) else { continue };
                let number = on_words(u32::from(sel.eval(&data)), u32::from(sel.eval(&masks))) as u8;
                prop_assert_eq!(sel.eval(&masked), number);
                let before = on_sels(ByteSel::Byte(source, byte), mask_of[source as usize][byte as usize])
                    .map(|inside| sel.compose(|_, _| inside));
                let behind = on_sels(sel, sel.compose(|source, byte| mask_of[source as usize][byte as usize]));
                prop_assert_eq!(before, behind);
                if let Some(behind) = behind {
                    prop_assert_eq!(behind.eval(&data), number);
                }
            }
        }
    }

    #[test]
    fn bytewise_ops_are_those_of_numbers(x in sel(2), y in sel(2), z in sel(2), table: u8, data in data()) {
        let [a, b, c] = [x, y, z].map(|sel| sel.eval(&data));
        let results = [
            (x.and(y), a & b),
            (x.or(y), a | b),
            (x.xor(y), a ^ b),
            (x.inverted(), !a),
            (x.select(y, z), a & b | !a & c),
            (x.lop3(table, y, z), lop3(table, a, b, c)),
        ];
        for (n, (sel, number)) in results.into_iter().enumerate() {
            if let Some(sel) = sel {
                prop_assert_eq!(sel.eval(&data), number, "op {}", n);
            }
        }
        if let Some(sum) = x.plus(y) {
            prop_assert_eq!(sum.eval(&data), a.wrapping_add(b));
        }
    }

    /// Where `lop3` says that nothing is the result, some data tell it from every byte there is.
    #[test]
    fn what_is_no_byte_is_none(x in sel(2), y in sel(2), z in sel(2), table: u8) {
        prop_assume!(x.lop3(table, y, z).is_none());
        let candidates = [x, y, z, ByteSel::Zero, ByteSel::Ones];
        // All values of the bits of two sources that matter: in each byte bit 0, bit 7 and the sign.
        let all = (0..1u32 << 16).map(|n| {
            let byte = |k: u32| (n >> (2 * k) & 1) as u8 | ((n >> (2 * k + 1) & 1) as u8) << 7;
            [0, 4].map(|first| u32::from_le_bytes(std::array::from_fn(|k| byte(first + k as u32))))
        });
        let mut open = candidates.to_vec();
        for data in all {
            let [a, b, c] = [x, y, z].map(|sel| sel.eval(&data));
            open.retain(|sel| sel.eval(&data) == lop3(table, a, b, c));
            if open.is_empty() {
                return Ok(());
            }
        }
        prop_assert!(false, "{:?} would do for {:#x} of {:?} {:?} {:?}", open, table, x, y, z);
    }
}

fn place(sel: ByteSel) -> Option<(u8, u8)> {
    match sel {
        ByteSel::Byte(source, byte) | ByteSel::Sign(source, byte) => Some((source, byte)),
        ByteSel::Zero | ByteSel::Ones => None,
    }
}

/// PTX ISA, "lop3": the bits of a, b and c are the index into the table, that of a the highest.
fn lop3(table: u8, a: u8, b: u8, c: u8) -> u8 {
    (0..8).fold(0, |out, n| out | (table >> ((a >> n & 1) << 2 | (b >> n & 1) << 1 | c >> n & 1) & 1) << n)
}
