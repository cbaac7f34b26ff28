//! What a processor cannot hold: located refusals.

use crate::amd::Target;
use crate::diag::{Diag, codes};
use crate::ir;

/// Static LDS and scratch of a kernel against what the target has. `scratch_bytes` is what a work-item needs as far as it is known:
/// `.local` variables before registers are given, spills too after that.
pub fn check(kernel: &ir::Kernel, scratch_bytes: u32, target: &Target) -> Result<(), Diag> {
    let refuse = |text: String| Err(Diag::error(codes::RESOURCES, kernel.span, text));
    let name = &kernel.name;
    let (lds_bytes, lds_limit) = (kernel.shared_bytes, target.processor().lds_bytes);
    if lds_bytes > lds_limit {
        return refuse(format!("`{name}` has {lds_bytes} bytes of `.shared` memory; {target} has {lds_limit}"));
    }
    let scratch_limit = target.max_scratch_bytes();
    if scratch_bytes > scratch_limit {
        let what = if scratch_bytes == kernel.local_bytes { "`.local` memory" } else { "`.local` memory and spills" };
        return refuse(format!(
            "`{name}` has {scratch_bytes} bytes of {what}; {target} has {scratch_limit} for each work-item"
        ));
    }
    Ok(())
}
