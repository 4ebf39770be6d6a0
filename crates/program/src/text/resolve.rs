//! Syntax tree to program: ids, names, tables; then `verify`.

use base::{Diagnostic, Diagnostics, Id, IdVec, Span};
use rustc_hash::FxHashMap;

use super::codes;
use super::names::Names;
use super::parse::MAX_ERRORS;
use super::resolve_edges::Resolver;
use super::syntax::{self, Declaration, File, Name, Nat, Place};
use crate::verify::Part;
use crate::{
    EdgeId, EnumId, Enumeration, Expr, Location, LocationId, Origins, Procedure, ProcedureId, Program, Scope, Sort,
    Thread, Variable, VariableId, verify,
};

/// Where the parts of a program stand in the text.
#[derive(Default)]
struct Places {
    enums: IdVec<EnumId, Span>,
    variables: IdVec<VariableId, Span>,
    procedures: IdVec<ProcedureId, Span>,
    locations: IdVec<LocationId, Span>,
    edges: IdVec<EdgeId, Span>,
    threads: Vec<Span>,
    start: Option<Span>,
    uninterruptible: Option<Span>,
}

impl Places {
    fn of(&self, part: Part) -> Option<Span> {
        match part {
            Part::Program => None,
            Part::Start => self.start,
            Part::Uninterruptible => self.uninterruptible,
            Part::Enum(id) => self.enums.get(id).copied(),
            Part::Variable(id) => self.variables.get(id).copied(),
            Part::Procedure(id) => self.procedures.get(id).copied(),
            Part::Location(id) => self.locations.get(id).copied(),
            Part::Edge(id) => self.edges.get(id).copied(),
            Part::Thread(at) => self.threads.get(at).copied(),
        }
    }
}

/// The program of a file, and where its parts stand. It means something only if no errors were reported.
pub(super) fn resolve(file: File, diagnostics: &mut Diagnostics) -> (Program, Origins) {
    let mut tables = Tables::of(&file, diagnostics);
    tables.locations(&file.procedures, diagnostics);
    let program = tables.program(file, diagnostics);
    if !diagnostics.has_errors() {
        for defect in verify(&program).err().unwrap_or_default().into_iter().take(MAX_ERRORS) {
            let diagnostic = Diagnostic::error(codes::DEFECT, defect.message);
            diagnostics.push(match tables.places.of(defect.part) {
                Some(span) => diagnostic.at(span, ""),
                None => diagnostic,
            });
        }
    }
    let origins = Origins {
        locations: tables.places.locations.iter().copied().map(Some).collect(),
        edges: tables.places.edges.iter().copied().map(Some).collect(),
        variables: tables.places.variables.iter().copied().map(Some).collect(),
    };
    (program, origins)
}

pub(super) fn error(diagnostics: &mut Diagnostics, code: &'static str, message: impl Into<String>, span: Span) {
    if diagnostics.len() < MAX_ERRORS {
        diagnostics.push(Diagnostic::error(code, message).at(span, ""));
    }
}

/// The ids of things in order of appearance; in case of errors: as if no ids were given.
fn number<I: Id>(given: &[(Option<Nat>, Span)], diagnostics: &mut Diagnostics) -> Vec<I> {
    let mut used = vec![false; given.len()];
    let mut next = 0;
    let mut ids = Vec::with_capacity(given.len());
    let mut wrong = false;
    for (id, span) in given {
        let id = id.map_or(next, |id| id.value as usize);
        next = id + 1;
        let message = match used.get_mut(id) {
            None => Some(format!("the id {id} leaves a gap: there are {} things of this kind", given.len())),
            Some(used) => std::mem::replace(used, true).then(|| format!("the id {id} is used already")),
        };
        if let Some(message) = message {
            wrong = true;
            error(diagnostics, codes::IDS, message, *span);
        } else {
            ids.push(I::from_index(id));
        }
    }
    if wrong { (0..given.len()).map(I::from_index).collect() } else { ids }
}

/// Puts things at their ids, which are a permutation.
fn place<I: Id, T>(ids: &[I], things: Vec<T>) -> IdVec<I, T> {
    let mut pairs: Vec<(I, T)> = ids.iter().copied().zip(things).collect();
    pairs.sort_by_key(|(id, _)| *id);
    pairs.into_iter().map(|(_, thing)| thing).collect()
}

/// What names and numbers stand for.
pub(super) struct Tables {
    places: Places,
    enum_ids: Vec<EnumId>,
    pub(super) enum_names: FxHashMap<String, EnumId>,
    pub(super) enums: IdVec<EnumId, Enumeration>,
    procedure_ids: Vec<ProcedureId>,
    procedure_names: FxHashMap<String, ProcedureId>,
    /// In order of appearance: globals, then procedure by procedure.
    variable_ids: Vec<VariableId>,
    pub(super) names: Names,
    location_ids: Vec<LocationId>,
    /// The locations of each procedure by number.
    pub(super) locations: IdVec<ProcedureId, Vec<LocationId>>,
    edge_ids: Vec<EdgeId>,
}

/// All declarations of variables in order of appearance, with the position of their procedure.
fn declarations(file: &File) -> impl Iterator<Item = (Option<usize>, &Declaration)> {
    let globals = file.globals.iter().map(|declaration| (None, declaration));
    let of_procedure = |(at, procedure)| {
        let procedure: &syntax::Procedure = procedure;
        procedure.variables.iter().map(move |declaration| (Some(at), declaration))
    };
    globals.chain(file.procedures.iter().enumerate().flat_map(of_procedure))
}

/// Enters a name; reports one that is there already.
fn enter<I: Copy>(names: &mut FxHashMap<String, I>, name: &Name, id: I, diagnostics: &mut Diagnostics) {
    if names.insert(name.text.clone(), id).is_some() {
        error(diagnostics, codes::TWICE, format!("the name {:?} is given twice", name.text), name.span);
    }
}

impl Tables {
    fn of(file: &File, diagnostics: &mut Diagnostics) -> Self {
        let given: Vec<_> = file.enums.iter().map(|item| (item.id, item.name.span)).collect();
        let enum_ids = number(&given, diagnostics);
        let given: Vec<_> = file.procedures.iter().map(|item| (item.id, item.name.span)).collect();
        let procedure_ids = number(&given, diagnostics);
        let given: Vec<_> = declarations(file).map(|(_, item)| (item.id, item.name.span)).collect();
        let variable_ids = number(&given, diagnostics);
        let mut tables = Self {
            places: Places::default(),
            enum_ids,
            enum_names: FxHashMap::default(),
            enums: IdVec::new(),
            procedure_ids,
            procedure_names: FxHashMap::default(),
            variable_ids,
            names: Names::default(),
            location_ids: Vec::new(),
            locations: IdVec::filled(file.procedures.len(), Vec::new()),
            edge_ids: Vec::new(),
        };
        tables.enter_names(file, diagnostics);
        tables
    }

    fn enter_names(&mut self, file: &File, diagnostics: &mut Diagnostics) {
        for (item, id) in file.enums.iter().zip(&self.enum_ids) {
            enter(&mut self.enum_names, &item.name, *id, diagnostics);
        }
        let enumeration = |item: &syntax::Enum| Enumeration {
            name: item.name.text.clone(),
            values: item.values.iter().map(|value| value.text.clone()).collect(),
        };
        self.enums = place(&self.enum_ids, file.enums.iter().map(enumeration).collect());
        self.places.enums = place(&self.enum_ids, file.enums.iter().map(|item| item.name.span).collect());
        for (item, id) in file.procedures.iter().zip(&self.procedure_ids) {
            enter(&mut self.procedure_names, &item.name, *id, diagnostics);
        }
        self.places.procedures =
            place(&self.procedure_ids, file.procedures.iter().map(|item| item.name.span).collect());
        for ((procedure, item), id) in declarations(file).zip(&self.variable_ids) {
            let names = match procedure {
                None => &mut self.names.globals,
                Some(at) => self.names.locals.entry(self.procedure_ids[at]).or_default(),
            };
            enter(names, &item.name, *id, diagnostics);
        }
        self.places.variables = place(&self.variable_ids, declarations(file).map(|(_, item)| item.name.span).collect());
    }

    fn locations(&mut self, procedures: &[syntax::Procedure], diagnostics: &mut Diagnostics) {
        let all = || procedures.iter().flat_map(|procedure| &procedure.locations);
        let given: Vec<_> = all().map(|item| (item.id, item.number.span)).collect();
        self.location_ids = number(&given, diagnostics);
        let edges = || all().flat_map(|location| &location.edges);
        let given: Vec<_> = edges().map(|item| (item.id, item.span)).collect();
        self.edge_ids = number(&given, diagnostics);
        let mut ids = self.location_ids.iter();
        for (procedure, id) in procedures.iter().zip(&self.procedure_ids) {
            for (at, location) in procedure.locations.iter().enumerate() {
                if location.number.value as usize != at {
                    let message = format!("expected the location number {at}");
                    error(diagnostics, codes::LOCATIONS, message, location.number.span);
                }
            }
            self.locations[*id] = ids.by_ref().take(procedure.locations.len()).copied().collect();
        }
        self.places.locations = place(&self.location_ids, all().map(|item| item.number.span).collect());
        self.places.edges = place(&self.edge_ids, edges().map(|item| item.span).collect());
    }

    pub(super) fn procedure(&self, name: &Name, diagnostics: &mut Diagnostics) -> Option<ProcedureId> {
        let found = self.procedure_names.get(&name.text).copied();
        if found.is_none() {
            error(diagnostics, codes::UNKNOWN, format!("there is no procedure {:?}", name.text), name.span);
        }
        found
    }

    pub(super) fn location(&self, procedure: ProcedureId, number: Nat, diagnostics: &mut Diagnostics) -> LocationId {
        match self.locations[procedure].get(number.value as usize) {
            Some(id) => *id,
            None => {
                let message = format!("there is no location {} in this procedure", number.value);
                error(diagnostics, codes::UNKNOWN, message, number.span);
                LocationId(0)
            }
        }
    }

    fn sort(&self, sort: &syntax::Sort, diagnostics: &mut Diagnostics) -> Sort {
        match sort {
            syntax::Sort::Bool => Sort::Bool,
            syntax::Sort::Bits(width) => Sort::Bits(width.value),
            syntax::Sort::Int => Sort::Int,
            syntax::Sort::Array(element, n) => Sort::Array(Box::new(self.sort(element, diagnostics)), n.value),
            syntax::Sort::Name(name) => match self.enum_names.get(&name.text) {
                Some(id) => Sort::Enum(*id),
                None => {
                    error(diagnostics, codes::UNKNOWN, format!("there is no enumeration {:?}", name.text), name.span);
                    Sort::Bool
                }
            },
        }
    }

    fn variables(&self, file: &File, diagnostics: &mut Diagnostics) -> IdVec<VariableId, Variable> {
        let variable = |(procedure, item): (Option<usize>, &Declaration)| {
            let scope = match (procedure, item.place) {
                (Some(at), _) => Scope::Local(self.procedure_ids[at]),
                (None, Place::Private) => Scope::Private,
                (None, _) => Scope::Shared,
            };
            Variable { name: item.name.text.clone(), sort: self.sort(&item.sort, diagnostics), scope }
        };
        place(&self.variable_ids, declarations(file).map(variable).collect())
    }

    fn program(&mut self, file: File, diagnostics: &mut Diagnostics) -> Program {
        let variables = self.variables(&file, diagnostics);
        let procedures = self.procedures(&file, diagnostics);
        let mut threads = Vec::new();
        for (name, start) in &file.threads {
            if let Some(start) = self.procedure(start, diagnostics) {
                threads.push(Thread { name: name.text.clone(), start });
                self.places.threads.push(name.span);
            }
        }
        let init = at_most_one(&file.inits, |name| name.span, diagnostics);
        let init = init.and_then(|name| self.procedure(name, diagnostics));
        let start = at_most_one(&file.starts, |(_, span)| *span, diagnostics);
        let uninterruptible = at_most_one(&file.uninterruptibles, |(_, span)| *span, diagnostics);
        self.places.start = start.map(|(_, span)| *span);
        self.places.uninterruptible = uninterruptible.map(|(_, span)| *span);
        let mut resolver = Resolver::new(self, diagnostics);
        let start = start.map_or(Expr::TRUE, |(condition, _)| resolver.condition(condition));
        let uninterruptible = uninterruptible.map_or(Expr::FALSE, |(condition, _)| resolver.condition(condition));
        let edges = file.procedures.iter().zip(&self.procedure_ids);
        let edges = edges.flat_map(|(procedure, id)| resolver.edges(procedure, *id)).collect();
        let edges = place(&self.edge_ids, edges);
        let locations = place(&self.location_ids, self.location_table(file.procedures));
        let enums = self.enums.clone();
        Program { enums, variables, procedures, locations, edges, init, threads, start, uninterruptible }
    }

    fn procedures(&self, file: &File, diagnostics: &mut Diagnostics) -> IdVec<ProcedureId, Procedure> {
        let mut variable_ids = self.variable_ids.iter().skip(file.globals.len()).copied();
        let mut procedures = Vec::with_capacity(file.procedures.len());
        for (item, id) in file.procedures.iter().zip(&self.procedure_ids) {
            let mut procedure = Procedure { name: item.name.text.clone(), ..Procedure::default() };
            for (declaration, variable) in item.variables.iter().zip(variable_ids.by_ref()) {
                match declaration.place {
                    Place::Parameter => procedure.parameters.push(variable),
                    Place::Result => procedure.results.push(variable),
                    Place::Local | Place::Shared | Place::Private => procedure.locals.push(variable),
                }
            }
            procedure.locations.clone_from(&self.locations[*id]);
            let mut locations =
                |numbers: &[Nat]| numbers.iter().map(|number| self.location(*id, *number, diagnostics)).collect();
            procedure.entries = locations(&item.entries);
            procedure.exits = locations(&item.exits);
            let mut resolver = Resolver::new(self, diagnostics);
            procedure.untouched = item.untouched.iter().filter_map(|variable| resolver.outside(variable)).collect();
            procedures.push(procedure);
        }
        place(&self.procedure_ids, procedures)
    }

    fn location_table(&self, procedures: Vec<syntax::Procedure>) -> Vec<Location> {
        let mut table = Vec::with_capacity(self.location_ids.len());
        for (item, procedure) in procedures.into_iter().zip(&self.procedure_ids) {
            for location in item.locations {
                let labels = location.labels.into_iter().map(|label| label.text).collect();
                let syntax::Location { role, atomic, .. } = location;
                table.push(Location { procedure: *procedure, labels, role, atomic });
            }
        }
        table
    }
}

fn at_most_one<'a, T>(items: &'a [T], span: impl Fn(&T) -> Span, diagnostics: &mut Diagnostics) -> Option<&'a T> {
    for item in items.iter().skip(1) {
        error(diagnostics, codes::TWICE, "this is given twice", span(item));
    }
    items.first()
}
