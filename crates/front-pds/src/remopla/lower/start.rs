//! Where execution starts.

use base::Diagnostic;
use program::{Call, LocationId, Relation};

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
        match locations.as_slice() {
            [] => {}
            [only] => self.start_at(*only),
            several => self.several(several),
        }
    }

    fn no_main(&mut self, damaged: bool) {
        if !damaged {
            let message = "there is no module `main` and no `init`";
            self.report.push(Diagnostic::error("PD0134", message).help("write `init NAME;` or a module `main`"));
        }
    }

    fn start_at(&mut self, location: LocationId) {
        let procedure = self.builder.program().locations[location].procedure;
        if self.builder.program().procedures[procedure].entries.first() != Some(&location) {
            return self.several(&[location]);
        }
        let name = self.builder.program().procedures[procedure].name.clone();
        self.builder.thread(name, procedure);
    }

    /// A stack: what is on top runs first, then what is below it.
    fn several(&mut self, locations: &[LocationId]) {
        let taken = |name: &str| self.builder.program().procedures.iter().any(|procedure| procedure.name == name);
        let mut name = "start".to_owned();
        while taken(&name) {
            name.push('_');
        }
        let start = self.builder.procedure(name.clone());
        let mut here = self.builder.location(start);
        self.origins.locations.push(None);
        self.builder.entry(here);
        for entry in locations {
            self.builder.entry(*entry);
            let callee = self.builder.program().locations[*entry].procedure;
            let next = self.builder.location(start);
            self.origins.locations.push(None);
            let call = Call { callee, entry: *entry, enter: Relation::identity(), leave: Relation::identity() };
            self.origins.edges.push(None);
            self.builder.call(here, next, call);
            here = next;
        }
        self.builder.exit(here);
        self.builder.thread(name, start);
    }
}
