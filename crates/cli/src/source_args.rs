//! How a source is read. The options are made from what the front ends say of theirs, so that no language is named here.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use driver::front::{FrontEnd, FrontOption, FrontOptions, Given, OptionKind, front_end, front_ends};

use crate::quantity;

/// How a source is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceArgs {
    /// The language, if it is given.
    pub(crate) language: Option<&'static FrontEnd>,
    /// What is given for the front end.
    pub(crate) options: FrontOptions,
}

const LANGUAGE: &str = "language";
const HEADING: &str = "Source";

impl Args for SourceArgs {
    fn augment_args(command: Command) -> Command {
        let options = options().into_iter().map(|option| argument(&option).help_heading(HEADING));
        command.arg(language().help_heading(HEADING)).args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SourceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let language = matches.get_one::<String>(LANGUAGE).and_then(|name| front_end(name));
        let given = |options: FrontOptions, option: FrontOption| take(options, &option, matches);
        Ok(Self { language, options: options().into_iter().fold(FrontOptions::default(), given) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options of all front ends, each once.
fn options() -> Vec<FrontOption> {
    let mut options: Vec<FrontOption> = Vec::new();
    for option in front_ends().iter().flat_map(|front| front.options) {
        if !options.iter().any(|known| known.name == option.name) {
            options.push(*option);
        }
    }
    options
}

fn language() -> Arg {
    let dotted = |front: &FrontEnd| front.extensions.iter().map(|it| format!(".{it}")).collect::<Vec<_>>().join(", ");
    let value = |front: &&'static FrontEnd| {
        PossibleValue::new(front.name).help(format!("{} ({})", capitalised(front.title), dotted(front)))
    };
    let extensions: Vec<String> = front_ends().iter().map(|front| dotted(front)).collect();
    Arg::new(LANGUAGE)
        .long(LANGUAGE)
        .value_name("LANGUAGE")
        .value_parser(PossibleValuesParser::new(front_ends().iter().map(value)))
        .help(format!("Language of the file, if not as its extension says ({})", extensions.join(", ")))
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn argument(option: &FrontOption) -> Arg {
    let arg = Arg::new(option.name).long(option.name).short(option.short).help(option.help);
    match option.kind {
        OptionKind::Flag => arg.action(ArgAction::SetTrue),
        OptionKind::Word => arg.value_name(option.value),
        OptionKind::Numbers => arg.value_name(option.value).action(ArgAction::Append).value_parser(quantity::define),
        OptionKind::Choice(words) => {
            let values = words.iter().map(|(word, meaning)| PossibleValue::new(*word).help(*meaning));
            let default = words.first().map(|(word, _)| *word);
            arg.value_name(option.value).value_parser(PossibleValuesParser::new(values)).default_value(default)
        }
    }
}

/// Adds what is given for an option. The first word of a choice says no more than nothing.
fn take(options: FrontOptions, option: &FrontOption, matches: &ArgMatches) -> FrontOptions {
    let name = option.name;
    match option.kind {
        OptionKind::Flag if matches.get_flag(name) => options.with(name, Given::Flag),
        OptionKind::Flag => options,
        OptionKind::Word | OptionKind::Choice(_) => {
            let default = if let OptionKind::Choice(words) = option.kind { words.first() } else { None };
            let given = matches.get_one::<String>(name).filter(|word| default.is_none_or(|(it, _)| it != word));
            given.map_or(options.clone(), |word| options.with_word(name, word))
        }
        OptionKind::Numbers => {
            let numbers = matches.get_many::<(String, i64)>(name).into_iter().flatten();
            numbers.fold(options, |options, (key, value)| options.with(name, Given::Number(key.clone(), *value)))
        }
    }
}
