//! Whole kernels: how many instructions move bytes, beside what clang makes of the same CUDA source compiled as HIP.
//!
//! `fixtures/byteperm/clang.tsv` has clang's figures; `W2W_RECORD=1 cargo test --test it byteperm::compared` records them anew with
//! `clang-22`, whose command line stands in the file. The sources get `fixtures/byteperm/hip_shim.h` in place of CUDA's headers.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use warp2wave::Options;
use warp2wave::amd::Target;
use warp2wave::pipeline::{Stage, text_of};

const TARGETS: [&str; 5] = ["gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"];

/// The stem of a source, and its kernels that are about bytes.
const KERNELS: [(&str, &[&str]); 7] = [
    ("01_endian_swap", &["bswap16_shift", "bswap32_shift", "bswap32_perm", "bswap64_perm", "bswap128_vec"]),
    (
        "03_byte_perm_intrin",
        &[
            "byte_perm_table",
            "byte_perm_dynamic",
            "byte_transpose4",
            "unaligned_load",
            "rotate_left_bytes",
            "shifts_that_become_prmt",
            "pack_bytes",
        ],
    ),
    (
        "05_dequant_int8_fp",
        &[
            "dequant_u8_to_f32",
            "dequant_char4_scale",
            "e5m2_to_f16",
            "f32_to_bf16_trunc",
            "bf16_to_f32_pair",
            "quantize_f32_to_s8",
        ],
    ),
    ("07_pixel_rgb", &["rgb_to_rgba", "rgba_to_rgb", "rgba_to_bgra", "rgba_to_planar", "premultiply_alpha"]),
    ("08_base64_hex", &["base64_encode", "hex_encode", "hex_decode"]),
    ("13_blake", &["blake2s_64B", "blake3_compress"]),
    ("14_chacha20", &["chacha20_xor"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A number as assembly text spells it.
fn number(text: &str) -> Option<u32> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

/// Vector instructions, and those among them that only move bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Count {
    vector: u32,
    moves: u32,
}

/// Counts the instructions of each kernel in assembly text, clang's or ours. Constants in SGPRs are followed to their uses.
fn counts(text: &str) -> BTreeMap<String, Count> {
    let mut out: BTreeMap<String, Count> = BTreeMap::new();
    let mut kernel: Option<String> = None;
    let mut constants: HashMap<String, u32> = HashMap::new();
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or("").trim();
        if let Some(label) = line.strip_suffix(':').or_else(|| line.split(": ").next().filter(|l| line.starts_with(*l)))
            && line.contains(':')
            && !line.starts_with(['.', '\t', ' ', ';'])
        {
            kernel = Some(label.split(':').next().unwrap_or("").to_string());
            constants.clear();
            continue;
        }
        if code.starts_with('.') {
            if code.starts_with(".section") || code.starts_with(".amdhsa_kernel") {
                kernel = None;
            }
            continue;
        }
        let (Some(kernel), Some((op, operands))) = (&kernel, code.split_once(char::is_whitespace)) else { continue };
        let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
        if op == "s_mov_b32" {
            match number(operands[1]) {
                Some(bits) => constants.insert(operands[0].to_string(), bits),
                None => constants.remove(operands[0]),
            };
            continue;
        }
        constants.remove(operands[0]);
        if !op.starts_with("v_") {
            continue;
        }
        let count = out.entry(kernel.clone()).or_default();
        count.vector += 1;
        let value = |n: usize| operands.get(n).and_then(|&text| number(text).or_else(|| constants.get(text).copied()));
        count.moves += u32::from(moves_bytes(op, value));
    }
    out
}

/// Whether an instruction only moves bytes, given its operands that are constant; operand 0 is the result.
fn moves_bytes(op: &str, value: impl Fn(usize) -> Option<u32>) -> bool {
    let sdwa = op.ends_with("_sdwa");
    let base = op.trim_end_matches("_sdwa").trim_end_matches("_e32").trim_end_matches("_e64");
    let whole_bytes = |bits: u32| bits.is_multiple_of(8);
    let mask = |n: usize| value(n).is_some_and(|bits| bits.to_le_bytes().iter().all(|&byte| byte == 0 || byte == 0xff));
    let by = |n: usize| value(n).is_some_and(|bits| bits > 0 && bits < 64 && whole_bytes(bits));
    match base {
        "v_perm_b32" | "v_alignbyte_b32" | "v_pack_b32_f16" => true,
        "v_alignbit_b32" => value(3).is_some_and(whole_bytes),
        "v_bfe_u32" | "v_bfe_i32" => match (value(2), value(3)) {
            (Some(first), Some(1)) => first % 8 == 7,
            (Some(first), Some(width)) => whole_bytes(first) && whole_bytes(width),
            _ => false,
        },
        "v_mov_b32" => sdwa,
        // Halves of registers have names of their own on gfx11 and gfx12 (`v1.h`): moving one is moving two bytes.
        "v_mov_b16" => value(1).is_none(),
        "v_and_b32" | "v_or_b32" | "v_and_b16" | "v_or_b16" => sdwa || mask(1) || mask(2),
        "v_bfi_b32" => mask(1),
        "v_and_or_b32" => mask(1) || mask(2),
        "v_lshl_or_b32" => by(2),
        _ => {
            (base.starts_with("v_lsh") || base.starts_with("v_ash") || base.starts_with("v_pk_lsh")) && (sdwa || by(1))
        }
    }
}

#[test]
fn what_counts_as_moving_bytes() {
    let text = "k: ; @k\n\ts_mov_b32 s4, 0x5010400\n\ts_mov_b32 s5, 0x1234\n\tv_perm_b32 v0, v1, v2, s4 ; comment\n\
                \tv_and_b32_e32 v0, s5, v1\n\tv_and_b32_e32 v0, 0xff00ff, v1\n\tv_lshlrev_b32_e32 v0, 2, v1\n\
                \tv_lshlrev_b32_e32 v0, 16, v1\n\tv_bfe_u32 v0, v1, 8, 8\n\tv_bfe_u32 v0, v1, 5, 6\n\
                \tv_add_u32_e32 v0, v1, v2\n\tv_mov_b32_e32 v0, v1\n\tv_mov_b16_e32 v0.l, v1.h\n\tv_mov_b16_e32 v0.l, 0\n\
                \tv_and_b16 v0.l, 0xff, v1.h\n\tv_and_b16 v0.l, 0xf0, v1.h\n\ts_endpgm\n";
    assert_eq!(counts(text)["k"], Count { vector: 13, moves: 6 });
}

fn source_of(stem: &str) -> PathBuf {
    let folder = if stem == "05_dequant_int8_fp" { "fixtures/byteperm" } else { "fixtures/cuda" };
    root().join(folder).join(format!("{stem}.cu"))
}

fn ptx_of(stem: &str, compiler: &str) -> String {
    let folder = if stem == "05_dequant_int8_fp" { "fixtures/byteperm" } else { "fixtures/ptx/corpus" };
    let path = root().join(folder).join(format!("{stem}.{compiler}.sm_75.ptx"));
    std::fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

const CLANG: &str = "clang-22 -O3 -x hip --cuda-device-only -nogpuinc -nogpulib -S";

/// clang's assembly of a source, with empty headers where CUDA has its own.
fn clang(stem: &str, target: &str, headers: &Path) -> String {
    let mut words = CLANG.split(' ');
    let out = Command::new(words.next().unwrap_or(""))
        .args(words)
        .arg(format!("--offload-arch={target}"))
        .arg("-isystem")
        .arg(headers)
        .arg("-include")
        .arg(root().join("fixtures/byteperm/hip_shim.h"))
        .args(["-o", "-"])
        .arg(source_of(stem))
        .output()
        .expect("clang-22 runs");
    assert!(out.status.success(), "{stem} for {target}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn record() -> String {
    let headers = std::env::temp_dir().join(format!("w2w-hip-{}", std::process::id()));
    std::fs::create_dir_all(&headers).expect("a temporary folder");
    for name in ["stdint.h", "cuda_fp16.h", "cuda_bf16.h"] {
        std::fs::write(headers.join(name), "").expect("writable");
    }
    let version = Command::new("clang-22").arg("--version").output().expect("clang-22 runs").stdout;
    let version = String::from_utf8_lossy(&version).lines().next().unwrap_or("").to_string();
    let mut out = format!(
        "# {version}: {CLANG} --offload-arch=TARGET -include hip_shim.h\n\
         # Written by `W2W_RECORD=1 cargo test --test it byteperm::compared`.\n\
         # kernel\ttarget\tinstructions that move bytes\tvector instructions\n"
    );
    for (stem, kernels) in KERNELS {
        for target in TARGETS {
            let counts = counts(&clang(stem, target, &headers));
            for kernel in kernels {
                let count = counts.get(*kernel).unwrap_or_else(|| panic!("no {kernel} in {stem}"));
                let _ = writeln!(out, "{kernel}\t{target}\t{}\t{}", count.moves, count.vector);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&headers);
    out
}

/// The recorded figures by kernel and target.
fn recorded() -> BTreeMap<(String, String), Count> {
    let path = root().join("fixtures/byteperm/clang.tsv");
    if std::env::var_os("W2W_RECORD").is_some() {
        std::fs::write(&path, record()).expect("writable");
    }
    let text = std::fs::read_to_string(&path).expect("the record of clang's figures");
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let count =
                Count { moves: fields[2].parse().expect("a number"), vector: fields[3].parse().expect("a number") };
            ((fields[0].to_string(), fields[1].to_string()), count)
        })
        .collect()
}

#[test]
fn byte_moves_of_whole_kernels() {
    let clang = recorded();
    let mut table = String::from(
        "kernel                   target   clang      nvcc's PTX  clang's PTX  (byte moves of vector instructions)\n",
    );
    for (stem, kernels) in KERNELS {
        for target in TARGETS {
            let ours: Vec<BTreeMap<String, Count>> = ["nvcc", "clang"]
                .iter()
                .map(|compiler| {
                    let mut options = Options::new(Target::parse(target).expect("a processor"));
                    options.kernels = Some(kernels.iter().map(|k| k.to_string()).collect());
                    counts(&text_of(&ptx_of(stem, compiler), &options, Stage::Assembly).expect("translates"))
                })
                .collect();
            for &kernel in kernels {
                let theirs = clang[&(kernel.to_string(), target.to_string())];
                let [nvcc, other] = [0, 1].map(|n| ours[n].get(kernel).copied().unwrap_or_default());
                let cell = |count: Count| format!("{} of {}", count.moves, count.vector);
                let _ =
                    writeln!(table, "{kernel:<24} {target:<8} {:<10} {:<11} {}", cell(theirs), cell(nvcc), cell(other));
                for ours in [nvcc, other] {
                    assert!(ours.moves <= theirs.moves, "{kernel} on {target}: {ours:?}, clang {theirs:?}");
                    assert!(ours.vector > 0, "{kernel} on {target} is empty");
                }
            }
        }
    }
    insta::assert_snapshot!("byteperm_whole_kernels", table);
}

/// Rotations by 16 and 8 are one instruction each, as many as the PTX has permutes; clang spends 32 as well.
#[test]
fn chacha_rotates_once_each() {
    for compiler in ["nvcc", "clang"] {
        let text = ptx_of("14_chacha20", compiler);
        let kernel =
            text.split(".entry chacha20_xor").nth(1).and_then(|rest| rest.split(".entry").next()).expect("the kernel");
        let rotations = kernel.matches("prmt.b32").count() as u32;
        for target in TARGETS {
            let mut options = Options::new(Target::parse(target).expect("a processor"));
            options.kernels = Some(vec!["chacha20_xor".into()]);
            let ours = counts(&text_of(&text, &options, Stage::Assembly).expect("translates"))["chacha20_xor"];
            assert_eq!((ours.moves, rotations), (32, 32), "{compiler} on {target}");
        }
    }
}
