//! Durations and sizes as people write them: `2s`, `1h30m`, `200M`, `4GiB`.

use std::time::Duration;

/// Reads a duration: numbers with the units `ms`, `s`, `m`, `h`, one after the other; a bare number means seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a duration such as `500ms`, `2s`, `10m` or `1h30m`".to_owned();
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let (number, unit, after) = split(rest).ok_or_else(wrong)?;
        let seconds = match unit {
            "ms" => number / 1_000.0,
            "s" | "sec" => number,
            "" if rest.len() == text.trim().len() && after.is_empty() => number,
            "m" | "min" => number * 60.0,
            "h" => number * 3_600.0,
            _ => return Err(wrong()),
        };
        let part = Duration::try_from_secs_f64(seconds).map_err(|_| "the duration is too long".to_owned())?;
        total = total.checked_add(part).ok_or_else(|| "the duration is too long".to_owned())?;
        rest = after;
    }
    Ok(total)
}

/// Reads a number of bytes: `K`, `M`, `G`, `T` count in thousands, `KiB` and so on in 1024s; a bare number is bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as `200M`, `4G` or `4GiB`".to_owned();
    let (number, unit, after) = split(text.trim()).ok_or_else(wrong)?;
    let unit = unit.to_ascii_lowercase();
    let scale: f64 = match unit.as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => f64::from(1u32 << 10),
        "mib" => f64::from(1u32 << 20),
        "gib" => f64::from(1u32 << 30),
        "tib" => f64::from(1u32 << 30) * 1024.0,
        _ => return Err(wrong()),
    };
    let total = number * scale;
    if !after.is_empty() || total < 1.0 {
        return Err(wrong());
    }
    if total >= u64::MAX as f64 { Err("the size is too large".to_owned()) } else { Ok(total as u64) }
}

/// A number, the letters after it, and the rest.
fn split(text: &str) -> Option<(f64, &str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..digits].parse().ok()?;
    let after = &text[digits..];
    let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
    Some((number, &after[..letters], &after[letters..]))
}

/// A duration for people: `3 ms`, `2.5 s`, `1 min 30 s`.
pub(crate) fn show_duration(duration: Duration) -> String {
    let (millis, seconds) = (duration.as_millis(), duration.as_secs_f64());
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..10_000 => format!("{seconds:.1} s"),
        10_000..60_000 => format!("{seconds:.0} s"),
        60_000..3_600_000 => format!("{} min {:02} s", millis / 60_000, millis / 1_000 % 60),
        _ => format!("{} h {:02} min", millis / 3_600_000, millis / 60_000 % 60),
    }
}

/// The value of a parameter: `k=3`.
pub(crate) fn parameter(text: &str) -> Result<(String, u64), String> {
    let read = text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
    match read {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value)),
        _ => Err("expected a name and a number, such as k=3".to_owned()),
    }
}

/// The value of a define: `N=3`.
pub(crate) fn define(text: &str) -> Result<(String, i64), String> {
    let read = text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
    match read {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value)),
        _ => Err("expected a name and a number, such as N=3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let seconds = |text| duration(text).map(|duration| duration.as_secs_f64());
        assert_eq!(seconds("2s"), Ok(2.0));
        assert_eq!(seconds("90"), Ok(90.0));
        assert_eq!(seconds("0.5s"), Ok(0.5));
        assert_eq!(seconds("250ms"), Ok(0.25));
        assert_eq!(seconds("10m"), Ok(600.0));
        assert_eq!(seconds("1h30m"), Ok(5_400.0));
        for wrong in ["", "s", "2x", "-1s", "1 2", "2s3", "1..2s", "٣s", "1e9999h", &"9".repeat(400)] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes("200M"), Ok(200_000_000));
        assert_eq!(bytes("4g"), Ok(4_000_000_000));
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("1.5KB"), Ok(1_500));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "M", "0", "-1G", "4Q", "4G4", "99999999T", "4 G x"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_shown_is_short() {
        let shown = [3, 2_500, 12_000, 90_000, 5_400_000].map(|millis| show_duration(Duration::from_millis(millis)));
        assert_eq!(shown, ["3 ms", "2.5 s", "12 s", "1 min 30 s", "1 h 30 min"]);
    }
}
