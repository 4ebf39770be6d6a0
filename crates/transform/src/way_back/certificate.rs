//! Certificates: sets per location, moved, weakened and completed by facts.

use program::LocationId;
use witness::{Certificate, Set};

use super::{LocationBack, WayBack};

impl WayBack {
    /// The certificate of the original that a certificate of the result stands for.
    #[must_use]
    pub fn certificate(&self, mut certificate: Certificate) -> Certificate {
        let moved = self.moved(&certificate);
        certificate.sets.retain(|(location, _)| self.location(*location).is_none());
        certificate.sets.extend(moved);
        certificate.sets.sort_by_key(|(location, _)| *location);
        for (location, set) in &mut certificate.sets {
            self.add_facts(*location, set);
        }
        if !self.removed.is_empty() {
            for (_, frame) in &mut certificate.frames {
                frame.unchanged.retain(|variable| self.removed.binary_search(variable).is_err());
            }
        }
        certificate
    }

    fn location(&self, location: LocationId) -> Option<LocationBack> {
        let at = self.locations.binary_search_by_key(&location, |(id, _)| *id).ok()?;
        Some(self.locations[at].1)
    }

    /// The sets of the locations that do not have their own.
    fn moved(&self, certificate: &Certificate) -> Vec<(LocationId, Set)> {
        let set_of = |location: LocationId| {
            let at = certificate.sets.binary_search_by_key(&location, |(id, _)| *id).ok()?;
            Some(certificate.sets[at].1.clone())
        };
        let moved = |&(location, back): &(LocationId, LocationBack)| match back {
            LocationBack::From(other) => set_of(other).map(|set| (location, set)),
            LocationBack::Everything => Some((location, Set::Facts(Vec::new()))),
            LocationBack::Nothing => None,
        };
        self.locations.iter().filter_map(moved).collect()
    }

    fn add_facts(&self, location: LocationId, set: &mut Set) {
        let Ok(at) = self.facts.binary_search_by_key(&location, |(id, _)| *id) else {
            return;
        };
        let facts = match set {
            Set::Facts(facts) | Set::Diagram { facts, .. } => facts,
        };
        facts.extend(self.facts[at].1.iter().cloned());
        facts.sort();
        facts.dedup();
    }
}

#[cfg(test)]
mod tests {
    use program::{ProcedureId, Value, VariableId};
    use witness::Frame;

    use super::*;

    fn diagram(root: u32) -> Set {
        Set::Diagram { root, facts: Vec::new() }
    }

    #[test]
    fn sets_are_moved_weakened_dropped_and_completed() {
        let [a, b, c, d] = [0, 1, 2, 3].map(LocationId);
        let (x, y) = (VariableId(0), VariableId(1));
        let way_back = WayBack {
            locations: vec![(a, LocationBack::From(b)), (c, LocationBack::Everything), (d, LocationBack::Nothing)],
            facts: vec![(b, vec![(x, Value::Bool(true))]), (c, vec![(x, Value::Bool(false))])],
            removed: vec![y],
            ..WayBack::default()
        };
        let frame = Frame { columns: Vec::new(), unchanged: vec![x, y] };
        let certificate = Certificate {
            sets: vec![(b, diagram(1)), (d, diagram(0))],
            frames: vec![(ProcedureId(0), frame)],
            ..Certificate::default()
        };
        let back = way_back.certificate(certificate);
        let with_fact = Set::Diagram { root: 1, facts: vec![(x, Value::Bool(true))] };
        let everything = Set::Facts(vec![(x, Value::Bool(false))]);
        assert_eq!(back.sets, [(a, diagram(1)), (b, with_fact), (c, everything)]);
        assert_eq!(back.frames[0].1.unchanged, [x]);
    }
}
