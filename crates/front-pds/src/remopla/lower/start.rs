//! Where execution starts.

use base::Diagnostic;
use program::{Call, LocationId, Relation, Role};

use super::super::syntax::Name;
use super::Lowering;

impl Lowering<'_> {
    pub(super) fn start(&mut self, damaged: bool) {
        let tree = self.tree;
        let names: Vec<Name> = match &tree.init {
            Some(names) => names.clone(),
            None => {
                let main = tree.names.find("main").and_then(|symbol| self.labels.get(&symbol));
                let Some(main) = main.copied() else {
                    self.no_main(damaged);
                    return;
                };
                self.start_at(main.location);
                return;
            }
        };
        let mut locations = Vec::new();
        for name in names {
            match self.labels.get(&name.symbol) {
                Some(label) => locations.push(label.location),
                None if damaged => {}
                None => {
                    let help = "`init` names modules and labels";
                    self.unknown::<()>("PD0134", "module or label", name, Self::known_labels, help);
                }
            }
        }
        if let Some((top, below)) = locations.split_first() {
            let bottom = below.iter().fold(*top, |top, below| self.put_on(top, *below));
            self.start_at(bottom);
        }
    }

    fn no_main(&mut self, damaged: bool) {
        if !damaged {
            let message = "there is no module `main` and no `init`";
            self.report.push(Diagnostic::error("PD0134", message).help("write `init NAME;` or a module `main`"));
        }
    }

    fn start_at(&mut self, location: LocationId) {
        self.builder.first_entry(location);
        let procedure = self.builder.program().locations[location].procedure;
        let name = self.builder.program().procedures[procedure].name.clone();
        self.builder.thread(name, procedure);
    }

    /// A stack: what is on top runs first, then what is below it. Returns where that begins, which is no moment of its own.
    fn put_on(&mut self, top: LocationId, below: LocationId) -> LocationId {
        self.builder.entry(top);
        let [callee, procedure] = [top, below].map(|at| self.builder.program().locations[at].procedure);
        let begin = self.builder.location_with(procedure, Role::Between);
        self.origins.locations.push(None);
        let call = Call { callee, entry: top, enter: Relation::identity(), leave: Relation::identity() };
        self.origins.edges.push(None);
        self.builder.call(begin, below, call);
        begin
    }
}
