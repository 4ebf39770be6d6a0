fn main() {
    let a: Vec<String> = std::env::args().collect();
    let kb: usize = a[1].parse().unwrap();
    let n: usize = a[3].parse().unwrap();
    let stage = a[4].clone();
    let (b, o, m, c, e) = match a[2].as_str() {
        "paren" => ("decl a, b; void main() begin a := ", "(", "b", ")", "; end"),
        "and" => ("decl a, b; void main() begin a := ", "b & (a | ", "b", ")", "; end"),
        "imp" => ("decl a, b; void main() begin a := ", "a => ", "b", "", "; end"),
        "cond" => ("decl a, b; void main() begin a := ", "(a ? b : ", "b", ")", "; end"),
        "choose" => ("decl a, b; void main() begin a := ", "schoose[a, ", "b", "]", "; end"),
        "if" => ("decl a, b; void main() begin ", "if (a) then ", "skip;", "fi ", " end"),
        "else" => ("decl a, b; void main() begin ", "if (a) then skip; else ", "skip;", "fi ", " end"),
        _ => ("decl a, b; void main() begin ", "while (a) do ", "skip;", "od ", " end"),
    };
    let text = format!("{b}{}{m}{}{e}", o.repeat(n), c.repeat(n));
    let s = base::Source::new("x", text);
    let big = std::thread::Builder::new().stack_size(64 << 20).spawn(move || { let t = front_bp::parse(&s).0.unwrap(); (s, t) }).unwrap();
    let (s, tree) = big.join().unwrap();
    std::thread::Builder::new().stack_size(kb << 10).spawn(move || {
        match stage.as_str() {
            "parse" => { std::mem::forget(front_bp::parse(&s)); }
            "lower" => { std::mem::forget(front_bp::lower(&tree, &s, &Default::default())); }
            "format" => { drop(front_bp::format(&tree)); }
            _ => {}
        }
        if stage != "drop" { std::mem::forget(tree); }
    }).unwrap().join().unwrap();
}
