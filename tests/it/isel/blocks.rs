//! Whole functions: listings of control flow, and every kernel of the corpus.

use super::*;

#[track_caller]
fn snapshot(name: &str, body: &str) {
    for id in TARGETS {
        insta::assert_snapshot!(format!("isel_{name}_{id}"), listing(body, id));
    }
}

/// A guarded kernel: ids, size of the work-group from the dispatch packet, a divergent branch, an address of base and index.
#[test]
fn kernel_with_a_guard() {
    let source = "bb0:
  %0 = load.param.u64 [0]
  %1 = special.tid_x
  %2 = special.ctaid_x
  %3 = special.ntid_x
  %4 = int.mul.b32 %2, %3
  %5 = int.add.b32 %4, %1
  %6 = load.param.u32 [8]
  %7 = cmp.ge_u.b32 %5, %6
  branch %7, bb2, bb1
bb1:
  %8 = const.b32 0x4
  %9 = mul_wide.u %5, %8
  %10 = int.add.b64 %0, %9
  %11 = load.global.u32 [%10]
  %12 = int.add.b32 %11, %11
  store.global.u32 [%10], %12
  jump bb2
bb2:
  exit
";
    snapshot("guard", source);
}

/// A uniform loop: its counter is in an SGPR, its compare in SCC right before the branch, its divergent sum in a VGPR.
#[test]
fn uniform_loop() {
    let source = "bb0:
  %0 = load.param.u32 [0]
  %1 = special.tid_x
  %2 = const.b32 0x0
  %3 = const.b32 0x1
  jump bb1(%2, %2)
bb1(%4: b32, %5: b32):
  %6 = int.add.b32 %4, %3
  %7 = int.add.b32 %5, %1
  %8 = cmp.lt_u.b32 %6, %0
  branch %8, bb1(%6, %7), bb2
bb2:
  %9 = const.b32 0x100
  store.shared.u32 [%9], %7
  exit
";
    snapshot("uniform_loop", source);
}

/// Two lane masks meet under different masks and swap.
#[test]
fn lane_masks_as_parameters() {
    let source = "bb0:
  %0 = special.tid_x
  %1 = const.b32 0x5
  %2 = cmp.lt_u.b32 %0, %1
  %3 = cmp.eq.b32 %0, %1
  jump bb1(%2, %3)
bb1(%4: pred, %5: pred):
  branch %4, bb1(%5, %4), bb2
bb2:
  %6 = const.b32 0x0
  %7 = select.b32 %5, %1, %6
  store.shared.u32 [%6], %7
  exit
";
    snapshot("mask_params", source);
}

/// Everything that the entry state holds.
#[test]
fn entry_state() {
    let mut source = String::from("bb0:\n  %0 = load.param.u64 [0]\n");
    let specials = [
        "tid_x",
        "tid_y",
        "tid_z",
        "ntid_x",
        "ntid_y",
        "ntid_z",
        "ctaid_x",
        "ctaid_y",
        "ctaid_z",
        "grid_x",
        "grid_y",
        "grid_z",
        "laneid",
        "lanemask_lt",
        "dynamic_shared_bytes",
    ];
    for (n, special) in specials.iter().enumerate() {
        source += &format!("  %{} = special.{special}\n  store.global.u32 [%0 + {}], %{}\n", n + 1, 4 * n, n + 1);
    }
    snapshot("entry", &(source + "  exit\n"));
}

/// A barrier, a switch, ordered accesses and a fence.
#[test]
fn synchronisation() {
    let source = "bb0:
  %0 = load.param.u64 [0]
  %1 = special.tid_x
  %2 = const.b32 0x7
  store.shared.u32 [%1], %2
  barrier bb1
bb1:
  %3 = load.global.u32.acquire.gpu [%0]
  store.global.u32.release.sys [%0 + 8], %3
  %4 = atomic.add.b32.global.u32.relaxed.gpu [%0 + 16], %1
  %5 = atomic.cas.b64.shared.u64.relaxed.cta [%1], %0, %0
  fence.gpu
  switch %1, bb2, bb3
bb2:
  exit
bb3:
  store.global.u64.volatile [%0], %5
  trap
";
    snapshot("synchronisation", source);
}

/// Every kernel of the corpus that lifts is selected and verified; only what `opt` expands first may be refused.
#[test]
fn corpus_kernels_are_selected() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx");
    let mut selected = 0;
    for file in walk(&folder) {
        let source = std::fs::read_to_string(&file).unwrap();
        let (module, diags) = warp2wave::ptx::parse(&source);
        if !diags.is_empty() {
            continue;
        }
        let entries = source.lines().filter_map(|l| l.split_once(".entry ").map(|(_, rest)| rest));
        for name in entries.map(|rest| rest.trim().split(['(', ' ']).next().unwrap_or("").to_string()) {
            let Ok(module) = warp2wave::lift::lift(&module, Some(std::slice::from_ref(&name))) else { continue };
            for mut kernel in module.kernels {
                lower_specials(&mut kernel);
                verify_ir(&kernel.func).unwrap();
                for id in TARGETS {
                    selected += select_corpus(&kernel, id).unwrap_or_else(|e| panic!("{file:?} {name}: {e}"));
                }
            }
        }
    }
    assert!(selected > 800, "{selected} kernels");
}

fn select_corpus(kernel: &Kernel, id: &str) -> Result<usize, String> {
    let target = Target::parse(id).unwrap();
    let mut func = kernel.func.clone();
    let divergence = prepare(&mut func, target.wave_lanes());
    let kernel = Kernel { func, name: kernel.name.clone(), params: vec![], ..*kernel };
    match select(&kernel, &divergence, &target, &IselOptions::default()) {
        Ok(func) => {
            if std::env::var("W2W_DUMP").is_ok_and(|name| name == func.name) {
                println!("{id}\n{}", warp2wave::mir::text::print(&func));
            }
            verify(&func, &target).map(|()| 1)
        }
        Err(diags) => match diags.iter().find(|d| !d.message.contains("`opt` expands it first")) {
            Some(other) => Err(other.message.clone()),
            None => Ok(0),
        },
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut out = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(walk(&path));
        } else if path.extension().is_some_and(|e| e == "ptx") {
            out.push(path);
        }
    }
    out
}
