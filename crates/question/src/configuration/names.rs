//! What locations are called, and which locations a name means.

use program::{LocationId, Program};

/// A name for a location that [`super::parse()`] reads back: its label, if no other location has it, or else
/// `procedure:exit` or `procedure:n`.
#[must_use]
pub fn location_name(program: &Program, location: LocationId) -> String {
    let procedure = &program.procedures[program.locations[location].procedure];
    for label in &program.locations[location].labels {
        let qualified = format!("{}::{label}", procedure.name);
        for name in [label.clone(), qualified] {
            if is_word(&name) && locations(program, &name) == [location] {
                return name;
            }
        }
    }
    if procedure.exits == [location] {
        return format!("{}:exit", procedure.name);
    }
    let position = procedure.locations.binary_search(&location).unwrap_or(usize::MAX);
    format!("{}:{position}", procedure.name)
}

/// The first label of a location, whoever else has it, or else its name.
#[must_use]
pub fn location_label(program: &Program, location: LocationId) -> String {
    program.locations[location].labels.first().cloned().unwrap_or_else(|| location_name(program, location))
}

/// The locations that a name means, in ascending order.
pub(super) fn locations(program: &Program, name: &str) -> Vec<LocationId> {
    let labelled: Vec<LocationId> = program.label_targets(name).into_iter().map(|target| target.location).collect();
    if !labelled.is_empty() {
        return labelled;
    }
    let named = |name: &str| program.procedures.iter().find(|procedure| procedure.name == name);
    if let Some(procedure) = named(name) {
        return sorted(procedure.entries.clone());
    }
    let Some((procedure, place)) = name.rsplit_once(':').and_then(|(name, place)| Some((named(name)?, place))) else {
        return Vec::new();
    };
    match place.parse::<usize>() {
        Ok(position) => procedure.locations.get(position).copied().into_iter().collect(),
        Err(_) if place == "exit" => sorted(procedure.exits.clone()),
        Err(_) => Vec::new(),
    }
}

fn sorted(mut locations: Vec<LocationId>) -> Vec<LocationId> {
    locations.sort_unstable();
    locations
}

/// Names that look like the one, for help.
pub(super) fn similar(program: &Program) -> Vec<String> {
    let labels = program.locations.iter().flat_map(|location| location.labels.iter().cloned());
    let procedures = program.procedures.iter().map(|procedure| format!("{}:0", procedure.name));
    labels.chain(procedures).take(6).collect()
}

/// A character of a name; a dot only between two others.
pub(super) fn is_part(c: char) -> bool {
    c.is_alphanumeric() || "_$:@'#-".contains(c)
}

/// Whether the whole text is one name.
fn is_word(text: &str) -> bool {
    let dots_inside = !text.starts_with('.') && !text.ends_with('.') && !text.contains("..");
    !text.is_empty() && dots_inside && text.chars().all(|c| is_part(c) || c == '.')
}
