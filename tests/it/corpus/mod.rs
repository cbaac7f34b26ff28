//! Whole programs: every kernel of the corpus files, from every compiler's PTX, against independent host code.
//!
//! `fixtures/ptx/corpus` holds the PTX (nvcc, clang, NVRTC and Triton made it), `fixtures/cuda` the sources. Each module
//! below belongs to one source: it says what every launch is given and what must be in memory afterwards. The expected
//! values come from published crates where there is one, and from plain sequential code otherwise; either is first
//! checked against published answers. Nothing here shares code with the translator.
//!
//! Every file runs on one wave32 and one wave64 processor, a selection on one processor of every other family.
//! `W2W_ONLY=TEXT cargo test --test it corpus` runs only what has TEXT in `FILE/KERNEL/TARGET`; `W2W_TARGETS=ID,ID` runs
//! every file on those processors.

mod aes;
mod base64_hex;
mod bignum;
mod bitonic;
mod bitops;
mod blake;
mod blas1;
pub mod case;
mod chacha;
pub mod check;
mod compact;
mod control_flow;
mod coop_groups;
mod crc32;
mod dp4a;
mod dyn_shared;
mod endian_swap;
pub mod harness;
mod int64;
mod keccak;
mod layernorm;
mod local_arrays;
mod matmul;
mod md5;
pub mod outside;
mod pixels;
mod prefix_sum;
mod prmt;
mod rng;
mod rows;
mod sha256;
mod shfl_forms;
mod softmax;
mod stencil;
mod transpose;
mod utf8;
mod vec_add;
mod vec_ldst;
mod vote_match;
mod waits;
mod warp_reduce;
mod warp_scan;
mod xxhash;

/// One corpus source: the stem of its files' names, how many files there are, and the launches.
pub struct Source {
    pub stem: &'static str,
    pub files: usize,
    pub cases: fn(&case::Ptx) -> Vec<case::Case>,
}

macro_rules! sources {
    ($($test:ident: $stem:literal, $files:literal files, $cases:path;)*) => {
        pub const SOURCES: &[Source] = &[$(Source { stem: $stem, files: $files, cases: $cases }),*];
        $(
            #[test]
            fn $test() {
                check::check(&Source { stem: $stem, files: $files, cases: $cases });
            }
        )*
    };
}

sources! {
    s01_endian_swap: "01_endian_swap", 7 files, endian_swap::cases;
    s02_prmt_modes: "02_prmt_modes", 9 files, prmt::prmt_modes;
    s03_byte_perm: "03_byte_perm_intrin", 3 files, prmt::byte_perm;
    s06_dp4a: "06_dp4a", 2 files, dp4a::cases;
    s07_pixels: "07_pixel_rgb", 3 files, pixels::cases;
    s08_base64_hex: "08_base64_hex", 2 files, base64_hex::cases;
    s09_utf8: "09_utf8", 2 files, utf8::cases;
    s10_crc32: "10_crc32", 2 files, crc32::cases;
    s11_xxhash: "11_xxhash", 2 files, xxhash::cases;
    s12_sha256: "12_sha256", 9 files, sha256::cases;
    s13_blake: "13_blake", 3 files, blake::cases;
    s14_chacha20: "14_chacha20", 2 files, chacha::cases;
    s15_aes: "15_aes_ttable", 2 files, aes::cases;
    s16_md5: "16_md5", 2 files, md5::cases;
    s17_keccak: "17_keccak", 2 files, keccak::cases;
    s18_warp_reduce: "18_warp_reduce", 2 files, warp_reduce::cases;
    s19_warp_scan: "19_warp_scan", 2 files, warp_scan::cases;
    s20_shfl_forms: "20_shfl_forms", 9 files, shfl_forms::cases;
    s21_bitonic: "21_bitonic_warp", 2 files, bitonic::cases;
    s22_compact: "22_compact", 2 files, compact::cases;
    s23_transpose: "23_transpose", 2 files, transpose::cases;
    s24_matmul: "24_matmul", 9 files, matmul::cases;
    s25_stencil: "25_stencil", 2 files, stencil::cases;
    s28_prefix_sum: "28_prefix_sum", 4 files, prefix_sum::cases;
    s31_blas1: "31_blas1", 3 files, blas1::cases;
    s32_softmax: "32_softmax", 5 files, softmax::cases;
    s33_layernorm: "33_layernorm", 4 files, layernorm::cases;
    s36_int64: "36_int64", 2 files, int64::cases;
    s37_control_flow: "37_control_flow", 8 files, control_flow::cases;
    s39_local_arrays: "39_local_arrays", 2 files, local_arrays::cases;
    s41_dyn_shared: "41_dyn_shared", 2 files, dyn_shared::cases;
    s42_vec_ldst: "42_vec_ldst", 2 files, vec_ldst::cases;
    s44_bitops: "44_bitops", 2 files, bitops::cases;
    s50_vote_match: "50_vote_match", 2 files, vote_match::cases;
    s51_bignum: "51_bignum", 6 files, bignum::cases;
    s54_coop_groups: "54_coop_groups", 3 files, coop_groups::cases;
    triton_vec_add: "triton_vec_add", 2 files, vec_add::cases;
}
