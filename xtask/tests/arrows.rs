//! The doors between the rooms of the house: who may depend on whom.
//!
//! Arrows go down only. The table is that of ARCHITECTURE.md; a crate that is not in it fails the test, and so does an
//! arrow that does not go down unless it is listed as an exception.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// The layer of each package, from the ground up.
const LAYERS: &[(&str, u32)] = &[
    ("base", 0),
    ("text", 0),
    ("bdd", 0),
    ("arith", 0),
    ("program", 1),
    ("property", 1),
    ("front-bp", 2),
    ("front-pds", 2),
    ("question", 2),
    ("calculus", 2),
    ("mucke", 2),
    ("encode", 3),
    ("witness", 4),
    ("transform", 5),
    ("engine", 5),
    ("driver", 6),
    ("workbench", 6),
    ("report", 7),
    ("cli", 7),
    // Not part of the house: tools of those who build it.
    ("bench", 8),
    ("xtask", 8),
];

/// Arrows within a layer, each with its reason.
const SIDEWAYS: &[(&str, &str, &str)] = &[
    ("text", "base", "mistakes in a text are diagnostics with places in a source"),
    ("arith", "base", "searches have a budget"),
    ("mucke", "calculus", "a language of the calculus is solved by it"),
    ("front-bp", "question", "a front end says how its language writes values"),
    ("front-pds", "question", "a front end says how its language writes values, and computes with the same terms"),
    ("engine", "transform", "removing `init` is a rewriting that needs an engine"),
    ("workbench", "driver", "the cross-checker runs whole checks"),
    ("cli", "report", "the command line writes what reports render"),
];

/// Libraries that only some packages may name, by the beginning of their names.
const RESERVED: &[(&str, &[&str])] = &[("oxidd", &["bdd"]), ("anyhow", &["cli"]), ("clap", &["cli"])];

/// What the rooms above the facade may name of the house. All of it but the facade is values; a value of another room is
/// taken from `driver`.
const ABOVE_THE_FACADE: &[(&str, &[&str])] = &[
    ("report", &["base", "program", "property", "question", "driver"]),
    ("cli", &["base", "program", "property", "driver", "workbench", "report", "front-bp", "front-pds"]),
];

/// A package of the workspace with what it depends on, in tests as well.
struct Package {
    name: String,
    internal: Vec<String>,
    external: Vec<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    list(&metadata, "packages").iter().map(package).collect()
}

fn package(value: &Value) -> Package {
    let (internal, external) =
        list(value, "dependencies").iter().partition::<Vec<&Value>, _>(|dependency| dependency["path"].is_string());
    Package {
        name: name(value),
        internal: internal.into_iter().map(name).collect(),
        external: external.into_iter().map(name).collect(),
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().expect("cargo writes lists")
}

fn name(value: &Value) -> String {
    value["name"].as_str().expect("packages have names").to_owned()
}

fn faults(packages: &[Package]) -> Vec<String> {
    let layers: BTreeMap<&str, u32> = LAYERS.iter().copied().collect();
    let mut faults = Vec::new();
    for package in packages {
        let Some(from) = layers.get(package.name.as_str()) else {
            faults.push(format!("`{}` is in no layer", package.name));
            continue;
        };
        for target in &package.internal {
            let down = layers.get(target.as_str()).is_some_and(|to| to < from);
            let allowed = SIDEWAYS.iter().any(|(source, to, _)| *source == package.name && to == target);
            if !down && !allowed {
                faults.push(format!("`{}` must not depend on `{target}`", package.name));
            }
        }
        if let Some((_, known)) = ABOVE_THE_FACADE.iter().find(|(name, _)| *name == package.name) {
            let below = package.internal.iter().filter(|target| !known.contains(&target.as_str()));
            faults.extend(below.map(|target| format!("`{}` goes round the facade to `{target}`", package.name)));
        }
        for (prefix, users) in RESERVED {
            let names = package.external.iter().any(|library| library.starts_with(prefix));
            if names && !users.contains(&package.name.as_str()) {
                faults.push(format!("`{}` must not name `{prefix}`", package.name));
            }
        }
    }
    faults
}

#[test]
fn arrows_go_down() {
    let packages = packages();
    assert!(packages.len() > 10, "the workspace was read");
    assert_eq!(faults(&packages), Vec::<String>::new());
}

#[test]
fn wrong_arrows_are_found() {
    let package = |name: &str, internal: &[&str], external: &[&str]| Package {
        name: name.to_owned(),
        internal: internal.iter().map(ToString::to_string).collect(),
        external: external.iter().map(ToString::to_string).collect(),
    };
    let wrong = [
        package("program", &["base", "bdd", "engine"], &[]),
        package("transform", &["engine"], &["oxidd-core"]),
        package("newcomer", &[], &[]),
        package("workbench", &["driver", "report"], &["anyhow"]),
        package("report", &["driver", "engine"], &[]),
    ];
    let expected = [
        "`program` must not depend on `engine`",
        "`transform` must not depend on `engine`",
        "`transform` must not name `oxidd`",
        "`newcomer` is in no layer",
        "`workbench` must not depend on `report`",
        "`workbench` must not name `anyhow`",
        "`report` goes round the facade to `engine`",
    ];
    assert_eq!(faults(&wrong), expected);
}
