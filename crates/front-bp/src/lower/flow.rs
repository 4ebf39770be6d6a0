//! What control flow inside a procedure decides: atomic sections, and ends without `return`.

use base::{Diagnostic, Id};
use program::{LocationId, Role};

use super::Lowering;
use super::body::{Action, Body, Section};

/// How many atomic sections are open at each location of a body; `None` where control never comes.
struct Depths {
    first: usize,
    depths: Vec<Option<u32>>,
}

impl Depths {
    fn slot(&mut self, location: LocationId) -> &mut Option<u32> {
        &mut self.depths[location.index() - self.first]
    }

    fn get(&self, location: LocationId) -> Option<u32> {
        self.depths[location.index() - self.first]
    }
}

impl Lowering<'_> {
    /// Marks locations inside atomic sections, and warns about results that nobody sets.
    pub(super) fn check_flow(&mut self, body: &Body) {
        let has_results = !self.symbols.procedures[body.index].results.is_empty();
        let falls_off = |edge: &super::body::Edge| edge.target == body.fall_off;
        if body.sections.is_empty() && !(has_results && (body.entry == body.exit || body.edges.iter().any(falls_off))) {
            return;
        }
        let depths = self.depths(body);
        let ends = body.edges.iter().any(|edge| falls_off(edge) && depths.get(edge.source).is_some());
        if has_results && (ends || body.entry == body.exit) {
            self.warn_missing_return(body);
        }
        let is_inside = |location: LocationId| depths.get(location).is_some_and(|depth| depth > 0);
        // An atomic section ends with its thread: others must not wait for it. A violated assertion does not end it.
        for edge in &body.edges {
            if is_inside(edge.source) {
                self.builder.atomic(edge.source);
            }
            let target = body.location(edge.target);
            if self.builder.program().locations[target].role == Role::Violation && is_inside(target) {
                self.builder.atomic(target);
            }
        }
    }

    fn warn_missing_return(&mut self, body: &Body) {
        let procedure = &self.symbols.procedures[body.index];
        let name = procedure.name.map_or("init", |name| self.text(name));
        let end = procedure.body.end;
        self.report.push(
            Diagnostic::warning("BP0053", format!("`{name}` can end without `return`: its results are arbitrary then"))
                .at(end, "reached without `return`")
                .help("write `return *;` before `end` if that is meant"),
        );
    }

    /// Follows the edges from the entry; every path to a location must have opened as many sections.
    fn depths(&mut self, body: &Body) -> Depths {
        let n_locations = body.exit.index() - body.entry.index() + 1;
        let mut depths = Depths { first: body.entry.index(), depths: vec![None; n_locations] };
        let mut section = vec![None; n_locations];
        for (location, kind, _) in &body.sections {
            section[location.index() - depths.first] = Some(*kind);
        }
        *depths.slot(body.entry) = Some(0);
        let mut work = vec![body.entry];
        while let Some(location) = work.pop() {
            let Some(depth) = depths.get(location) else { continue };
            let first = body.edges.partition_point(|edge| edge.source < location);
            let edges = &body.edges[first..];
            for edge in edges.iter().take_while(|edge| edge.source == location) {
                if let Action::SpawnAt(label, _) = &edge.action {
                    self.flow_to(body, body.location(*label), 0, edge.origin, &mut depths, &mut work);
                }
                let after = match section[location.index() - depths.first] {
                    None => depth,
                    Some(Section::Begin) => depth + 1,
                    Some(Section::End) if depth == 0 => {
                        self.unbalanced(edge.origin, "no atomic section is open here on some path");
                        0
                    }
                    Some(Section::End) => depth - 1,
                };
                self.flow_to(body, body.location(edge.target), after, edge.origin, &mut depths, &mut work);
            }
        }
        depths
    }

    fn flow_to(
        &mut self,
        body: &Body,
        target: LocationId,
        depth: u32,
        origin: base::Span,
        depths: &mut Depths,
        work: &mut Vec<LocationId>,
    ) {
        if target == body.exit && depth > 0 {
            self.unbalanced(origin, "the procedure ends here inside an atomic section");
        }
        match depths.get(target) {
            None => {
                *depths.slot(target) = Some(depth);
                work.push(target);
            }
            Some(known) if known != depth && target != body.exit && !is_dead_end(body, target) => {
                let (here, there) = (depth, known);
                self.unbalanced(origin, &format!("{here} open after this statement, {there} on another path"));
            }
            Some(_) => {}
        }
    }

    fn unbalanced(&mut self, origin: base::Span, text: &str) {
        self.report.push(
            Diagnostic::error("BP0038", "`atomic_begin` and `atomic_end` do not match on every path")
                .at(origin, text)
                .help("end an atomic section on every path through the procedure that begins it"),
        );
    }
}

/// True where runs end: violated assertions and ended threads.
fn is_dead_end(body: &Body, location: LocationId) -> bool {
    body.edges.binary_search_by_key(&location, |edge| edge.source).is_err()
}
