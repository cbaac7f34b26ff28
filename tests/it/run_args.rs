//! The text of kernel arguments and dumps: what it means, and how mistakes are shown.

use warp2wave::run::{Arg, ArgValue, Dump, OutFile, Value, find_buffer, render};

fn resolve(text: &str) -> ArgValue {
    let arg = Arg::parse(text).unwrap_or_else(|e| panic!("{e}"));
    arg.resolve(|path| Ok(format!("<{path}>").into_bytes())).unwrap()
}

fn bytes(text: &str) -> Vec<u8> {
    match resolve(text) {
        ArgValue::Bytes(bytes) => bytes,
        ArgValue::Buffer(_) => panic!("`{text}` is a buffer"),
    }
}

fn words(text: &str) -> Vec<u32> {
    match resolve(text) {
        ArgValue::Buffer(bytes) => bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect(),
        ArgValue::Bytes(_) => panic!("`{text}` is no buffer"),
    }
}

fn buffer(text: &str) -> Vec<u8> {
    match resolve(text) {
        ArgValue::Buffer(bytes) => bytes,
        ArgValue::Bytes(_) => panic!("`{text}` is no buffer"),
    }
}

#[test]
fn scalars() {
    assert_eq!(bytes("u32:5"), 5u32.to_le_bytes());
    assert_eq!(bytes("i64:-3"), (-3i64).to_le_bytes());
    assert_eq!(bytes("s16:-32768"), (-32768i16).to_le_bytes());
    assert_eq!(bytes("i8:0xff"), [0xff]);
    assert_eq!(bytes("b64:0xffff_ffff_ffff_ffff"), [0xff; 8]);
    assert_eq!(bytes("f32:1.5"), 1.5f32.to_le_bytes());
    assert_eq!(bytes("f32:0x7f800001"), 0x7f80_0001u32.to_le_bytes());
    assert_eq!(bytes("f64:-inf"), f64::NEG_INFINITY.to_le_bytes());
    assert_eq!(bytes("n=u16:0b101"), 5u16.to_le_bytes());
    assert_eq!(bytes("bytes:01ff 02"), [1, 0xff, 2]);
    assert_eq!(bytes("null"), [0; 8]);
}

#[test]
fn buffers() {
    assert_eq!(words("u32[3]"), [0; 3]);
    assert_eq!(words("buf:u32[3]=0x10"), [16; 3]);
    assert_eq!(words("u32[4]=range"), [0, 1, 2, 3]);
    assert_eq!(words("i32[3]=range:-1:2"), [u32::MAX, 1, 3]);
    assert_eq!(words("f32[3]=range:1:0.5"), [1f32, 1.5, 2.0].map(f32::to_bits));
    assert_eq!(words("out=u32[]={1, 2,0xffffffff}"), [1, 2, u32::MAX]);
    assert_eq!(words("u32[4]={1,2,}"), [1, 2, 0, 0]);
    assert!(words("u32[0]").is_empty());
    assert_eq!(buffer(r#"u8[]="a\n\x00\"""#), b"a\n\0\"");
    assert_eq!(buffer(r#"u8[4]="ab""#), b"ab\0\0");
    assert_eq!(buffer(r#"str:"ab""#), b"ab\0");
    assert_eq!(buffer("u8[]=@some/file=x"), b"<some/file=x>");
    assert_eq!(buffer("u8[16]=@f"), b"<f>\0\0\0\0\0\0\0\0\0\0\0\0\0");
    // First outputs of splitmix64 from seed 1234567, as its author's test vectors have them.
    let first = [6457827717110365317u64, 3203168211198807973];
    assert_eq!(buffer("u64[2]=rand:1234567"), first.map(u64::to_le_bytes).concat());
    assert_eq!(words("u32[2]=rand:1234567"), first.map(|v| v as u32));
    let floats = words("f32[100]=rand:9");
    assert!(floats.iter().all(|&bits| (0.0..1.0).contains(&f32::from_bits(bits))));
}

#[test]
fn what_does_not_fit_is_refused_when_read() {
    let odd = Arg::parse("u32[]=@f").unwrap().resolve(|_| Ok(vec![0; 5])).unwrap_err();
    assert_eq!(odd, "5 bytes are no whole number of elements of 4 bytes");
    let long = Arg::parse("u32[1]=@f").unwrap().resolve(|_| Ok(vec![0; 8])).unwrap_err();
    assert_eq!(long, "8 bytes do not fit into the buffer's 4");
    assert_eq!(Arg::parse("u32[]=@f").unwrap().resolve(|_| Err("gone".into())).unwrap_err(), "gone");
}

#[test]
fn mistakes_are_shown_in_place() {
    let texts = [
        "",
        "u33:5",
        "u32",
        "u32:",
        "u32:five",
        "u8:256",
        "i8:-129",
        "u32:-1",
        "f32:1.2.3",
        "u32[",
        "u32[x]=0",
        "u32[]",
        "u32[4]=rang",
        "u32[]=range",
        "u32[1]={1,2}",
        "u32[]={1 2}",
        "u32[]={1,",
        r#"u8[]="abc"#,
        r#"u8[]="a\q""#,
        "u32[4]=1 ",
        "bytes:123",
        "u32[99999999999]",
        "é=u32:1",
        "u8[2]=\u{e9}",
        "u32[]=@",
    ];
    let shown: Vec<String> = texts.iter().map(|t| Arg::parse(t).expect_err(t).to_string()).collect();
    insta::assert_snapshot!("arg_mistakes", shown.join("\n"));
    let shown: Vec<String> = ["", "x:", "x:u32:f32", "x:1:2", "x:hexx", "x-y"]
        .iter()
        .map(|t| Dump::parse(t).expect_err(t).to_string())
        .chain(["", "x", "x="].iter().map(|t| OutFile::parse(t).expect_err(t).to_string()))
        .collect();
    insta::assert_snapshot!("dump_mistakes", shown.join("\n"));
}

#[test]
fn dumps() {
    let data: Vec<u8> = (0..10u32).flat_map(|i| (i * 0x1000).to_le_bytes()).collect();
    let Value::Buffer { ty, .. } = Arg::parse("u32[10]").unwrap().value else { panic!() };
    let show = |dump: &str| render(&data, ty, &Dump::parse(dump).unwrap());
    assert_eq!(show("x:2"), "     0: 0 4096\n");
    assert_eq!(show("x"), "     0: 0 4096 8192 12288 16384 20480 24576 28672\n     8: 32768 36864\n");
    assert_eq!(show("x:hex:2"), "     0: 0x00000000 0x00001000\n");
    assert_eq!(show("x:4:x16"), "     0: 0x0000 0x0000 0x1000 0x0000\n");
    assert_eq!(show("x:text:6"), "\"\\x00\\x00\\x00\\x00\\x00\\x10\"\n");
    let one = 1.5f32.to_le_bytes();
    assert_eq!(render(&one, ty, &Dump::parse("x:f32").unwrap()), "     0: 1.5\n");
}

#[test]
fn buffers_are_found_by_name() {
    let args: Vec<Arg> = ["u32:1", "a=u32[2]", "u32[3]"].iter().map(|t| Arg::parse(t).unwrap()).collect();
    let parameters = [Some("n".to_owned()), Some("in".to_owned()), Some("out".to_owned())];
    assert_eq!(find_buffer(&args, &parameters, "a"), Ok((1, 0)));
    assert_eq!(find_buffer(&args, &parameters, "out"), Ok((2, 1)));
    assert_eq!(find_buffer(&args, &parameters, "2"), Ok((2, 1)));
    assert_eq!(find_buffer(&args, &parameters, "n"), Err("argument 0 (`n`) is no buffer".into()));
    assert_eq!(find_buffer(&args, &parameters, "b"), Err("no argument is called `b`; the buffers: a, out".into()));
}
