//! Abbreviations in a circle, and what nothing uses.

use base::{Diagnostic, Id};

use super::Resolver;
use crate::build::find_circle;
use crate::fp::syntax::{ItemKind, Name};
use crate::system::RelationId;

impl<'t> Resolver<'t> {
    pub(super) fn check_use(&mut self) {
        if let Some(first) = find_circle(&self.builder.system, &self.mentions) {
            self.circle(first);
        }
        if !self.report.has_errors() {
            self.warn_unused_declarations();
        }
    }

    fn circle(&mut self, first: RelationId) {
        self.fail::<()>(|resolver| {
            let relation = &resolver.builder.system.relations[first];
            Diagnostic::error("FP0037", format!("`{}` is defined by itself", relation.name))
                .at(relation.span, "an abbreviation that uses itself, perhaps through others")
                .help("write `mu` for the least or `nu` for the greatest relation that satisfies it")
        });
    }

    fn warn_unused_declarations(&mut self) {
        let tree = self.tree;
        let used = self.used_relations();
        for item in &tree.items {
            match &item.kind {
                ItemKind::Param(params) => {
                    for param in params {
                        if !self.parameters[&*param.name.text].used {
                            self.warn_unused("parameter", &param.name);
                        }
                    }
                }
                ItemKind::Sort(name, _) if !self.sorts[&*name.text].used => self.warn_unused("sort", name),
                ItemKind::Input(heads) => {
                    heads.iter().for_each(|head| self.warn_unused_relation("input", &head.name, &used));
                }
                ItemKind::Define(head, _) => self.warn_unused_relation("abbreviation", &head.name, &used),
                ItemKind::Fixpoint(_, head, _) => self.warn_unused_relation("equation", &head.name, &used),
                ItemKind::Sort(..) | ItemKind::Order(..) | ItemKind::Query(..) => {}
            }
        }
    }

    /// Relations that some query needs.
    fn used_relations(&self) -> Vec<bool> {
        let mut used = vec![false; self.builder.system.relations.len()];
        let mut open: Vec<RelationId> = self.mentions.last().cloned().unwrap_or_default();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut used[id.index()], true) {
                open.extend(&self.mentions[id.index()]);
            }
        }
        used
    }

    fn warn_unused_relation(&mut self, what: &str, name: &'t Name, used: &[bool]) {
        if !used[self.relations[&*name.text].id.index()] {
            self.warn_unused(what, name);
        }
    }

    /// A name that begins with `_` says that nobody uses it.
    pub(super) fn warn_unused(&mut self, what: &str, name: &Name) {
        if name.text.starts_with('_') {
            return;
        }
        let why = match what {
            "input" | "abbreviation" | "equation" => "no query needs it",
            _ => "nothing uses it",
        };
        let warning = Diagnostic::warning("FP0050", format!("the {what} `{}` is not used", name.text));
        self.report.push(warning.at(name.span, why).help("remove it, or begin its name with `_`"));
    }
}
