//! Reads the expectations that a folder of benchmarks gives in its MANIFEST.md.
//!
//! A section `## folder, folder — remark` speaks about the files of its folders. Its table, if it has one, has a first
//! column with files (several are separated by commas or ` / `, and `*` stands for anything) and columns named
//! `expected`, `label` or `question` (`label L`). `Label: L` in the text is the label of all files of the section. A
//! file of a section that no row mentions has no recorded answer.

/// What the authors of a file say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// No assertion fails, or the label is not reachable.
    Holds,
    /// An assertion fails, or the label is reachable.
    Violated,
    /// Nobody recorded an answer, or only one under conditions.
    Open,
}

/// One file's question and answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) expected: Expected,
    /// The label that is asked about; none: all assertions.
    pub(crate) label: Option<String>,
}

/// All expectations.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    sections: Vec<Section>,
}

#[derive(Debug, Default)]
struct Section {
    folders: Vec<String>,
    label: Option<String>,
    columns: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    files: Vec<String>,
    entry: Entry,
}

impl Manifest {
    pub(crate) fn parse(text: &str) -> Self {
        let mut manifest = Self::default();
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                let folders = heading.split(" — ").next().unwrap_or("");
                let folders = folders.split(',').map(|folder| folder.trim().to_owned()).collect();
                manifest.sections.push(Section { folders, ..Section::default() });
            } else if let Some(section) = manifest.sections.last_mut() {
                section.read(line);
            }
        }
        manifest
    }

    /// What is said about a file, given as `folder/name` relative to the manifest.
    pub(crate) fn entry(&self, path: &str) -> Option<Entry> {
        let (folder, _) = path.rsplit_once('/')?;
        let section = self.sections.iter().find(|section| section.folders.iter().any(|other| other == folder))?;
        let row = section.rows.iter().find(|row| row.files.iter().any(|pattern| section.names(pattern, path)));
        let mut entry = row.map_or(Entry { expected: Expected::Open, label: None }, |row| row.entry.clone());
        entry.label = entry.label.or_else(|| section.label.clone());
        Some(entry)
    }

    /// The files with an extension that rows mention by name, each with the folders in which it may be.
    pub(crate) fn mentioned(&self, extension: &str) -> Vec<(String, Vec<String>)> {
        let mut mentioned = Vec::new();
        for section in &self.sections {
            for file in section.rows.iter().flat_map(|row| &row.files) {
                if file.ends_with(extension) && !file.contains('*') {
                    let candidates = section.folders.iter().map(|folder| format!("{folder}/{file}"));
                    mentioned.push((file.clone(), candidates.chain([file.clone()]).collect()));
                }
            }
        }
        mentioned
    }
}

impl Section {
    fn read(&mut self, line: &str) {
        if let Some(row) = line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
            self.read_row(&row.split('|').map(str::trim).collect::<Vec<_>>());
        } else if let Some((_, rest)) = line.split_once("Label: ") {
            let label: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            self.label = Some(label);
        }
    }

    fn read_row(&mut self, cells: &[&str]) {
        if self.columns.is_empty() {
            self.columns = cells.iter().map(ToString::to_string).collect();
            return;
        }
        if cells.iter().all(|cell| cell.chars().all(|c| c == '-' || c == ':')) {
            return;
        }
        let cell = |name: &str| {
            let at = self.columns.iter().position(|column| column == name)?;
            cells.get(at).copied().filter(|cell| !cell.is_empty())
        };
        let asked = cell("question").and_then(|question| question.strip_prefix("label "));
        let label = cell("label").or(asked).map(ToOwned::to_owned);
        let expected = cell("expected").map_or(Expected::Open, Expected::parse);
        let files = cells.first().copied().unwrap_or("").split(", ").flat_map(|files| files.split(" / "));
        let files = files.map(|file| file.trim().to_owned()).collect();
        self.rows.push(Row { files, entry: Entry { expected, label } });
    }

    /// Whether a pattern, relative to a folder of this section or to the manifest, matches a path.
    fn names(&self, pattern: &str, path: &str) -> bool {
        matches(pattern, path) || self.folders.iter().any(|folder| matches(&format!("{folder}/{pattern}"), path))
    }
}

impl Expected {
    fn parse(text: &str) -> Self {
        let starts = |words: [&str; 2]| words.iter().any(|word| text == *word || text.starts_with(&format!("{word} ")));
        if starts(["holds", "not reachable"]) {
            Self::Holds
        } else if starts(["violated", "reachable"]) {
            Self::Violated
        } else {
            Self::Open
        }
    }
}

/// Whether the text is the pattern, in which one `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => {
            text.len() >= before.len() + after.len() && text.starts_with(before) && text.ends_with(after)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Benchmarks

## bp/one — regression suite

| file | expected | label |
|---|---|---|
| A.bp | holds |  |
| B.bp | violated | ERR |

## bp/two — no table; expected: ?

## bp/three — convention: threads. Label: wrong, this is the heading

Convention: `init`. Label: SLIC_ERROR.

| file | expected |
|---|---|
| x_1.bp, x_2.bp | reachable with enough rounds |
| S.bp / T.bp | by their names |
| sat-*.bp | ? |

## bp/four, pds — more

| file | question | expected |
|---|---|---|
| bp/four/lock.bp | label E | not reachable |
| lock.pds | q:err | not reachable |
";

    fn entry(path: &str) -> Option<(Expected, Option<String>)> {
        Manifest::parse(TEXT).entry(path).map(|entry| (entry.expected, entry.label))
    }

    #[test]
    fn rows_sections_and_defaults() {
        let label = |name: &str| Some(name.to_owned());
        assert_eq!(entry("bp/one/A.bp"), Some((Expected::Holds, None)));
        assert_eq!(entry("bp/one/B.bp"), Some((Expected::Violated, label("ERR"))));
        assert_eq!(entry("bp/two/any.bp"), Some((Expected::Open, None)));
        assert_eq!(entry("bp/three/x_2.bp"), Some((Expected::Violated, label("SLIC_ERROR"))));
        assert_eq!(entry("bp/three/T.bp"), Some((Expected::Open, label("SLIC_ERROR"))));
        assert_eq!(entry("bp/three/sat-7.bp"), Some((Expected::Open, label("SLIC_ERROR"))));
        assert_eq!(entry("bp/four/lock.bp"), Some((Expected::Holds, label("E"))));
        assert_eq!(entry("bp/five/x.bp"), None);
    }

    #[test]
    fn files_that_rows_mention() {
        let mentioned = Manifest::parse(TEXT).mentioned(".bp");
        let names: Vec<&str> = mentioned.iter().map(|(file, _)| file.as_str()).collect();
        assert_eq!(names, ["A.bp", "B.bp", "x_1.bp", "x_2.bp", "S.bp", "T.bp", "bp/four/lock.bp"]);
    }

    #[test]
    fn patterns() {
        assert!(matches("a*.bp", "ab.bp") && matches("a.bp", "a.bp"));
        assert!(!matches("ab*b.bp", "ab.bp") && !matches("a*", "b"));
    }
}
