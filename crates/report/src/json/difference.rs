//! What a document says, beside what is so.

use serde_json::Value;

use crate::visible::abridged;

/// Characters of a value that are shown.
const LONGEST: usize = 80;

/// The first place at which a claimed document differs from the true one, in words; `at` is where both of them stand.
#[must_use]
pub fn difference(at: &str, claimed: &Value, truth: &Value) -> Option<String> {
    match (claimed, truth) {
        (Value::Object(claims), Value::Object(truths)) => {
            let wrong = |(key, claimed): (&String, &Value)| {
                difference(&format!("{at}.{key}"), claimed, truths.get(key).unwrap_or(&Value::Null))
            };
            let unsaid = |(key, truth): (&String, &Value)| {
                let is_unsaid = !claims.contains_key(key) && !truth.is_null();
                is_unsaid.then(|| said(&format!("{at}.{key}"), &Value::Null, truth))
            };
            claims.iter().find_map(wrong).or_else(|| truths.iter().find_map(unsaid))
        }
        (Value::Array(claims), Value::Array(truths)) if claims.len() == truths.len() => {
            let mut pairs = claims.iter().zip(truths).enumerate();
            pairs.find_map(|(place, (claimed, truth))| difference(&format!("{at}[{place}]"), claimed, truth))
        }
        _ => (claimed != truth).then(|| said(at, claimed, truth)),
    }
}

fn said(at: &str, claimed: &Value, truth: &Value) -> String {
    let show = |value: &Value| match value {
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        other => abridged(&other.to_string(), LONGEST).into_owned(),
    };
    format!("`{}` is {} in the file, but should be {}", abridged(at, LONGEST), show(claimed), show(truth))
}

#[cfg(test)]
mod tests {
    use super::difference;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named() {
        let truth = json!({"a": [1, {"b": null, "c": "x"}], "d": 0});
        let said = |claimed| difference("t", &claimed, &truth);
        assert_eq!(said(truth.clone()), None);
        assert_eq!(said(json!({"a": [1, {"c": "x"}], "d": 0})), None);
        let wrong = |claimed, expected: &str| assert_eq!(said(claimed).as_deref(), Some(expected));
        wrong(json!({"a": [1, {"c": "y"}], "d": 0}), "`t.a[1].c` is \"y\" in the file, but should be \"x\"");
        wrong(json!({"a": [1], "d": 0}), "`t.a` is a list of 1 in the file, but should be a list of 2");
        wrong(json!({"a": [1, {"c": "x"}]}), "`t.d` is null in the file, but should be 0");
        wrong(json!({"a": [1, {"c": "x"}], "d": 0, "e": 1}), "`t.e` is 1 in the file, but should be null");
    }
}
