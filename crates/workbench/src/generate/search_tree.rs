//! Concurrent binary search trees (Kung and Lehman, Concurrent manipulation of binary search trees, TODS 1980; section
//! 5.3 of the jMoped paper, Suwimonteerabuth, Esparza, Schwoon, SPIN 2008).
//!
//! Inserters add a value each, searchers look for the same values, and nobody says what the values are. Searchers take no
//! locks. An inserter goes down without locks as well; where its value belongs and nothing is, it locks the node above,
//! looks again, and links a node of its own. Both are recursive. A searcher that starts after its value was inserted must
//! find it. With the bug inserters neither lock nor look again, so that of two nodes at the same place one is lost.
//!
//! Node 0 is none, node 1 is the root, which has a key from the start, and inserter `i` owns node `i + 1`. The key of a node
//! never changes once somebody can get to it.

/// Bits of keys.
const N_BITS: u32 = 2;

/// The text of the program, with at least one inserter and one searcher.
pub(super) fn write(inserters: u32, searchers: u32, bug: bool) -> String {
    let tree = Tree { inserters: inserters.max(1), searchers: searchers.max(1), bug };
    let mut text = tree.shared();
    (1..=tree.inserters).for_each(|i| text.push_str(&tree.inserter(i)));
    (1..=tree.searchers).for_each(|i| text.push_str(&tree.searcher(i)));
    text.push_str(&tree.insert());
    text.push_str(&tree.search());
    text
}

struct Tree {
    inserters: u32,
    searchers: u32,
    bug: bool,
}

/// The bits of a number that has a name.
fn bits(name: &str, n: u32) -> Vec<String> {
    (0..n).map(|bit| format!("{name}_{bit}")).collect()
}

/// Variables with the bits of a number at the start.
fn declared(names: &[String], number: u32) -> String {
    let all: Vec<String> =
        names.iter().enumerate().map(|(bit, name)| format!("{name} := {}", digit(number, bit))).collect();
    all.join(", ")
}

fn digit(number: u32, bit: usize) -> &'static str {
    if number >> bit & 1 == 1 { "T" } else { "F" }
}

fn any(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" | ")
}

impl Tree {
    fn nodes(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.inserters + 1
    }

    /// Bits of numbers of nodes.
    fn n_node_bits(&self) -> u32 {
        u32::BITS - (self.inserters + 1).leading_zeros()
    }

    /// A variable with the number of a node.
    fn node(&self, name: &str) -> Vec<String> {
        bits(name, self.n_node_bits())
    }

    /// The constant number of a node.
    fn number(&self, node: u32) -> String {
        let digits: Vec<&str> = (0..self.n_node_bits() as usize).map(|bit| digit(node, bit)).collect();
        digits.join(", ")
    }

    /// Whether `node` is the number of a node.
    fn is(&self, node: u32) -> String {
        let literal = |(bit, name): (usize, String)| if node >> bit & 1 == 1 { name } else { format!("!{name}") };
        let literals: Vec<String> = self.node("node").into_iter().enumerate().map(literal).collect();
        format!("({})", literals.join(" & "))
    }

    /// A bit of a field of `node`.
    fn field(&self, name: &str, bit: u32) -> String {
        format!("({})", any(self.nodes().map(|node| format!("{} & {name}{node}_{bit}", self.is(node)))))
    }

    fn shared(&self) -> String {
        let mut lines = Vec::new();
        for node in self.nodes() {
            // The root has the middle one of all keys.
            let key = if node == 1 { 1 << (N_BITS - 1) } else { 0 };
            lines.push(declared(&bits(&format!("key{node}"), N_BITS), key));
            lines.extend(["left", "right"].map(|side| declared(&self.node(&format!("{side}{node}")), 0)));
        }
        if !self.bug {
            lines.push(declared(&self.nodes().map(|node| format!("lock{node}")).collect::<Vec<_>>(), 0));
        }
        lines.push(declared(&(1..=self.inserters).map(|i| format!("done{i}")).collect::<Vec<_>>(), 0));
        lines.extend((1..=self.inserters).map(|i| bits(&format!("value{i}"), N_BITS).join(", ")));
        lines.iter().map(|line| format!("decl {line};\n")).collect()
    }

    fn inserter(&self, i: u32) -> String {
        let (root, value, own) = (self.number(1), bits(&format!("value{i}"), N_BITS).join(", "), self.number(i + 1));
        format!(
            "
thread inserter{i}
begin
  void main()
  begin
    insert({root}, {value}, {own});
    done{i} := T;
  end
end
"
        )
    }

    fn searcher(&self, i: u32) -> String {
        let wanted = (i - 1) % self.inserters + 1;
        let (root, value) = (self.number(1), bits(&format!("value{wanted}"), N_BITS).join(", "));
        format!(
            "
thread searcher{i}
begin
  void main()
  begin
    decl wasDone := F, found := F;
    wasDone := done{wanted};
    found := search({root}, {value});
    assert(!wasDone | found);
  end
end
"
        )
    }

    /// Whether the value is the key of the node.
    fn equal(&self) -> String {
        let equal = |(bit, value): (u32, &String)| format!("({value} = {})", self.field("key", bit));
        let all: Vec<String> = (0..).zip(&bits("value", N_BITS)).map(equal).collect();
        all.join(" & ")
    }

    /// Whether the value is less than the key of the node.
    fn less(&self) -> String {
        let mut less = String::new();
        for (bit, value) in (0..).zip(&bits("value", N_BITS)) {
            let key = self.field("key", bit);
            // The highest bit that differs decides.
            let below = if bit == 0 { String::new() } else { format!(" | (({value} = {key}) & ({less}))") };
            less = format!("(!{value} & {key}){below}");
        }
        less
    }

    /// Reads the child on the side of the value.
    fn descend(&self, less: &str) -> String {
        let read = |bit| format!("({less} ? {} : {})", self.field("left", bit), self.field("right", bit));
        let children: Vec<String> = (0..self.n_node_bits()).map(read).collect();
        format!("{} :=\n    {};", self.node("child").join(", "), children.join(",\n    "))
    }

    /// Links a node of the inserter's own, whose key has been set, below the node.
    fn link(&self) -> String {
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        for node in self.nodes() {
            for (side, is_side) in [("left", "less"), ("right", "!less")] {
                for (field, own) in self.node(&format!("{side}{node}")).into_iter().zip(self.node("own")) {
                    values.push(format!("(({} & {is_side}) ? {own} : {field})", self.is(node)));
                    fields.push(field);
                }
            }
        }
        format!("{} :=\n      {};", fields.join(", "), values.join(",\n      "))
    }

    fn set_key(&self) -> String {
        let own = |node: u32| self.is(node).replace("node_", "own_");
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        for node in self.nodes().skip(1) {
            for (field, value) in bits(&format!("key{node}"), N_BITS).into_iter().zip(bits("value", N_BITS)) {
                values.push(format!("({} ? {value} : {field})", own(node)));
                fields.push(field);
            }
        }
        format!("{} :=\n      {};", fields.join(", "), values.join(",\n      "))
    }

    fn lock(&self) -> String {
        let locks: Vec<String> = self.nodes().map(|node| format!("lock{node}")).collect();
        let taken: Vec<String> = self.nodes().map(|node| format!("lock{node} | {}", self.is(node))).collect();
        let free = any(self.nodes().map(|node| format!("{} & lock{node}", self.is(node))));
        format!("{} := {} constrain (!({free}));", locks.join(", "), taken.join(", "))
    }

    fn unlock(&self) -> String {
        let locks: Vec<String> = self.nodes().map(|node| format!("lock{node}")).collect();
        let left: Vec<String> = self.nodes().map(|node| format!("lock{node} & !{}", self.is(node))).collect();
        format!("{} := {};", locks.join(", "), left.join(", "))
    }

    fn insert(&self) -> String {
        let parameters = [self.node("node"), bits("value", N_BITS), self.node("own")].concat().join(", ");
        let (child, value, own) = (self.node("child"), bits("value", N_BITS).join(", "), self.node("own").join(", "));
        let is_none = format!("!({})", child.join(" | "));
        let (locals, child) = (declared(&child, 0), child.join(", "));
        let (equal, less, descend) = (self.equal(), self.less(), self.descend("less"));
        let (set_key, link) = (self.set_key(), self.link());
        let at_the_end = if self.bug {
            format!("    {set_key}\n    {link}\n    return;\n")
        } else {
            let (lock, unlock) = (self.lock(), self.unlock());
            format!(
                "    {lock}\n    {descend}\n    if ({is_none}) then\n      {set_key}\n      {link}\n      {unlock}\n      \
                 return;\n    fi\n    {unlock}\n"
            )
        };
        format!(
            "
void insert({parameters})
begin
  decl {locals}, less := F;
  if ({equal}) then
    return;
  fi
  less := {less};
  {descend}
  if ({is_none}) then
{at_the_end}  fi
  insert({child}, {value}, {own});
end
"
        )
    }

    fn search(&self) -> String {
        let parameters = [self.node("node"), bits("value", N_BITS)].concat().join(", ");
        let (child, value) = (self.node("child").join(", "), bits("value", N_BITS).join(", "));
        let (locals, is_node) = (declared(&self.node("child"), 0), self.node("node").join(" | "));
        let (equal, descend) = (self.equal(), self.descend(&format!("({})", self.less())));
        format!(
            "
bool search({parameters})
begin
  decl {locals}, found := F;
  if (!({is_node})) then
    return F;
  fi
  if ({equal}) then
    return T;
  fi
  {descend}
  found := search({child}, {value});
  return found;
end
"
        )
    }
}
