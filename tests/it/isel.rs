//! Instruction selection: what is emitted, and that it computes what the IR says.

use warp2wave::amd::Target;
use warp2wave::ir::divergence::prepare;
use warp2wave::ir::{Kernel, text, verify};
use warp2wave::isel::{IselOptions, lower_specials, select};
use warp2wave::mir::MirFunc;

fn kernel(source: &str) -> Kernel {
    let (name, func) = text::parse(source).unwrap_or_else(|d| panic!("{} at {:?}", d.message, d.span.text(source)));
    Kernel {
        name,
        func,
        params: vec![],
        param_bytes: 64,
        param_align_bytes: 8,
        shared_bytes: 0,
        dynamic_shared: false,
        local_bytes: 0,
        reqntid: None,
        maxntid: None,
        span: warp2wave::diag::Span::NONE,
    }
}

fn selected(source: &str, target: &str) -> MirFunc {
    let target = Target::parse(target).unwrap();
    let mut kernel = kernel(source);
    lower_specials(&mut kernel);
    verify(&kernel.func).unwrap();
    let divergence = prepare(&mut kernel.func, target.wave_lanes());
    verify(&kernel.func).unwrap();
    select(&kernel, &divergence, &target, &IselOptions::default())
        .unwrap_or_else(|diags| panic!("{:?}", diags.iter().map(|d| &d.message).collect::<Vec<_>>()))
}

#[test]
fn smoke() {
    let source = "func @saxpy {
bb0:
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
}
";
    for t in ["gfx1100", "gfx942"] {
        println!("{}", warp2wave::mir::text::print(&selected(source, t)));
    }
}
