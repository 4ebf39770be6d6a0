fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let (tree, d) = front_bp::parse(&base::Source::new("x", text));
    for d in &d { println!("{d:?}"); }
    print!("{}", front_bp::format(&tree.unwrap()));
}
