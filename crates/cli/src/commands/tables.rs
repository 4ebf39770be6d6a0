//! Commands that only look something up: `explain`, `completions`, `man`, `schema`; and one that only fails.

use clap::CommandFactory;
use report::json::schema;

use crate::args::{Cli, CompletionsArgs, ExplainArgs, LimitArgs, ManArgs, SchemaArgs, SchemaChoice};
use crate::exit::Exit;
use crate::explain;
use crate::output::{self, Product};
use crate::session::Session;
use crate::talk::{Failure, Talk, did_you_mean};

/// `cauldron explain`.
pub(crate) fn explain(args: &ExplainArgs) -> Result<Exit, Failure> {
    let Some(wanted) = &args.code else {
        output::print(&explain::list())?;
        return Ok(Exit::Holds);
    };
    match explain::find(wanted) {
        Some(text) => output::print(&text).map(|()| Exit::Holds),
        None => {
            let similar = driver::question::similar(wanted, explain::codes());
            let failure = Failure::usage(format!("there is no code `{wanted}`"));
            let help = did_you_mean(&similar).unwrap_or_else(|| "`cauldron explain` lists all codes".to_owned());
            Err(failure.help(help))
        }
    }
}

/// `cauldron completions`.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cauldron", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Holds)
}

/// `cauldron man`.
pub(crate) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        command = found.ok_or_else(|| {
            let failure = Failure::usage(format!("there is no command `{name}`"));
            let similar = driver::question::similar(name, names);
            failure.help(did_you_mean(&similar).unwrap_or_else(|| "see `cauldron --help`".to_owned()))
        })?;
        command = command.display_name(format!("cauldron-{name}"));
    }
    let mut page = Vec::new();
    // Writing to memory cannot fail.
    let _ = clap_mangen::Man::new(command).render(&mut page);
    output::print(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Holds)
}

/// `cauldron schema`.
pub(crate) fn schema(args: &SchemaArgs) -> Result<Exit, Failure> {
    let text = match args.name {
        SchemaChoice::Report => schema::report(),
        SchemaChoice::Trace => schema::trace(),
        SchemaChoice::Coverage => schema::coverage(),
        SchemaChoice::Configurations => schema::configurations(),
    };
    output::print(&text)?;
    Ok(Exit::Holds)
}

/// `cauldron internal-error`: what a defect looks like to the user.
pub(crate) fn internal_error(talk: &Talk) -> Result<Exit, Failure> {
    let no_limits = LimitArgs { timeout: None, memory: None, max_steps: None, max_depth: None };
    Session::start(talk, &no_limits).deliver(|_| {
        let is_on_purpose = true;
        assert!(!is_on_purpose, "on purpose");
        Ok(Product::text(Exit::Internal, ""))
    })
}
