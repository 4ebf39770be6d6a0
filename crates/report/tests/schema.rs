//! The published schemas are those of the types. To renew them: `cauldron schema NAME > docs/schema/...`.

use std::path::PathBuf;

#[test]
fn the_published_schemas_are_current() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let schemas = [
        ("cauldron-report-1.json", report::json::schema::report()),
        ("cauldron-trace-1.json", report::json::schema::trace()),
        ("cauldron-coverage-1.json", report::json::schema::coverage()),
        ("cauldron-configurations-1.json", report::json::schema::configurations()),
    ];
    for (name, current) in schemas {
        let published = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(published == current, "docs/schema/{name} is not current");
    }
}
