//! Explanations as text and as JSON.

use super::{Explanation, Group, Step, Unit, Value};
use crate::provenance::Byte;
use serde_json::json;
use std::fmt::Write;

/// For reading: one section for each group of targets.
pub fn text(explanation: &Explanation) -> String {
    let mut out = format!("{}\n", explanation.instruction);
    let sources = &explanation.sources;
    // Writing to a String cannot fail.
    if let Some(group) = explanation.groups.first() {
        let results: Vec<&Value> = group.results.iter().filter(|value| known(value)).collect();
        for value in results {
            let _ = writeln!(out, "\n  {}:", value.name);
            for n in (0..4).rev() {
                let _ = writeln!(out, "    byte {n}  {}", spelled(value.bytes[n], sources));
            }
        }
    }
    for group in &explanation.groups {
        let _ = writeln!(out, "\n{}", wrapped_list(&group.targets));
        let _ = writeln!(out, "  {}", places(group, sources));
        if group.steps.is_empty() {
            out += "  nothing to do: the result is there already\n";
        }
        let width = group.steps.iter().map(|step| step.text.len()).max().unwrap_or(0);
        for step in &group.steps {
            let hex: Vec<String> = step.words.iter().map(|word| format!("{word:08x}")).collect();
            let line = format!("    {:<width$}  ; {:<26}  {}", step.text, hex.join(" "), gives(step, sources));
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let _ = writeln!(out, "  {}", cost(group));
        for reason in &group.reasons {
            let _ = writeln!(out, "  {reason}");
        }
    }
    out
}

fn known(value: &Value) -> bool {
    value.bytes.iter().all(|&byte| byte != Byte::Mixed)
}

/// Names, several to a line.
fn wrapped_list(names: &[String]) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (n, name) in names.iter().enumerate() {
        if n > 0 {
            out.push(if column + name.len() > 100 { '\n' } else { ' ' });
            column = if column + name.len() > 100 { 0 } else { column + 1 };
        }
        out += name;
        column += name.len();
    }
    out
}

fn places(group: &Group, sources: &[String]) -> String {
    let list: Vec<String> = sources
        .iter()
        .zip(&group.registers)
        .filter_map(|(name, reg)| reg.as_ref().map(|reg| format!("{name} in {reg}")))
        .collect();
    if list.is_empty() { "no operand is read".into() } else { list.join(", ") }
}

fn spelled(byte: Byte, sources: &[String]) -> String {
    let name = |source: u8| sources.get(source as usize).map_or("?", String::as_str);
    match byte {
        Byte::Of { source, byte } => format!("{}[{}:{}]", name(source), 8 * byte + 7, 8 * byte),
        Byte::Sign { source, byte } => format!("sign of {}[{}:{}]", name(source), 8 * byte + 7, 8 * byte),
        Byte::Known(bits) => format!("0x{bits:02x}"),
        Byte::Mixed => "computed".into(),
    }
}

/// From byte 3 down.
fn gives(step: &Step, sources: &[String]) -> String {
    let Some(bytes) = step.gives else { return String::new() };
    let name = |source: u8| sources.get(source as usize).map_or("?", String::as_str);
    let short = |byte: &Byte| match *byte {
        Byte::Of { source, byte } => format!("{}.{byte}", name(source)),
        Byte::Sign { source, byte } => format!("sign({}.{byte})", name(source)),
        Byte::Known(bits) => format!("{bits:02x}"),
        Byte::Mixed => "?".into(),
    };
    let list: Vec<String> = bytes.iter().rev().map(short).collect();
    format!("{{{}}}", list.join(", "))
}

fn cost(group: &Group) -> String {
    let cost = &group.cost;
    let count = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut parts = vec![];
    if cost.vector > 0 || cost.scalar == 0 {
        parts.push(count(cost.vector, "vector instruction"));
    }
    if cost.scalar > 0 {
        parts.push(count(cost.scalar, "scalar instruction"));
    }
    if cost.constants > 0 {
        parts.push(count(cost.constants, "constant") + " in registers");
    }
    let mut out = format!("cost: {}; {}", parts.join(", "), count(cost.bytes, "byte"));
    if let Some(bound) = &group.bound {
        let _ = write!(out, "; at least {}, {}", count(bound.instructions, "vector instruction"), bound.by);
    }
    out
}

/// One object; bytes from 0 up, `null` for one that is computed.
pub fn json(explanation: &Explanation) -> serde_json::Value {
    let sources = &explanation.sources;
    let byte = |byte: Byte| match byte {
        Byte::Of { source, byte } => json!({ "source": sources.get(source as usize), "byte": byte }),
        Byte::Sign { source, byte } => json!({ "source": sources.get(source as usize), "sign_of_byte": byte }),
        Byte::Known(bits) => json!({ "value": bits }),
        Byte::Mixed => serde_json::Value::Null,
    };
    let bytes = |list: [Byte; 4]| list.into_iter().map(byte).collect::<Vec<_>>();
    let unit = |unit: Unit| match unit {
        Unit::Vector => "vector",
        Unit::Scalar => "scalar",
        Unit::Constant => "constant",
        Unit::Other => "other",
    };
    let step = |step: &Step| {
        json!({
            "text": step.text,
            "words": step.words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>(),
            "unit": unit(step.unit),
            "gives": step.gives.map(bytes),
        })
    };
    let group = |group: &Group| {
        json!({
            "targets": group.targets,
            "registers": sources.iter().zip(&group.registers).filter_map(|(name, reg)| {
                reg.as_ref().map(|reg| (name.clone(), json!(reg)))
            }).collect::<serde_json::Map<_, _>>(),
            "instructions": group.steps.iter().map(step).collect::<Vec<_>>(),
            "results": group.results.iter().map(|value| {
                json!({ "name": value.name, "bytes": bytes(value.bytes) })
            }).collect::<Vec<_>>(),
            "vector_instructions": group.cost.vector,
            "scalar_instructions": group.cost.scalar,
            "constants_in_registers": group.cost.constants,
            "code_bytes": group.cost.bytes,
            "fewest_vector_instructions": group.bound.as_ref().map(|bound| bound.instructions),
            "reasons": group.reasons,
        })
    };
    json!({
        "instruction": explanation.instruction,
        "groups": explanation.groups.iter().map(group).collect::<Vec<_>>(),
    })
}
