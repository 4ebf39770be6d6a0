//! Temporary.
use base::*;
fn main() {
    for name in std::env::args().skip(1) {
        let dir = std::path::Path::new(&name).parent().unwrap().to_owned();
        let text = std::fs::read_to_string(&name).unwrap();
        let source = Source::new(name.as_str(), text);
        let source = calculus::mucke::include(source, &mut |n: &str| {
            std::fs::read_to_string(dir.join(n)).or_else(|_| std::fs::read_to_string(dir.join(format!("{n}.mu")))).ok()
        });
        let t = std::time::Instant::now();
        let (tree, d) = calculus::mucke::parse(&source);
        if d.has_errors() || tree.is_none() {
            println!("{name}: syntax {:?}", d.iter().next());
            continue;
        }
        let (resolved, _) = match calculus::mucke::resolve(&tree.unwrap()) {
            Ok(r) => r,
            Err(e) => {
                println!("{name}: {:?}", e.iter().next());
                continue;
            }
        };
        let budget = Budget::unlimited().with_time(Some(std::time::Duration::from_secs(60)));
        let p = std::time::Instant::now();
        if std::env::var("EXPLAIN").is_ok() {
            println!("{}", calculus::mucke::plan(&resolved).explain(&resolved.system, &Default::default()));
        }
        let run = std::thread::Builder::new()
            .stack_size(1 << 28)
            .spawn(move || {
                let manager = bdd::Manager::new(&bdd::Config::for_memory(1 << 30));
                let w = budget.watch();
                manager.set_interrupt(bdd::Interrupt::from(budget.interrupt().flag()));
                let r = calculus::mucke::run(
                    &resolved,
                    manager,
                    calculus::Options { profile: true, ..Default::default() },
                    &budget,
                    &Silent,
                );
                drop(w);
                r
            })
            .unwrap()
            .join()
            .unwrap();
        match run {
            Ok(run) => {
                println!(
                    "{name}: {:?} {:.2}s (plan from {:.2}) peak {}",
                    run.outcomes
                        .iter()
                        .filter_map(|o| match o {
                            calculus::mucke::Outcome::Truth { holds, .. } => Some(holds.to_string()),
                            calculus::mucke::Outcome::OnSet { elements, predicate } =>
                                Some(format!("{predicate}:{elements}")),
                            calculus::mucke::Outcome::Witness { holds, values, .. } =>
                                Some(format!("wit {holds} {values:?}")),
                            calculus::mucke::Outcome::Counterexample { holds, values, .. } =>
                                Some(format!("cex {holds} {values:?}")),
                            _ => None,
                        })
                        .collect::<Vec<_>>(),
                    t.elapsed().as_secs_f64(),
                    (p - t).as_secs_f64(),
                    run.peak_nodes
                );
                if std::env::var("PROFILE").is_ok() {
                    println!("{}", run.profile);
                }
            }
            Err(h) => println!("{name}: halt {h:?} {:.2}s", t.elapsed().as_secs_f64()),
        }
    }
}
