//! The list of front ends. What a front end is, `question::front` says.

use std::path::Path;

use question::Writing;
pub use question::front::{Content, Format, FrontEnd, FrontOption, FrontOptions, Given, LINT, Lowered, OptionKind};

/// All front ends. A file that none of them recognises is read by the first.
#[must_use]
pub fn front_ends() -> &'static [&'static FrontEnd] {
    static ALL: [&FrontEnd; 4] = [&front_bp::FRONT_END, &front_pds::PDS, &front_pds::REMOPLA, &MODEL];
    &ALL
}

/// The text form of the program model.
pub static MODEL: FrontEnd = FrontEnd {
    name: "model",
    title: "the text form of the program model",
    extensions: &["cauldron"],
    content: Content::Text,
    recognises: |bytes| [&b"procedure "[..], b"shared ", b"private "].iter().any(|word| bytes.starts_with(word)),
    smallest: "a program has at least a thread and its procedure; `cauldron fmt --model FILE` shows an example",
    options: &[LINT],
    foreign_option: program::text::OPTION,
    codes: program::text::CODES,
    read: |sources, file, _| {
        let (program, origins) = program::text::parse(sources.text(file))?;
        Ok(Lowered::new(program, origins, Writing::default()))
    },
    format: Some(|source| Ok(program::text::print(&program::text::parse(source)?.0))),
};

/// The front end of a name.
#[must_use]
pub fn front_end(name: &str) -> Option<&'static FrontEnd> {
    front_ends().iter().copied().find(|front| front.name == name)
}

/// The front end of a list that a file is for: as its extension says, else as its content says, else the first.
#[must_use]
pub fn recognise<'f>(front_ends: &[&'f FrontEnd], path: &Path, content: &[u8]) -> Option<&'f FrontEnd> {
    let by_name = front_ends.iter().find(|front| front.has_extension(path));
    let by_content = || front_ends.iter().find(|front| (front.recognises)(content));
    by_name.or_else(by_content).or(front_ends.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_are_unique_and_options_agree() {
        for (at, front) in front_ends().iter().enumerate() {
            for other in &front_ends()[..at] {
                assert_ne!(front.name, other.name);
                assert!(front.extensions.iter().all(|it| !other.extensions.contains(it)), "{}", front.name);
                for option in front.options {
                    let same = other
                        .options
                        .iter()
                        .filter(|it| it.name == option.name || it.short == option.short.or(Some(' ')));
                    same.for_each(|it| assert_eq!(it, option, "{}", front.name));
                }
            }
            assert!(front.codes.iter().any(|code| code.code == front.foreign_option), "{}", front.name);
            assert_eq!(front_end(front.name).map(|it| it.name), Some(front.name));
        }
    }

    #[test]
    fn a_file_is_recognised_by_its_extension_then_by_its_content() {
        let name = |path: &str, text: &str| {
            recognise(front_ends(), Path::new(path), text.as_bytes()).map_or("", |front| front.name)
        };
        assert_eq!(name("x.rem", "(q <main>)"), "rem");
        assert_eq!(name("-", "(q <main>)"), "pds");
        assert_eq!(name("x.txt", "module void main() { skip; }"), "rem");
        assert_eq!(name("-", "procedure main() { }"), "model");
        assert_eq!(name("-", "void main() begin skip; end"), "bp");
    }
}
