use std::time::Instant;
fn main() {
    let dump = std::env::var("DUMP").ok();
    for path in std::env::args().skip(1) {
        let source = std::fs::read_to_string(&path).unwrap();
        let (module, _) = warp2wave::ptx::parse(&source);
        let best = |f: &mut dyn FnMut()| {
            let mut b = f64::MAX;
            for _ in 0..5 {
                let t = Instant::now();
                f();
                b = b.min(t.elapsed().as_secs_f64() * 1e3);
            }
            b
        };
        let tp = best(&mut || {
            std::hint::black_box(warp2wave::ptx::parse(&source));
        });
        let names: Vec<String> = module
            .items
            .iter()
            .filter_map(|i| match i {
                warp2wave::ptx::tree::Item::Function(f) if f.kind == warp2wave::ptx::tree::FunctionKind::Entry => {
                    Some(module.names.get(f.name).to_string())
                }
                _ => None,
            })
            .collect();
        for name in names {
            let one = [name.clone()];
            let Ok(m) = warp2wave::lift::lift(&module, Some(&one)) else { continue };
            let k = &m.kernels[0];
            let tl = best(&mut || {
                std::hint::black_box(warp2wave::lift::lift(&module, Some(&one))).ok();
            });
            let to = best(&mut || {
                let mut f = k.func.clone();
                warp2wave::opt::run(&mut f);
            });
            let mut f = k.func.clone();
            if std::env::var("PASSES").is_ok() {
                for (n, p) in warp2wave::opt::PASSES {
                    let t = Instant::now();
                    p(&mut f);
                    println!("   {n} {:.3} ms", t.elapsed().as_secs_f64() * 1e3);
                }
                f = warp2wave::ir::compact(f);
            } else {
                warp2wave::opt::run(&mut f);
            }
            let local = f.order.iter().flat_map(|&b| &f.blocks[b].insts).filter(|&&i| matches!(&f.insts[i].op, warp2wave::ir::Op::Load(m) | warp2wave::ir::Op::Store(m) if m.space == warp2wave::ir::Space::Local)).count();
            let generic = f.order.iter().flat_map(|&b| &f.blocks[b].insts).filter(|&&i| matches!(&f.insts[i].op, warp2wave::ir::Op::Load(m) | warp2wave::ir::Op::Store(m) if m.space == warp2wave::ir::Space::Generic)).count();
            println!(
                "{} {name}: parse {tp:.2} lift {tl:.2} opt {to:.2} ms; insts {} -> {} blocks {} -> {} local {local} generic {generic} localbytes {}",
                path.rsplit('/').next().unwrap(),
                k.func.insts.len(),
                f.insts.len(),
                k.func.order.len(),
                f.order.len(),
                k.local_bytes
            );
            if dump.as_deref() == Some(&name) {
                println!("{}", warp2wave::ir::text::print(&name, &f));
            }
        }
    }
}
