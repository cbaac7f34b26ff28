//! Kernels of the corpus programs that use something outside the instructions translated so far.
//!
//! Each must be refused, with a place. When a form becomes supported its row here turns into a failing test, and the
//! kernel gets cases instead.

/// What the names of its files begin with, the kernel, and what it uses.
pub const OUTSIDE: &[(&str, &str, &str)] = &[
    ("18_warp_reduce", "warp_sum_f64", "add of f64"),
    ("18_warp_reduce", "block_sum_f32", "atom.global.add.f32"),
    ("24_matmul", "hgemm_half2", "fma.rn.f16x2"),
    ("25_stencil", "stencil3d_7", "add, sub and div.rn of f64"),
    ("31_blas1", "daxpby_stride", "mul and fma of f64"),
    ("31_blas1", "haxpy", "fma.rn.f16"),
    ("31_blas1", "dot_f32", "atom.global.add.f32"),
    ("32_softmax.nvcc.sm_75.fastmath", "gelu_silu", "tanh.approx.f32"),
    ("33_layernorm", "rope_f16", "arithmetic of f64, and conversions to f16x2"),
    ("37_control_flow", "tiny_vm", "sqrt.rn.f32 or sqrt.approx.f32"),
    ("39_local_arrays", "lu_small", "arithmetic and comparisons of f64"),
    ("41_dyn_shared", "dyn_carve", "cvt.f64.f32"),
    ("42_vec_ldst", "vec_types", "cvt.rn.f32.f64"),
    ("42_vec_ldst", "vec_store", "cvt.f64.f32"),
    ("50_vote_match", "sregs", "%smid, %clock64 and %globaltimer"),
    ("50_vote_match", "fences", "nanosleep"),
    ("50_vote_match", "acq_rel", "ld.acquire, st.release and red.release"),
    ("50_vote_match", "isspacep_cvta", "isspacep.const"),
];

/// What `kernel` of a file uses that is outside, if anything.
pub fn reason(file: &str, kernel: &str) -> Option<&'static str> {
    let belongs = |begin: &str| file.strip_prefix(begin).is_some_and(|rest| rest.starts_with('.'));
    OUTSIDE.iter().find(|(begin, k, _)| belongs(begin) && *k == kernel).map(|(_, _, why)| *why)
}
