//! The metadata note: MessagePack, keys sorted as LLVM sorts them.
//!
//! Spec: LLVM "User Guide for AMDGPU Backend", "Code Object Metadata". Required keys of a kernel are checked on reading,
//! unknown ones are let through.

use super::descriptor::{Family, total_vgprs};
use super::{ArgInfo, CodeObjectInput, KernelInput, ReadError, Version, WriteError};
use rmpv::Value;

/// What the note says about one kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelMetadata {
    pub name: String,
    /// The descriptor's symbol: `name.kd`.
    pub symbol: String,
    pub kernarg_segment_size: u32,
    pub kernarg_segment_align: u32,
    pub group_segment_fixed_size: u32,
    pub private_segment_fixed_size: u32,
    pub wavefront_size: u32,
    pub sgpr_count: u32,
    pub vgpr_count: u32,
    pub agpr_count: Option<u32>,
    pub max_flat_workgroup_size: u32,
    pub reqd_workgroup_size: Option<[u32; 3]>,
    pub uses_dynamic_stack: bool,
    pub args: Vec<ArgInfo>,
}

/// The metadata of a whole object.
pub struct Metadata {
    /// `amdgcn-amd-amdhsa--gfx942:xnack-`.
    pub target: String,
    pub version: [u32; 2],
    pub kernels: Vec<KernelMetadata>,
}

/// The note's description, unpadded.
pub fn encode(input: &CodeObjectInput, family: Family) -> Result<Vec<u8>, WriteError> {
    let mut bytes = vec![];
    rmpv::encode::write_value(&mut bytes, &value(input, family)).map_err(|e| WriteError(format!("metadata: {e}")))?;
    Ok(bytes)
}

/// The metadata as the block style of YAML that the assembler's `.amdgpu_metadata` takes.
pub fn yaml(input: &CodeObjectInput, family: Family) -> String {
    let mut out = String::new();
    block(&value(input, family), 0, &mut out);
    out
}

fn block(value: &Value, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Map(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                out.push_str(&format!("{pad}{}:", key.as_str().unwrap_or_default()));
                nested(value, indent + 2, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                out.push_str(&format!("{pad}-"));
                nested(item, indent + 2, out);
            }
        }
        _ => nested(value, indent, out),
    }
}

/// A value behind its key: on the same line when it is short.
fn nested(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Map(entries) if !entries.is_empty() => {
            out.push('\n');
            block(value, indent, out);
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            block(value, indent, out);
        }
        Value::Map(_) => out.push_str(" {}\n"),
        Value::Array(_) => out.push_str(" []\n"),
        // Single quotes keep every character; a quote is doubled.
        Value::String(text) => out.push_str(&format!(" '{}'\n", text.as_str().unwrap_or_default().replace('\'', "''"))),
        other => out.push_str(&format!(" {other}\n")),
    }
}

fn value(input: &CodeObjectInput, family: Family) -> Value {
    let kernels = input.kernels.iter().map(|k| kernel(k, family, input.version)).collect();
    let minor = if input.version == Version::V4 { 1u32 } else { 2 };
    map(vec![
        ("amdhsa.kernels", Value::Array(kernels)),
        ("amdhsa.target", Value::from(format!("amdgcn-amd-amdhsa--{}", input.target.id))),
        ("amdhsa.version", Value::Array(vec![Value::from(1u32), Value::from(minor)])),
    ])
}

fn kernel(k: &KernelInput, family: Family, version: Version) -> Value {
    let d = &k.descriptor;
    let mut entries = vec![
        (".args", Value::Array(k.args.iter().map(arg).collect())),
        (".group_segment_fixed_size", Value::from(d.lds_bytes)),
        (".kernarg_segment_align", Value::from(k.kernarg_align_bytes)),
        (".kernarg_segment_size", Value::from(d.kernarg_bytes)),
        (".max_flat_workgroup_size", Value::from(k.max_flat_workgroup_size)),
        (".name", Value::from(k.name.as_str())),
        (".private_segment_fixed_size", Value::from(d.scratch_bytes)),
        (".sgpr_count", Value::from(k.sgprs + family.extra_sgprs())),
        (".sgpr_spill_count", Value::from(k.sgpr_spill_count)),
        (".symbol", Value::from(format!("{}.kd", k.name))),
        (".vgpr_count", Value::from(total_vgprs(family, k.vgprs, k.agprs))),
        (".vgpr_spill_count", Value::from(k.vgpr_spill_count)),
        (".wavefront_size", Value::from(k.wave_lanes)),
    ];
    if family.has_agprs() {
        entries.push((".agpr_count", Value::from(k.agprs)));
    }
    if let Some(size) = k.reqd_workgroup_size {
        entries.push((".reqd_workgroup_size", Value::Array(size.iter().map(|&n| Value::from(n)).collect())));
    }
    if version > Version::V4 {
        // PTX grids are whole numbers of CTAs.
        entries.push((".uniform_work_group_size", Value::from(1u32)));
        entries.push((".uses_dynamic_stack", Value::from(d.dynamic_stack)));
        if matches!(family, Family::Gfx10 | Family::Gfx11 | Family::Gfx12) {
            entries.push((".workgroup_processor_mode", Value::from(d.wgp_mode as u32)));
        }
    }
    map(entries)
}

fn arg(a: &ArgInfo) -> Value {
    let mut entries = vec![
        (".offset", Value::from(a.offset)),
        (".size", Value::from(a.size)),
        (".value_kind", Value::from(a.value_kind.as_str())),
    ];
    for (key, text) in [(".address_space", &a.address_space), (".name", &a.name), (".type_name", &a.type_name)] {
        if let Some(text) = text {
            entries.push((key, Value::from(text.as_str())));
        }
    }
    map(entries)
}

fn map(mut entries: Vec<(&str, Value)>) -> Value {
    entries.sort_by_key(|e| e.0);
    Value::Map(entries.into_iter().map(|(k, v)| (Value::from(k), v)).collect())
}

/// Deeper nesting than any producer writes is an attack on the stack.
const MAX_DEPTH: usize = 64;

/// Reads the note's description.
pub fn decode(mut bytes: &[u8]) -> Result<Metadata, ReadError> {
    let root = rmpv::decode::read_value_with_max_depth(&mut bytes, MAX_DEPTH)
        .map_err(|e| ReadError(format!("metadata is not MessagePack: {e}")))?;
    let target = text(&root, "amdhsa.target").unwrap_or_default();
    let version = match get(&root, "amdhsa.version").and_then(Value::as_array).map(Vec::as_slice) {
        Some([major, minor]) => match (as_u32(major), as_u32(minor)) {
            (Some(major), Some(minor)) => [major, minor],
            _ => return Err(ReadError("metadata: `amdhsa.version` is not two numbers".into())),
        },
        _ => return Err(ReadError("metadata: `amdhsa.version` is missing".into())),
    };
    let kernels = match get(&root, "amdhsa.kernels") {
        None => vec![],
        Some(list) => list
            .as_array()
            .ok_or_else(|| ReadError("metadata: `amdhsa.kernels` is not a list".into()))?
            .iter()
            .map(read_kernel)
            .collect::<Result<_, _>>()?,
    };
    Ok(Metadata { target, version, kernels })
}

fn read_kernel(value: &Value) -> Result<KernelMetadata, ReadError> {
    let name = text(value, ".name").ok_or_else(|| ReadError("metadata: a kernel without `.name`".into()))?;
    let need = |key: &str| {
        number(value, key)
            .ok_or_else(|| ReadError(format!("metadata of kernel `{name}`: `{key}` is missing or no number")))
    };
    let reqd_workgroup_size = match get(value, ".reqd_workgroup_size").and_then(Value::as_array).map(Vec::as_slice) {
        Some([x, y, z]) => match (as_u32(x), as_u32(y), as_u32(z)) {
            (Some(x), Some(y), Some(z)) => Some([x, y, z]),
            _ => {
                return Err(ReadError(format!(
                    "metadata of kernel `{name}`: `.reqd_workgroup_size` is not three numbers"
                )));
            }
        },
        _ => None,
    };
    let args = match get(value, ".args").and_then(Value::as_array) {
        None => vec![],
        Some(args) => args
            .iter()
            .map(|a| {
                let bad =
                    || ReadError(format!("metadata of kernel `{name}`: an argument without offset, size or kind"));
                Ok(ArgInfo {
                    name: text(a, ".name"),
                    offset: number(a, ".offset").ok_or_else(bad)?,
                    size: number(a, ".size").ok_or_else(bad)?,
                    value_kind: text(a, ".value_kind").ok_or_else(bad)?,
                    address_space: text(a, ".address_space"),
                    type_name: text(a, ".type_name"),
                })
            })
            .collect::<Result<_, ReadError>>()?,
    };
    Ok(KernelMetadata {
        symbol: text(value, ".symbol")
            .ok_or_else(|| ReadError(format!("metadata of kernel `{name}`: `.symbol` is missing")))?,
        kernarg_segment_size: need(".kernarg_segment_size")?,
        kernarg_segment_align: need(".kernarg_segment_align")?,
        group_segment_fixed_size: need(".group_segment_fixed_size")?,
        private_segment_fixed_size: need(".private_segment_fixed_size")?,
        wavefront_size: need(".wavefront_size")?,
        sgpr_count: need(".sgpr_count")?,
        vgpr_count: need(".vgpr_count")?,
        agpr_count: number(value, ".agpr_count"),
        max_flat_workgroup_size: need(".max_flat_workgroup_size")?,
        reqd_workgroup_size,
        uses_dynamic_stack: get(value, ".uses_dynamic_stack").and_then(Value::as_bool).unwrap_or(false),
        args,
        name,
    })
}

fn get<'a>(map: &'a Value, key: &str) -> Option<&'a Value> {
    map.as_map()?.iter().find(|(k, _)| k.as_str() == Some(key)).map(|(_, v)| v)
}

fn text(map: &Value, key: &str) -> Option<String> {
    get(map, key)?.as_str().map(str::to_owned)
}

fn number(map: &Value, key: &str) -> Option<u32> {
    as_u32(get(map, key)?)
}

fn as_u32(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok())
}
