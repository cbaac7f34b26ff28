//! Statements that ptxas took or refused, against what this reader makes of them.
//!
//! `fixtures/ptx/verdicts.txt` was recorded with ptxas 13.2.86, `-arch sm_90 -c`, each statement alone in the frame of
//! `verdicts.frame.txt`; `W2W_VERDICTS` names a file with more. A line is the verdict of ptxas, ours where it differs
//! with its reason, and the statement.

use super::ptx::rendered;
use warp2wave::ptx;

#[test]
fn verdicts_agree_with_ptxas() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/ptx/");
    let frame = std::fs::read_to_string(format!("{folder}verdicts.frame.txt")).unwrap();
    let mut lines = std::fs::read_to_string(format!("{folder}verdicts.txt")).unwrap();
    if let Some(more) = std::env::var_os("W2W_VERDICTS") {
        lines.push_str(&std::fs::read_to_string(more).unwrap());
    }
    let mut failures = String::new();
    for line in lines.lines().filter(|l| !l.starts_with('#') && !l.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (verdict, statement) = (fields[0], fields[fields.len() - 1]);
        let source = frame.replace("//BODY", statement);
        let (_, diags) = ptx::parse(&source);
        let taken = !diags.iter().any(|d| d.is_fatal());
        // `ok but`, `no but`: the reader decides otherwise, and the middle field says why.
        let agrees = taken == verdict.starts_with("ok");
        if agrees == verdict.ends_with("but") {
            let report = rendered(&diags, "", &source);
            failures.push_str(&format!("{line}\n{report}"));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
