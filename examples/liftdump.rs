use std::collections::BTreeMap;
fn main() {
    let mut ok = 0;
    let mut msgs: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let dump = std::env::var("DUMP").ok();
    for path in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&path).unwrap();
        let t0 = std::time::Instant::now();
        let (module, diags) = warp2wave::ptx::parse(&source);
        let tp = t0.elapsed();
        for d in diags.iter().filter(|d| d.is_fatal()) {
            println!("{path}: PARSE {} {:?}", d.message, d.span.text(&source).lines().next());
        }
        let t1 = std::time::Instant::now();
        match warp2wave::lift::lift(&module, None) {
            Ok(m) => {
                let tl = t1.elapsed();
                ok += 1;
                for k in m.kernels.iter() {
                    if let Err(e) = warp2wave::ir::verify(&k.func) {
                        println!("{path} {}: VERIFY {}", k.name, e.lines().next().unwrap());
                    }
                    if dump.as_deref() == Some(&k.name) || dump.as_deref() == Some("*") {
                        println!("{}", warp2wave::ir::text::print(&k.name, &k.func));
                    }
                }
                if std::env::var("TIME").is_ok() {
                    println!(
                        "{path}: parse {tp:?} lift {tl:?} insts {}",
                        m.kernels.iter().map(|k| k.func.insts.len()).sum::<usize>()
                    );
                }
            }
            Err(ds) => {
                for d in ds {
                    let key = format!("{:?} {}", d.severity, d.message);
                    let e = msgs.entry(key).or_insert((0, path.clone()));
                    e.0 += 1;
                }
            }
        }
    }
    println!("lifted whole: {ok}");
    let mut v: Vec<_> = msgs.into_iter().collect();
    v.sort_by_key(|(_, (n, _))| usize::MAX - n);
    for (m, (n, p)) in v {
        println!("{n:5} {m}   e.g. {p}");
    }
}
