//! The moves between lanes of a small kernel on every family: their bytes as a snapshot, and LLVM's assembler makes the same of their text.

use super::{TARGETS, kernel};
use crate::judge;
use std::fmt::Write;
use warp2wave::amd::{self, Target};
use warp2wave::{Options, object, translate};

/// Every kind of move: within quads, eights and rows, over rows, by swizzle, by address, from one lane; taken into other ops; votes.
const BODY: &str = "shfl.sync.bfly.b32 %r10, %in, 1, 31, -1;
shfl.sync.bfly.b32 %r11, %in, 4, 31, -1;
shfl.sync.bfly.b32 %r12, %in, 8, 31, -1;
shfl.sync.bfly.b32 %r13, %in, 16, 31, -1;
shfl.sync.up.b32 %r14, %in, 1, 0x1000, -1;
shfl.sync.down.b32 %r15, %in, 1, 31, -1;
shfl.sync.idx.b32 %r16, %in, 9, 31, -1;
shfl.sync.idx.b32 %r17, %in, %in, 31, -1;
shfl.sync.up.b32 %r18, %in, 1, 0, -1;
shfl.sync.idx.b32 %r19, %in, 3, 0x181f, -1;
xor.b32 %r20, %r10, %r11;
xor.b32 %r21, %r12, %r13;
xor.b32 %r22, %r14, %r15;
xor.b32 %r23, %r16, %r17;
xor.b32 %r24, %r18, %r19;
st.global.v4.u32 [%at], {%r20, %r21, %r22, %r23};
st.global.u32 [%at+16], %r24;
mov.b32 %f1, %in;
shfl.sync.bfly.b32 %r10, %in, 2, 31, -1;
mov.b32 %f2, %r10;
add.f32 %f3, %f1, %f2;
shfl.sync.bfly.b32 %r11, %in, 15, 31, -1;
max.u32 %r12, %in, %r11;
st.global.f32 [%at+20], %f3;
st.global.u32 [%at+24], %r12;
setp.lt.s32 %p1, %in, 0;
vote.sync.ballot.b32 %r13, %p1, -1;
st.global.u32 [%at+28], %r13;";

fn is_move(text: &str) -> bool {
    ["ds_", "v_permlane", "v_readlane"].iter().any(|op| text.starts_with(op)) || text.contains("_dpp")
}

/// The moves: bytes and text.
fn moves(target: &Target) -> Vec<(Vec<u32>, String)> {
    let source = kernel(8, BODY).replace("mul.wide.u32 %d1, %me, 32", "mul.wide.u32 %d1, %me, 48");
    let object = translate(&source, &Options::new(target.clone())).unwrap();
    let read = object::read(object.bytes()).unwrap();
    let code = read.image(read.kernels[0].entry_address, read.kernels[0].code_bytes).unwrap();
    let words: Vec<u32> = code.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let mut found = vec![];
    let mut at = 0;
    while at < words.len() {
        let (inst, dwords) = amd::decode(&words[at..], target).unwrap();
        let text = amd::asm::print(&inst, target);
        if is_move(&text) {
            found.push((words[at..at + dwords].to_vec(), text));
        }
        at += dwords;
    }
    found
}

#[test]
fn moves_of_every_family() {
    let mut all = String::new();
    for name in TARGETS {
        let target = Target::parse(name).unwrap();
        let moves = moves(&target);
        let _ = writeln!(all, "{name}");
        for (words, text) in &moves {
            let hex: Vec<String> = words.iter().map(|w| format!("{w:08x}")).collect();
            let op = text.split_whitespace().next().unwrap_or("");
            let _ = writeln!(all, "  {:<19} {op}", hex.join(" "));
        }
        let Some(mut mc) = judge::tool("llvm-mc-22") else { continue };
        let text: String = moves.iter().map(|(_, text)| format!("{text}\n")).collect();
        let source = judge::TempFile::new(".s", text.as_bytes());
        mc.args(["-triple=amdgcn-amd-amdhsa", "-show-encoding"]).arg(format!("-mcpu={name}")).arg(source.path());
        let listing = judge::output(mc);
        let encodings: Vec<&str> = listing.lines().filter_map(|line| line.split("encoding: [").nth(1)).collect();
        assert_eq!(encodings.len(), moves.len(), "{listing}");
        for ((words, text), encoding) in moves.iter().zip(encodings) {
            let bytes: Vec<String> = words.iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:#04x}")).collect();
            assert_eq!(format!("{}]", bytes.join(",")), encoding, "{name}: {text}");
        }
    }
    insta::assert_snapshot!(all);
}
