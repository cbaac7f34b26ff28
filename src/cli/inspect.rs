//! `disasm`, `explain` and `targets`.

use super::args::{Disasm, Explain, ExplainFormat, Targets};
use super::report::Reporter;
use super::{Outcome, bundle, files};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::io::Write as _;
use warp2wave::amd::target::Setting;
use warp2wave::amd::{Feature, Target};
use warp2wave::diag::rules::Rule;
use warp2wave::{disasm, explain, object};

/// Prints every kernel of a code object, or of those of a bundle, one instruction a line with its address and words.
pub fn disasm(args: &Disasm) -> Result<Outcome> {
    let mut out = String::new();
    let objects = bundle::code_objects(files::read(&args.file)?, args.target.as_ref());
    for (index, bytes) in objects.with_context(|| files::shown(&args.file))?.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let object = object::read(bytes).with_context(|| files::shown(&args.file))?;
        out += &disasm::text(&object).map_err(anyhow::Error::msg)?;
    }
    std::io::stdout().lock().write_all(out.as_bytes())?;
    Ok(Outcome::Done)
}

/// What the table says beside figures: features that decide how a kernel is translated, by our names for them.
const FEATURES: &[(&str, &[Feature])] = &[
    ("agprs", &[Feature::UnifiedAgprs, Feature::SeparateAgprs]),
    ("architected_scratch", &[Feature::ArchitectedScratch]),
    ("bitop3", &[Feature::Bitop3]),
    ("dot4", &[Feature::DotI8Signed, Feature::DotIu8]),
    ("dpp8", &[Feature::Dpp8]),
    ("even_vgpr_tuples", &[Feature::EvenVgprTuples]),
    ("permlane16", &[Feature::Permlane16]),
    ("sdwa", &[Feature::Sdwa]),
    ("split_barrier", &[Feature::SplitBarrier]),
    ("wgp_mode", &[Feature::WgpMode]),
    ("xor3", &[Feature::Xor3]),
];

/// The features that a target id may state.
fn id_features(target: &Target) -> Vec<&'static str> {
    let open = |setting| setting == Setting::Any && !target.has(Feature::FixedTargetId);
    let both = [("sramecc", target.sramecc), ("xnack", target.xnack)];
    both.into_iter().filter(|(_, setting)| open(*setting)).map(|(name, _)| name).collect()
}

/// Prints the page of a code.
pub fn explain_rule(rule: &Rule) -> Result<Outcome> {
    std::io::stdout().lock().write_all(rule.text.as_bytes())?;
    Ok(Outcome::Done)
}

/// Prints what one instruction becomes, or what a code means.
pub fn explain(args: &Explain, reporter: &Reporter) -> Result<Outcome> {
    if let Some(rule) = Rule::find(args.instruction.trim()) {
        return explain_rule(rule);
    }
    let targets: Vec<Target> = if args.target.is_empty() { Target::all().collect() } else { args.target.clone() };
    let operands = if args.uniform { explain::Operands::Uniform } else { explain::Operands::Divergent };
    let explanation = match explain::explain(&args.instruction, &targets, operands) {
        Ok(explanation) => explanation,
        Err(diags) => {
            reporter.diags(&diags, "<instruction>", &args.instruction);
            return Ok(Outcome::Refused);
        }
    };
    let out = match args.format {
        ExplainFormat::Text => explain::text(&explanation),
        ExplainFormat::Json => serde_json::to_string_pretty(&explain::json(&explanation))? + "\n",
    };
    std::io::stdout().lock().write_all(out.as_bytes())?;
    Ok(Outcome::Done)
}

/// Prints the table of processors.
pub fn targets(args: &Targets) -> Result<Outcome> {
    let mut out = String::new();
    if args.json {
        let rows: Vec<_> = Target::all()
            .map(|t| {
                let p = t.processor();
                let features = FEATURES.iter().filter(|(_, any)| any.iter().any(|&f| t.has(f))).map(|(name, _)| *name);
                serde_json::json!({
                    "name": p.name,
                    "machine": p.machine,
                    "generic_version": p.generic_version,
                    "generic": t.generic().map(|g| g.name()),
                    "code_object_versions": if t.is_generic() { vec![6] } else { vec![4, 5, 6] },
                    "wave_lanes": p.wave_lanes,
                    "vgprs": p.vgprs,
                    "vgprs_at_1024": t.max_vgprs(1024),
                    "vgpr_allocation_granule": p.vgpr_allocation_granule,
                    "sgprs": p.sgprs,
                    "lds_bytes": p.lds_bytes,
                    "scratch_bytes": t.max_scratch_bytes(),
                    "target_id_features": id_features(&t),
                    "features": features.collect::<Vec<_>>(),
                })
            })
            .collect();
        out = serde_json::to_string_pretty(&rows)? + "\n";
    } else {
        let heads = ["wave", "VGPRs", "at 1024", "SGPRs", "LDS", "scratch", "machine"];
        let _ = write!(out, "{:<16}", "processor");
        for head in heads {
            let _ = write!(out, " {head:>7}");
        }
        out.push_str("  generic          features\n");
        for t in Target::all() {
            let p = t.processor();
            let figures = [p.wave_lanes, p.vgprs.into(), t.max_vgprs(1024).into(), p.sgprs.into(), p.lds_bytes];
            let _ = write!(out, "{:<16}", p.name);
            for figure in figures.into_iter().chain([t.max_scratch_bytes()]) {
                let _ = write!(out, " {figure:>7}");
            }
            let generic = t.generic().map_or("-", |g| g.name());
            let features = if id_features(&t).is_empty() { "-".to_string() } else { id_features(&t).join(" ") };
            let _ = writeln!(out, " {:>7}  {generic:<15}  {features}", format!("{:#04x}", p.machine));
        }
        out.push_str("\nLDS of a work-group and scratch of a work-item are bytes; `at 1024` are the VGPRs left to a work-group of 1024 work-items.\n");
    }
    std::io::stdout().lock().write_all(out.as_bytes())?;
    Ok(Outcome::Done)
}
