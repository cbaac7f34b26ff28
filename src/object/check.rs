//! What no code object can express, found before anything is written.

use super::elf::{PAGE, content_size};
use super::{CodeObjectInput, Family, Fixup, FixupKind, KernelInput, Version, WriteError};
use std::collections::HashSet;

/// Everything that would make the file wrong or the writer panic.
pub(super) fn check(input: &CodeObjectInput) -> Result<Family, WriteError> {
    let fail = |message: String| Err(WriteError(message));
    let target = &input.target;
    let Some(family) = Family::of_machine(target.machine) else {
        return fail(format!(
            "no kernel descriptor layout is known for `{}` (machine {:#x})",
            target.id, target.machine
        ));
    };
    if target.generic_version != 0 && input.version < Version::V6 {
        return fail(format!("generic target `{}` needs code object version 6", target.id));
    }
    let mut names = HashSet::new();
    let all_names = input.kernels.iter().map(|k| &k.name).chain(input.variables.iter().map(|v| &v.name));
    for name in all_names {
        if name.is_empty() || name.contains('\0') {
            return fail(format!("symbol name {name:?} cannot be written"));
        }
        if !names.insert(name.as_str()) {
            return fail(format!("two symbols are named `{name}`"));
        }
    }
    for variable in &input.variables {
        let size = content_size(&variable.content);
        if !variable.align_bytes.is_power_of_two() || variable.align_bytes > PAGE {
            return fail(format!("variable `{}`: alignment {} cannot be kept", variable.name, variable.align_bytes));
        }
        for address in &variable.addresses {
            if address.variable >= input.variables.len() || address.offset.checked_add(8).is_none_or(|end| end > size) {
                return fail(format!("variable `{}`: address at byte {} is outside it", variable.name, address.offset));
            }
        }
    }
    for kernel in &input.kernels {
        check_kernel(kernel, input.variables.len())?;
    }
    Ok(family)
}

fn check_kernel(kernel: &KernelInput, variables: usize) -> Result<(), WriteError> {
    let name = &kernel.name;
    let fail = |message: String| Err(WriteError(format!("kernel `{name}`: {message}")));
    if kernel.code.is_empty() || !kernel.code.len().is_multiple_of(4) {
        return fail(format!("code of {} bytes", kernel.code.len()));
    }
    for Fixup { kind, offset, variable, .. } in &kernel.fixups {
        let bytes = if *kind == FixupKind::Full64 { 8 } else { 4 };
        if *variable >= variables || *offset as u64 + bytes > kernel.code.len() as u64 {
            return fail(format!("fix-up at byte {offset} is outside the code or names no variable"));
        }
    }
    let needed = kernel.descriptor.user_sgprs_needed();
    if kernel.descriptor.user_sgpr_count < needed {
        return fail(format!("user_sgpr_count {} is less than the {needed} in use", kernel.descriptor.user_sgpr_count));
    }
    for arg in &kernel.args {
        if arg.offset as u64 + arg.size as u64 > kernel.descriptor.kernarg_bytes as u64 {
            return fail(format!("argument at byte {} reaches beyond the kernarg segment", arg.offset));
        }
    }
    Ok(())
}
