//! Barriers with numbers, thread counts, arrivals and reductions, run on the emulator. What must come out is worked out from the
//! kernels' PTX in plain Rust: each thread adds up what its partner stored, `7 * tid + round^2`.

use warp2wave::amd::Target;
use warp2wave::diag::codes;
use warp2wave::emu::{FaultKind, Options as EmuOptions};
use warp2wave::run::{ArgValue, Launch, RunError, launch_with};
use warp2wave::{CodeObject, Options, translate};

const TARGETS: [&str; 6] = ["gfx1100", "gfx942", "gfx1030", "gfx1201", "gfx906", "gfx1250"];

const HEAD: &str = "
.version 8.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<8>;
  .reg .b32 %r<24>;
  .reg .b32 %self, %warp, %lane, %own, %other, %e, %v, %a, %t, %sum;
  .reg .b64 %rd<8>;
  .shared .align 4 .b32 sh[2048];
  mov.u32 %self, %tid.x;
  shr.u32 %warp, %self, 5;
  and.b32 %lane, %self, 31;
  mov.u32 %sum, 0;
  mov.u32 %e, 0;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %self, 4;
  add.s64 %rd4, %rd2, %rd3;
";

const TAIL: &str = "
DONE:
  st.global.u32 [%rd4], %sum;
  ret;
}
";

/// Own and partner's places, for partners `distance` threads apart.
fn partner(distance: u32) -> String {
    format!(
        "  mov.u32 %own, sh;\n  xor.b32 %t, %self, {distance};\n  shl.b32 %t, %t, 2;\n  add.u32 %other, %own, %t;\n\
         \x20 shl.b32 %t, %self, 2;\n  add.u32 %own, %own, %t;\n"
    )
}

/// One round: store, meet, add what the partner stored. Rounds use two places in turn, so one barrier each will do.
fn round(barrier: &str) -> String {
    format!(
        "  and.b32 %t, %e, 1;\n  shl.b32 %t, %t, 12;\n  mul.lo.u32 %v, %e, %e;\n  mad.lo.u32 %v, %self, 7, %v;\n\
         \x20 add.u32 %a, %own, %t;\n  st.shared.u32 [%a], %v;\n  {barrier}\n  add.u32 %a, %other, %t;\n\
         \x20 ld.shared.u32 %v, [%a];\n  add.u32 %sum, %sum, %v;\n  add.u32 %e, %e, 1;\n"
    )
}

/// What a thread has after some rounds with its partner.
fn sum(partner: u32, rounds: std::ops::Range<u32>) -> u32 {
    rounds.map(|e| 7 * partner + e * e).sum()
}

fn object(source: &str, target: &str) -> CodeObject {
    let options = Options::new(Target::parse(target).unwrap());
    translate(source, &options).unwrap_or_else(|d| panic!("{target}: {d:?}\n{source}"))
}

fn launch(object: &CodeObject, block: u32, words: usize, options: &EmuOptions) -> Result<Vec<u32>, RunError> {
    let args = vec![ArgValue::Buffer(vec![0; 4 * words])];
    let launch = Launch { kernel: "k".into(), grid: [1; 3], block: [block, 1, 1], dynamic_lds_bytes: 0, args };
    let (buffers, _) = launch_with(object.bytes(), &launch, options)?;
    Ok(buffers[0].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
}

/// On every target, with waves that take turns of different lengths.
#[track_caller]
fn check(body: &str, block: u32, words_per_thread: usize, expected: impl Fn(u32) -> Vec<u32>) {
    let source = format!("{HEAD}{body}{TAIL}");
    let expected: Vec<u32> = (0..block).flat_map(expected).collect();
    for target in TARGETS {
        let object = object(&source, target);
        // One wave32 and one wave64 target with more of them.
        let slices: &[u32] = match target {
            "gfx1100" => &[1, 100],
            "gfx942" => &[1, 13, 100],
            _ => &[100],
        };
        for &slice in slices {
            let options = EmuOptions { slice, step_limit: 3_000_000, ..EmuOptions::default() };
            let got = launch(&object, block, block as usize * words_per_thread, &options);
            let got = got.unwrap_or_else(|e| panic!("{target}, turns of {slice}: {e}\n{source}"));
            assert_eq!(got, expected, "{target}, turns of {slice}\n{source}");
        }
    }
}

#[test]
fn the_two_warps_of_a_wave_are_at_different_barriers() {
    // Twelve barriers each: warp 0 in six iterations of two, warp 1 in four of three.
    let two = [round("bar.sync 0;"), round("bar.sync 0;")].concat();
    let three = [round("bar.sync 0;"), round("barrier.sync 0;"), round("bar.sync 0;")].concat();
    let body = format!(
        "{}  setp.ne.u32 %p1, %warp, 0;\n  @%p1 bra OTHER;\nLOOP:\n{two}  setp.lt.u32 %p2, %e, 12;\n  @%p2 bra LOOP;\n\
         \x20 bra DONE;\nOTHER:\n{three}  setp.lt.u32 %p2, %e, 12;\n  @%p2 bra OTHER;\n",
        partner(32)
    );
    check(&body, 64, 1, |tid| vec![sum(tid ^ 32, 0..12)]);
}

#[test]
fn pairs_of_warps_meet_at_barriers_of_their_own() {
    // Warps 0 and 2, 1 and 3, 4 and 6, 5 and 7 for 3, 5, 7, 9 rounds; a wave64 holds two warps of different pairs.
    let body = format!(
        "{}  and.b32 %r1, %warp, 1;\n  shr.u32 %r2, %warp, 2;\n  shl.b32 %r2, %r2, 1;\n  or.b32 %r1, %r1, %r2;\n\
         \x20 mad.lo.u32 %r3, %r1, 2, 3;\n  add.u32 %r4, %r1, 1;\n  mov.u32 %r5, 64;\nLOOP:\n{}\
         \x20 setp.lt.u32 %p1, %e, %r3;\n  @%p1 bra LOOP;\n",
        partner(64),
        round("bar.sync %r4, %r5;")
    );
    check(&body, 256, 1, |tid| {
        let warp = tid / 32;
        vec![sum(tid ^ 64, 0..3 + 2 * (warp & 1 | (warp / 4 * 2)))]
    });
}

#[test]
fn constant_numbers_and_counts() {
    // Neighbouring warps, which share a wave64, at barrier 3 or 15; then all, so that nobody is at 3 any more; then all four there with
    // another count.
    let body = format!(
        "{}  setp.ge.u32 %p1, %warp, 2;\n  @%p1 bra HIGH;\n{}  bra ALL;\nHIGH:\n{}ALL:\n{}{}",
        partner(32),
        [round("bar.sync 3, 64;"), round("barrier.sync.aligned 3, 64;"), round("bar.sync 3, 64;")].concat(),
        [round("bar.sync 15, 64;"), round("barrier.cta.sync 15, 64;"), round("bar.sync 15, 64;")].concat(),
        round("bar.sync 0;"),
        round("barrier.sync 3, 128;"),
    );
    check(&body, 128, 1, |tid| vec![sum(tid ^ 32, 0..5)]);
}

/// The example of the PTX ISA, in a loop: barrier 1 is "full", 2 is "empty".
fn producer_consumer(threads: u32, items: u32) -> String {
    format!(
        "  shl.b32 %t, %self, 2;\n  mov.u32 %own, sh;\n  add.u32 %own, %own, %t;\n  setp.ge.u32 %p1, %self, {half};\n\
         \x20 @%p1 bra CONSUMER;\nPRODUCE:\n  bar.sync 2, {threads};\n  mul.lo.u32 %v, %e, %e;\n\
         \x20 mad.lo.u32 %v, %self, 7, %v;\n  st.shared.u32 [%own], %v;\n  bar.arrive 1, {threads};\n  add.u32 %e, %e, 1;\n\
         \x20 setp.lt.u32 %p2, %e, {items};\n  @%p2 bra PRODUCE;\n  mov.u32 %sum, %e;\n  bra DONE;\nCONSUMER:\n\
         \x20 bar.arrive 2, {threads};\nCONSUME:\n  barrier.sync 1, {threads};\n  ld.shared.u32 %v, [%own+-{offset}];\n\
         \x20 add.u32 %sum, %sum, %v;\n  add.u32 %e, %e, 1;\n  setp.ge.u32 %p2, %e, {items};\n  @%p2 bra DONE;\n\
         \x20 barrier.arrive 2, {threads};\n  bra CONSUME;\n",
        half = threads / 2,
        offset = threads * 2,
    )
}

#[test]
fn producers_arrive_and_consumers_wait() {
    for threads in [64, 128, 256] {
        check(&producer_consumer(threads, 5), threads, 1, |tid| {
            vec![if tid < threads / 2 { 5 } else { sum(tid - threads / 2, 0..5) }]
        });
    }
}

#[test]
fn what_nvcc_makes_of_inline_barriers() {
    let source = include_str!("../../fixtures/ptx/corpus/50_vote_match.nvcc.sm_75.ptx");
    for target in TARGETS {
        let kernels = Some(vec!["named_barriers".to_string()]);
        let options = Options { kernels, ..Options::new(Target::parse(target).unwrap()) };
        let object = translate(source, &options).unwrap_or_else(|d| panic!("{target}: {d:?}"));
        // 64 threads store, arrive at barrier 1 and go on; the others wait there and read; all meet at barrier 2.
        let bytes = |words: Vec<u32>| words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        let input: Vec<u32> = (0..64).map(|t| 1000 + 3 * t).collect();
        let args = vec![ArgValue::Buffer(bytes(input.clone())), ArgValue::Buffer(vec![0; 512])];
        let kernel = "named_barriers".into();
        let launch = Launch { kernel, grid: [2, 1, 1], block: [128, 1, 1], dynamic_lds_bytes: 0, args };
        let (buffers, _) = launch_with(object.bytes(), &launch, &EmuOptions::default()).unwrap();
        assert_eq!(buffers[1], bytes([vec![0; 64], input].concat()), "{target}");
    }
}

#[test]
fn threads_that_end_do_not_count() {
    // From lane 20 on threads store and end while the others are on their way to named barriers.
    let body = format!(
        "{}  setp.ge.u32 %p1, %lane, 20;\n  @!%p1 bra STAY;\n  mov.u32 %sum, 5;\n  bra DONE;\nSTAY:\n{}{}{}",
        partner(32),
        round("bar.sync 1, 64;"),
        round("bar.sync 2, 64;"),
        round("bar.sync 1, 64;"),
    );
    check(&body, 64, 1, |tid| vec![if tid % 32 >= 20 { 5 } else { sum(tid ^ 32, 0..3) }]);
    // The last warp has four threads, and counts as 32 all the same.
    let body = format!("{}{}{}", partner(32), round("bar.sync 1, 128;"), round("bar.sync 9, 128;"));
    let body = body.replace(
        "ld.shared.u32 %v, [%a];",
        "ld.shared.u32 %v, [%a];\n  setp.ge.u32 %p7, %self, 68;\n  @%p7 mov.u32 %v, 0;",
    );
    check(&body, 100, 1, |tid| vec![if tid >= 68 { 0 } else { sum(tid ^ 32, 0..2) }]);
}

/// Lanes 0 to 15 and 16 to 27 come to a barrier at different places; the others end, long after those wait.
fn two_places(low: &str, high: &str) -> String {
    format!(
        "  setp.ge.u32 %p1, %lane, 28;\n  @%p1 bra SLOW;\n  setp.ge.u32 %p1, %lane, 16;\n  @%p1 bra HIGH;\n{low}\
         \x20 bra DONE;\nHIGH:\n{high}  bra DONE;\nSLOW:\n  add.u32 %r9, %r9, 1;\n  setp.lt.u32 %p2, %r9, 60;\n\
         \x20 @%p2 bra SLOW;\n  mov.u32 %sum, 9;\n"
    )
}

#[test]
fn the_threads_of_a_warp_meet_at_different_places() {
    let expected = |tid: u32| vec![if tid % 32 >= 28 { 9 } else { sum(tid ^ 32, 0..3) }];
    for barrier in ["barrier.sync 1, 64;", "barrier.sync %r1, 64;", "barrier.sync %r1, %r2;"] {
        let rounds = [round(barrier), round(barrier), round(barrier)].concat();
        let registers = "  mov.u32 %r9, 0;\n  mov.u32 %r2, %ntid.x;\n  shr.u32 %r1, %r2, 4;\n";
        let body = format!("{registers}{}{}", partner(32), two_places(&rounds, &rounds));
        check(&body, 64, 1, expected);
    }
    // How many of the 56 have an odd number: at two places, twice each.
    let reduce = "  and.b32 %t, %self, 1;\n  setp.eq.u32 %p3, %t, 1;\n  barrier.red.popc.u32 %v, 6, 64, %p3;\n\
                  \x20 add.u32 %sum, %sum, %v;\n  barrier.red.and.pred %p4, 6, 64, %p3;\n  @%p4 add.u32 %sum, %sum, 1000;\n\
                  \x20 barrier.red.popc.u32 %v, 6, 64, !%p3;\n  add.u32 %sum, %sum, %v;\n";
    let body = format!("  mov.u32 %r9, 0;\n{}", two_places(reduce, reduce));
    check(&body, 64, 1, |tid| vec![if tid % 32 >= 28 { 9 } else { 56 }]);
}

#[test]
fn a_warp_that_arrives_and_ends_counts_once() {
    // Warp 2 arrives and ends; warp 1 comes late. Counted twice, warp 2 would let warp 0 go on without warp 1.
    let body = format!(
        "{}  mov.u32 %r6, 0;\n  setp.ne.u32 %p1, %warp, 2;\n  @%p1 bra MEET;\n  bar.arrive 1, 96;\n  mov.u32 %sum, 4;\n\
         \x20 bra DONE;\nMEET:\n  setp.ne.u32 %p1, %warp, 1;\n  @%p1 bra HERE;\nLATE:\n  add.u32 %r6, %r6, 1;\n\
         \x20 setp.lt.u32 %p2, %r6, 200;\n  @%p2 bra LATE;\nHERE:\n{}{}",
        partner(32),
        round("bar.sync 1;"),
        round("bar.sync 1;"),
    );
    check(&body, 96, 1, |tid| vec![if tid >= 64 { 4 } else { sum(tid ^ 32, 0..2) }]);
}

#[test]
fn parts_of_a_warp_arrive_at_several_places() {
    // Warp 0 leaves a value and arrives, odd lanes at once, even ones at another place and one after the other; four of its lanes have ended.
    let body = format!(
        "{}  setp.ge.u32 %p3, %lane, 28;\n  setp.ne.u32 %p1, %warp, 0;\n  @%p1 bra TAKE;\n  mov.u32 %sum, 6;\n  @%p3 bra DONE;\n\
         GIVE:\n  and.b32 %t, %e, 1;\n  shl.b32 %t, %t, 12;\n  mul.lo.u32 %v, %e, %e;\n  mad.lo.u32 %v, %self, 7, %v;\n\
         \x20 add.u32 %a, %own, %t;\n  st.shared.u32 [%a], %v;\n  and.b32 %r1, %lane, 1;\n  setp.eq.u32 %p4, %r1, 0;\n\
         \x20 @%p4 bra EVEN;\n  barrier.arrive 1, 64;\n  bra JOIN;\nEVEN:\n  mov.u32 %r6, 0;\nLATE:\n  add.u32 %r6, %r6, 1;\n\
         \x20 setp.lt.u32 %p5, %r6, %lane;\n  @%p5 bra LATE;\n  barrier.arrive 1, 64;\nJOIN:\n  barrier.sync 2, 64;\n\
         \x20 add.u32 %e, %e, 1;\n  setp.lt.u32 %p2, %e, 5;\n  @%p2 bra GIVE;\n  mov.u32 %sum, %e;\n  bra DONE;\nTAKE:\n\
         \x20 barrier.sync 1, 64;\n  and.b32 %t, %e, 1;\n  shl.b32 %t, %t, 12;\n  add.u32 %a, %other, %t;\n  mov.u32 %v, 0;\n\
         \x20 @!%p3 ld.shared.u32 %v, [%a];\n  add.u32 %sum, %sum, %v;\n  barrier.sync 2, 64;\n  add.u32 %e, %e, 1;\n\
         \x20 setp.lt.u32 %p2, %e, 5;\n  @%p2 bra TAKE;\n",
        partner(32)
    );
    check(&body, 64, 1, |tid| {
        vec![match (tid < 32, tid % 32 >= 28) {
            (true, true) => 6,
            (true, false) => 5,
            (false, true) => 0,
            (false, false) => sum(tid ^ 32, 0..5),
        }]
    });
}

/// Warp 0 leaves values and arrives, or waits where it says; warp 1 waits and takes them. `arrive` and `sync` are what lanes above and below 16 of
/// warp 0 do, at one number, each round.
fn parts(arrive: &str, sync: &str, take: &str) -> String {
    format!(
        "{}  mov.u32 %r2, %ntid.x;\n  shr.u32 %r1, %r2, 4;\n  add.u32 %r3, %r1, 2;\n  setp.ne.u32 %p1, %warp, 0;\n  @%p1 bra TAKE;\nGIVE:\n\
         \x20 and.b32 %t, %e, 1;\n  shl.b32 %t, %t, 12;\n  mul.lo.u32 %v, %e, %e;\n  mad.lo.u32 %v, %self, 7, %v;\n  add.u32 %a, %own, %t;\n\
         \x20 st.shared.u32 [%a], %v;\n  setp.ge.u32 %p4, %lane, 16;\n  @%p4 bra HIGH;\n  mov.u32 %r6, 0;\nLATE:\n  add.u32 %r6, %r6, 1;\n\
         \x20 setp.lt.u32 %p5, %r6, %lane;\n  @%p5 bra LATE;\n  {sync}\n  bra JOIN;\nHIGH:\n  {arrive}\nJOIN:\n  barrier.sync 2, 64;\n\
         \x20 add.u32 %e, %e, 1;\n  setp.lt.u32 %p2, %e, 5;\n  @%p2 bra GIVE;\n  mov.u32 %sum, %e;\n  bra DONE;\nTAKE:\n  {take}\n\
         \x20 and.b32 %t, %e, 1;\n  shl.b32 %t, %t, 12;\n  add.u32 %a, %other, %t;\n  ld.shared.u32 %v, [%a];\n  add.u32 %sum, %sum, %v;\n\
         \x20 barrier.sync 2, 64;\n  add.u32 %e, %e, 1;\n  setp.lt.u32 %p2, %e, 5;\n  @%p2 bra TAKE;\n",
        partner(32)
    )
}

#[test]
fn a_part_of_a_warp_arrives_and_another_waits() {
    // Number 4 is a constant, or in a register; %r3 is 6, which has slots of its own.
    for [arrive, sync, take] in [
        ["barrier.arrive 4, 64;", "barrier.sync 4, 64;", "barrier.sync 4, 64;"],
        ["barrier.arrive %r1, 64;", "barrier.sync 4, %r2;", "bar.sync 4, 64;"],
        ["barrier.arrive %r1, %r2;", "barrier.arrive %r1, 64;", "barrier.sync %r1, %r2;"],
        ["barrier.arrive %r3, 64;", "barrier.sync %r3, 64;", "bar.sync 6, 64;"],
    ] {
        check(&parts(arrive, sync, take), 64, 1, |tid| vec![if tid < 32 { 5 } else { sum(tid ^ 32, 0..5) }]);
    }
}

#[test]
fn a_number_in_a_register_may_be_any() {
    // Warps 0 and 1 meet at barrier 5 and then with warp 2 at barrier 0, which that reaches late; it ends while they are on their way to
    // barrier 0 again; then they meet at 0 with a count.
    let body = format!(
        "{}  mov.u32 %r6, 0;\n  add.u32 %r1, %warp, 5;\n  sub.u32 %r1, %r1, %warp;\n  sub.u32 %r2, %self, %self;\n\
         \x20 setp.eq.u32 %p1, %warp, 2;\n  @%p1 bra LATE;\n{}{}{}{}  bra DONE;\nLATE:\n  add.u32 %r6, %r6, 1;\n\
         \x20 setp.lt.u32 %p2, %r6, 60;\n  @%p2 bra LATE;\n  bar.sync 0;\nLATER:\n  add.u32 %r6, %r6, 1;\n\
         \x20 setp.lt.u32 %p2, %r6, 300;\n  @%p2 bra LATER;\n  mov.u32 %sum, %r6;\n",
        partner(32),
        round("bar.sync %r1, 64;"),
        round("bar.sync 0;"),
        round("bar.sync 0;"),
        round("bar.sync %r2, 64;"),
    );
    check(&body, 96, 1, |tid| vec![if tid >= 64 { 300 } else { sum(tid ^ 32, 0..4) }]);
}

/// Popc of p, `and` of !p, `or` of p in three rounds; p: (tid + round) % 5 == 0, or in the last round for nobody.
fn reductions(number: &str, threads: &str) -> String {
    let threads = if threads.is_empty() { String::new() } else { format!(", {threads}") };
    format!(
        "  mul.wide.u32 %rd3, %self, 36;\n  add.s64 %rd4, %rd2, %rd3;\nLOOP:\n  add.u32 %v, %self, %e;\n  rem.u32 %v, %v, 5;\n\
         \x20 setp.eq.u32 %p1, %v, 0;\n  setp.lt.and.u32 %p1, %e, 2, %p1;\n\
         \x20 bar.red.popc.u32 %r11, {number}{threads}, %p1;\n  barrier.red.and.pred %p2, {number}{threads}, !%p1;\n\
         \x20 bar.red.or.pred %p3, {number}{threads}, %p1;\n  selp.u32 %r12, 1, 0, %p2;\n  selp.u32 %r13, 1, 0, %p3;\n\
         \x20 st.global.u32 [%rd4], %r11;\n  st.global.u32 [%rd4+4], %r12;\n  st.global.u32 [%rd4+8], %r13;\n\
         \x20 add.s64 %rd4, %rd4, 12;\n  add.u32 %e, %e, 1;\n  setp.lt.u32 %p4, %e, 3;\n  @%p4 bra LOOP;\n  ret;\n"
    )
}

fn reduced(members: impl Iterator<Item = u32> + Clone) -> Vec<u32> {
    (0..3)
        .flat_map(|e| {
            let count = members.clone().filter(|t| (t + e) % 5 == 0 && e < 2).count() as u32;
            [count, u32::from(count == 0), u32::from(count != 0)]
        })
        .collect()
}

#[test]
fn reductions_over_the_cta() {
    check(&reductions("0", ""), 100, 9, |_| reduced(0..100));
    check(&reductions("7", ""), 33, 9, |_| reduced(0..33));
    // Without the threads that have ended: all of warp 1, and some of the others.
    let ended = |t: u32| t / 32 == 1 || t % 32 == 5;
    let body = format!(
        "  setp.eq.u32 %p5, %warp, 1;\n  setp.eq.or.u32 %p5, %lane, 5, %p5;\n  @%p5 exit;\n{}",
        reductions("0", "")
    );
    check(&body, 128, 9, |tid| if ended(tid) { vec![0; 9] } else { reduced((0..128).filter(|&t| !ended(t))) });
}

#[test]
fn reductions_over_some_warps() {
    // Two groups of two warps each, with a number in a register and with the count in one.
    let body = format!("  shr.u32 %r1, %warp, 1;\n  add.u32 %r1, %r1, 1;\n{}", reductions("%r1", "64"));
    check(&body, 128, 9, |tid| reduced(tid / 64 * 64..tid / 64 * 64 + 64));
    let body = format!("  mov.u32 %r2, %ntid.x;\n{}", reductions("4", "%r2"));
    check(&body, 96, 9, |_| reduced(0..96));
}

#[test]
fn barriers_that_never_complete_are_a_fault_with_a_place() {
    let kernel = |barrier: &str| format!("{HEAD}  setp.ne.u32 %p1, %warp, 0;\n  @%p1 bra DONE;\n  {barrier}\n{TAIL}");
    for target in TARGETS {
        let object = object(&kernel("bar.sync 1, 64;"), target);
        let fault = launch(&object, 64, 64, &EmuOptions::default());
        let Err(RunError::Fault(fault)) = fault else { panic!("{target}: {fault:?}") };
        assert_eq!(fault.kind, FaultKind::Spinning, "{target}");
        assert!(fault.pc.is_some() && fault.instruction.is_some() && fault.wave.is_some(), "{target}: {fault}");
    }
}

#[test]
fn numbers_and_counts_that_cannot_be_are_refused() {
    for (barrier, code) in
        [("bar.sync 1, 33;", codes::OPERAND), ("bar.arrive 1, 0;", codes::OPERAND), ("bar.sync 16;", codes::OPERAND)]
    {
        let source = format!("{HEAD}  {barrier}\n{TAIL}");
        let diags = translate(&source, &Options::new(Target::parse("gfx942").unwrap())).unwrap_err();
        let [diag] = &diags[..] else { panic!("{barrier}: {diags:?}") };
        assert_eq!(diag.code, code, "{barrier}: {diag:?}");
        assert!(barrier.contains(diag.span.text(&source)) && !diag.span.text(&source).is_empty(), "{barrier}");
    }
}
