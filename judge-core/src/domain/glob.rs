//! The glob patterns of `submissions.yaml`: `*` within a name, `{a,b}`; no `**`, no classes.
//! (Problem Package Format 2025-09, "Glob patterns".)

/// Alternatives one pattern may expand to.
const ALTERNATIVES_CAP: usize = 256;

/// Whether the pattern matches the path or one of the folders it lies in. The empty pattern matches everything.
#[must_use]
pub fn covers(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_end_matches('/');
    pattern.is_empty() || expand(pattern).iter().any(|plain| covers_plain(plain, path))
}

/// Matches part by part; a path longer than the pattern lies below what it names.
fn covers_plain(pattern: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    pattern.split('/').all(|part| parts.next().is_some_and(|name| matches_name(part.as_bytes(), name.as_bytes())))
}

/// `*` matches any bytes of one name. Linear: on a mismatch only the last star is extended.
fn matches_name(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(byte) if *byte == name[read] => {
                at += 1;
                read += 1;
            }
            Some(_) | None => match &mut star {
                Some((star_at, star_read)) => {
                    *star_read += 1;
                    (at, read) = (*star_at + 1, *star_read);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// The patterns without braces; an unbalanced brace stands for itself.
fn expand(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        match split_braces(&next) {
            Some((before, alternatives, after)) if done.len() + open.len() < ALTERNATIVES_CAP => {
                open.extend(alternatives.iter().rev().map(|alternative| format!("{before}{alternative}{after}")));
            }
            Some(_) | None => done.push(next),
        }
    }
    done
}

/// The first balanced `{a,b}`: what is before, its alternatives, what is after.
fn split_braces(pattern: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = pattern.find('{')?;
    let (mut depth, mut from, mut alternatives) = (0usize, start + 1, Vec::new());
    for (at, byte) in pattern.bytes().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                alternatives.push(&pattern[from..at]);
                from = at + 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    alternatives.push(&pattern[from..at]);
                    return Some((&pattern[..start], alternatives, &pattern[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_patterns() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.cpp", true),
            ("accepted/*", "accepted/a.cpp", true),
            ("accepted/*", "accepted/dir/a.cpp", true),
            ("*", "accepted/a.cpp", true),
            ("*.cpp", "accepted/a.cpp", false),
            ("*/*.cpp", "accepted/a.cpp", true),
            ("accepted/{simple,complex}.py", "accepted/complex.py", true),
            ("accepted/{simple,complex}.py", "accepted/other.py", false),
            ("accepted/a.{py,c{c,pp}}", "accepted/a.cpp", true),
            ("secret/*-easy", "secret/01-easy", true),
            ("secret/*-easy", "secret/g/01-easy", false),
            ("secret/group1", "secret/group10/1", false),
            ("a*b*c", "a__b__b_c", true),
            ("a*b*c", "a__b__b_", false),
            ("x{y", "x{y", true),
            ("", "anything", true),
        ] {
            assert_eq!(covers(pattern, path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn hostile_patterns_end() {
        assert!(!covers(&"*a".repeat(200), &"a".repeat(150)));
        assert!(!covers(&"{a,b}".repeat(64), "c"));
    }
}
