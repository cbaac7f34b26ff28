//! The IR's text form and its verifier.

use warp2wave::ir::{text, verify};

#[track_caller]
fn round_trip(source: &str) {
    let (name, func) = text::parse(source).unwrap_or_else(|d| panic!("{} at {:?}", d.message, d.span.text(source)));
    assert_eq!(text::print(&name, &func), source);
}

#[test]
fn text_of_every_op_survives_a_round_trip() {
    let source = include_str!("../../fixtures/ir/every_op.ir");
    round_trip(source);
    let (_, func) = text::parse(source).unwrap();
    verify(&func).unwrap();
}

#[test]
fn spans_are_read_from_comments_and_printed_on_demand() {
    let source = "func @f {\nbb0:\n  %0 = const.b32 0x1 ; from 3-9\n  exit ; from 10-14\n}\n";
    let (name, func) = text::parse(source).unwrap();
    assert_eq!(text::print_with_spans(&name, &func), source);
    assert_eq!(text::print(&name, &func), "func @f {\nbb0:\n  %0 = const.b32 0x1\n  exit\n}\n");
}

#[track_caller]
fn rejected(body: &str, message: &str) {
    let source = format!("func @f {{\n{body}}}\n");
    let (_, func) = text::parse(&source).unwrap_or_else(|d| panic!("{} at {:?}", d.message, d.span));
    let fault = verify(&func).unwrap_err();
    assert!(fault.starts_with(message), "{fault}");
}

#[test]
fn verifier_rejects_broken_functions() {
    rejected(
        "bb0:\n  %1 = int.add.b32 %0, %0\n  %0 = const.b32 0x1\n  exit\n",
        "%0 does not dominate its use in inst0",
    );
    rejected("bb0:\n  %0 = const.b32 0x1\n  %1 = lo %0\n  exit\n", "inst1: arguments are [B32], not [B64]");
    rejected("bb0:\n  %0 = const.b32 0x1\n  jump bb1\nbb1(%1: b32):\n  exit\n", "the arguments of the edge to bb1");
    rejected("bb0:\n  exit\nbb1:\n  exit\n", "bb1 is unreachable");
    rejected("bb0:\n  jump bb1\nbb1:\n  jump bb2\n", "bb2 is reachable, and not in the order");
    rejected("bb0:\n  %0 = const.b32 0x1\n  branch %0, bb1, bb1\nbb1:\n  exit\n", "bb0 decides by %0");
    rejected(
        "bb0:\n  %0 = undef.pred\n  branch %0, bb1, bb2\nbb1:\n  %1 = const.b32 0x1\n  jump bb3\nbb2:\n  jump bb3\n\
         bb3:\n  %2 = int.add.b32 %1, %1\n  exit\n",
        "%1 does not dominate its use in inst2",
    );
    rejected("bb0:\n  jump bb0\n", "bb0 leads to the entry");
}

#[test]
fn parser_reports_what_it_expected() {
    for (source, message) in [
        ("func @f {\nbb0:\n  %0 = int.foo.b32\n  exit\n}\n", "no op is called \"int.foo.b32\""),
        ("func @f {\nbb0:\n  exit\nbb0:\n  exit\n}\n", "bb0 is there twice"),
        ("func @f {\nbb0:\n  %0 = lo %1\n  exit\n}\n", "%1 has no definition"),
        ("func @f {\nbb0:\n  %99999999 = const.b32 0x0\n  exit\n}\n", "an id is expected"),
        ("", "\"func\" is expected"),
    ] {
        assert_eq!(text::parse(source).unwrap_err().message, message);
    }
}
