//! Guards, scopes, calls and memory.

use super::*;

#[test]
fn guards() {
    let source = "setp.lt.u32 %p1, A, B;\nmov.u32 %r9, 1;\n@%p1 add.u32 %r9, A, 7;\n@!%p1 sub.u32 %r9, %r9, B;";
    into("%r9", source, |a, b, _| u64::from(if a < b { a.wrapping_add(7) } else { 1u32.wrapping_sub(b) }));
    // Division and memory are not for threads whose guard is false.
    let source = "setp.ne.u32 %p1, B, 0;\nmov.u32 %r9, 5;\n@%p1 div.u32 %r9, A, B;\n@%p1 add.u32 %r9, %r9, 1;";
    into("%r9", source, |a, b, _| u64::from(a.checked_div(b).map_or(5, |q| q.wrapping_add(1))));
    // The guard itself changes in between.
    let source = "setp.ne.u32 %p1, B, 0;\nmov.u32 %r9, 5;\n@%p1 rem.u32 %r9, A, B;\n@%p1 setp.eq.u32 %p1, A, 1;\n\
                  @%p1 rem.u32 %r9, 77, B;";
    into("%r9", source, |a, b, _| {
        u64::from(if b == 0 {
            5
        } else if a == 1 {
            77 % b
        } else {
            a % b
        })
    });
    let source = "setp.ge.u32 %p1, A, B;\nmov.u32 %r9, 3;\n@%p1 bra L;\nadd.u32 %r9, A, 1;\nL:\nadd.u32 %r9, %r9, B;";
    into("%r9", source, |a, b, _| u64::from((if a >= b { 3 } else { a.wrapping_add(1) }).wrapping_add(b)));
}

#[test]
fn scopes_and_loops() {
    let source = "mov.u32 %r9, 0;\nand.b32 %r4, A, 15;\n{\n.reg .b32 %r<6>;\n.reg .pred %p1;\nmov.u32 %r5, 3;\n}\n\
                  mov.u32 %r5, 0;\nLOOP:\nsetp.ge.u32 %p1, %r5, %r4;\n@%p1 bra.uni DONE;\nadd.u32 %r9, %r9, B;\n\
                  add.u32 %r5, %r5, 1;\nbra LOOP;\nDONE:";
    into("%r9", source, |a, b, _| u64::from((a & 15).wrapping_mul(b)));
    let source = "and.b32 %r4, A, 3;\nmov.u32 %r9, 0;\nTS: .branchtargets L0, L1, L2, L1;\nbrx.idx %r4, TS;\nL0:\n\
                  add.u32 %r9, %r9, 1;\nL1:\nadd.u32 %r9, %r9, 10;\nL2:\nadd.u32 %r9, %r9, 100;";
    into("%r9", source, |a, _, _| [111, 110, 100, 110][a as usize & 3]);
    let source = "shared_address:\nadd.u32 %r9, A, B;";
    into("%r9", source, |a, b, _| u64::from(a.wrapping_add(b)));
}

/// A module of its own: the words that the thread stores to global memory.
#[track_caller]
fn stores(source: &str, params: &[u8]) -> Vec<u64> {
    let source = format!(".version 8.5\n.target sm_80\n.address_size 64\n{source}");
    let (module, diags) = ptx::parse(&source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}");
    let out = lift::lift(&module, None).unwrap_or_else(|d| panic!("{d:#?}"));
    let globals: Vec<ir::GlobalData> = out.globals.values().cloned().collect();
    let mut results = Vec::new();
    let mut after = out.kernels[0].func.clone();
    opt::run(&mut after);
    for func in [&out.kernels[0].func, &after] {
        let mut machine = Machine::new(params, &globals);
        machine.run(func);
        assert!(machine.ended);
        results.push(machine.events);
    }
    let values = |events: &[Event]| -> Vec<u64> {
        let value = |event: &Event| match event {
            Event::Store(ir::Space::Global, _, _, value) => Some(*value),
            _ => None,
        };
        events.iter().filter_map(value).collect()
    };
    let before = values(&results[0]);
    let [a, b] = [0, 1].map(|n| values(&by_byte(std::mem::take(&mut results[n]))));
    assert_eq!(a, b);
    before
}

#[test]
fn calls_are_inlined() {
    let source = "
        .func (.param .b32 r) mul3(.param .b32 a) { .reg .b32 %r<3>; .reg .pred %p;
            ld.param.u32 %r1, [a]; setp.eq.u32 %p, %r1, 0; @%p bra Z; mul.lo.u32 %r2, %r1, 3; st.param.b32 [r], %r2; ret;
            Z: st.param.b32 [r+0], 1000; ret; }
        .func (.reg .u32 r) both(.reg .u32 a, .reg .u64 b) { .reg .b32 t; cvt.u32.u64 t, b; { .param .b32 x; .param .b32 y;
            st.param.b32 [x], a; call.uni (y), mul3, (x); ld.param.b32 a, [y]; } add.u32 r, a, t; }
        .func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 s[16]) { .reg .b64 x; .reg .b16 h; .reg .b32 w;
            ld.param.b64 x, [s]; st.param.b64 [r+8], x; ld.param.u8 h, [s+9]; st.param.b8 [r+1], h;
            ld.param.b8 h, [s+8]; st.param.b8 [r], h; ld.param.b16 h, [s+10]; st.param.b16 [r+2], h;
            ld.param.b32 w, [s+12]; st.param.v2.b16 [r+4], {h, h}; st.param.b32 [r+4], w; ret; }
        .visible .entry k(.param .u64 out, .param .u32 n) { .reg .b64 %o; .reg .u32 %r<9>; .reg .b64 %d<4>; .reg .pred %p;
            ld.param.u64 %o, [out]; ld.param.u32 %r1, [n];
            call (%r2), both, (%r1, 5); st.global.u32 [%o], %r2;
            call (%r3), both, (0, 7); st.global.u32 [%o+4], %r3;
            setp.gt.u32 %p, %r1, 100; mov.u32 %r4, 9; @%p call (%r4), both, (%r1, 1); st.global.u32 [%o+8], %r4;
            @!%p call (%r4), both, (%r1, 2); st.global.u32 [%o+12], %r4;
            { .param .align 8 .b8 s[16]; .param .align 8 .b8 t[16];
              st.param.b64 [s], 0x0123456789abcdef; st.param.v2.b32 [s+8], {0x11223344, 0x55667788};
              call (t), swap, (s); ld.param.b64 %d1, [t]; ld.param.b64 %d2, [t+8]; }
            st.global.v2.b64 [%o+16], {%d1, %d2};
            ret; }";
    let mut params = 0x1000u64.to_le_bytes().to_vec();
    params.extend(4u32.to_le_bytes());
    let expected = [17, 1007, 9, 14, 0x5566_7788_1122_3344, 0x0123_4567_89ab_cdef];
    assert_eq!(stores(source, &params), expected);
}

#[test]
fn memory_of_every_width_and_space() {
    let source = "
        .const .align 4 .u16 table[2][2] = {{1, 2}, {0xfffe}};
        .global .align 8 .u64 where = table+2;
        .shared .align 4 .b8 buffer[64];
        .extern .shared .align 16 .b8 dynamic[];
        .visible .entry k(.param .u64 out, .param .align 4 .b8 s[12]) { .reg .b64 %o, %x, %y; .reg .b32 %r<9>;
            .reg .b16 %h<5>; .local .align 8 .b8 mine[16]; .reg .pred %p;
            ld.param.u64 %o, [out];
            ld.const.u16 %r1, [table+4]; st.global.u32 [%o], %r1;
            ld.const.s16 %r1, [table+4]; st.global.u32 [%o], %r1;
            ld.param.v2.u16 {%h1, %h2}, [s+4]; st.global.v2.u16 [%o], {%h1, %h2};
            mov.u64 %x, s; cvta.param.u64 %y, %x; ld.u8 %r2, [%y+9]; st.global.u32 [%o], %r2;
            ld.param.s8 %x, [s+11]; st.global.u64 [%o], %x;
            mov.u64 %x, buffer; cvta.shared.u64 %y, %x; st.u32 [%y+8], 77; ld.shared.u32 %r3, [buffer+8];
            st.global.u32 [%o], %r3;
            isspacep.shared %p, %y; selp.u32 %r4, 1, 0, %p; st.global.u32 [%o], %r4;
            isspacep.global %p, %o; selp.u32 %r4, 1, 0, %p; st.global.u32 [%o], %r4;
            cvta.to.shared.u64 %x, %y; ld.shared.u32 %r5, [%x+8]; st.global.u32 [%o], %r5;
            mov.u64 %x, mine; st.local.v2.u32 [%x], {5, 6}; cvta.local.u64 %y, %x; ld.u64 %x, [%y]; st.global.u64 [%o], %x;
            mov.u32 %r6, dynamic; st.global.u32 [%o], %r6;
            ret; }";
    let mut params = 0x1000u64.to_le_bytes().to_vec();
    params.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xf4]);
    let expected = [0xfffe, 0xffff_fffe, 0x605, 0x807, 10, 0xffff_ffff_ffff_fff4, 77, 1, 1, 77, 0x6_0000_0005, 64];
    assert_eq!(stores(source, &params), expected);
}

#[test]
fn what_cannot_be_inlined_is_refused_all_at_once() {
    let source = ".version 8.5\n.target sm_80\n.address_size 64\n
        .extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
        .func f(.reg .u32 n) { call f, (n); ret; }
        .func unused() { .reg .f64 %d; sqrt.rn.f64 %d, %d; ret; }
        .visible .entry k() { .reg .b64 %d; .reg .b32 %r; .reg .f64 %x;
            { .param .b32 r; .param .b64 a; st.param.b64 [a], 0; call (r), vprintf, (a, a); }
            call f, (1);
            barrier.cluster.arrive;
            mov.u32 %r, %smid; fma.rn.f64 %x, %x, %x, %x; atom.global.acquire.gpu.add.u32 %r, [%d], 1; ret; }";
    let (module, diags) = ptx::parse(source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}");
    let diags = lift::lift(&module, None).unwrap_err();
    let messages: Vec<&str> = diags.iter().map(|d| &d.message[..]).collect();
    assert!(diags.iter().all(|d| d.severity == Severity::Unsupported));
    let expected = [
        "the call of `f` is recursive and cannot be inlined",
        "`vprintf` has no body in this module, so the call cannot be inlined",
        "`barrier.cluster.arrive` has no exact translation yet",
        "the special register `%smid` has no exact translation yet",
        "`fma.rn.f64` has no exact translation yet",
        "`atom.global.acquire.gpu.add.u32` has no exact translation yet",
    ];
    assert_eq!(messages, expected);
}
