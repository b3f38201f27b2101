//! Reads the machine's own apt sources, so that set-up fetches from the mirror its owner chose and from no other.

use std::path::Path;

/// A package mirror and the distribution it serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mirror {
    /// The mirror's address, as the sources give it.
    pub(crate) uri: String,
    /// Whether it serves Debian (else Ubuntu, or a relative of one of them).
    pub(crate) is_debian: bool,
}

/// The mirror that serves the running release itself (not its updates, not third parties).
pub(crate) fn mirror(codename: &str) -> Option<Mirror> {
    let folder = Path::new("/etc/apt");
    let listed =
        std::fs::read_dir(folder.join("sources.list.d")).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = std::iter::once(folder.join("sources.list")).chain(listed);
    let uri = files.filter_map(|file| std::fs::read_to_string(file).ok()).find_map(|text| uri_in(&text, codename))?;
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    Some(Mirror { uri, is_debian: release.lines().any(|line| line == "ID=debian") })
}

/// Finds the address whose suites name `codename` itself, in one-line or deb822 text.
fn uri_in(text: &str, codename: &str) -> Option<String> {
    one_line(text, codename).or_else(|| text.split("\n\n").find_map(|stanza| deb822(stanza, codename)))
}

/// `deb [options] URI SUITE COMPONENTS…`
fn one_line(text: &str, codename: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let rest = line.trim().strip_prefix("deb ")?.trim_start();
        let rest = if rest.starts_with('[') { rest.split_once(']')?.1 } else { rest };
        let mut words = rest.split_whitespace();
        let (uri, suite) = (words.next()?, words.next()?);
        (suite == codename).then(|| uri.to_owned())
    })
}

/// A stanza with `URIs:` and `Suites:`; a mirror list (`mirror+…`) names no mirror that other tools can use.
fn deb822(stanza: &str, codename: &str) -> Option<String> {
    let field = |name: &str| stanza.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    field("Types")?.split_whitespace().find(|kind| *kind == "deb")?;
    field("Suites")?.split_whitespace().find(|suite| *suite == codename)?;
    field("URIs")?.split_whitespace().find(|uri| uri.starts_with("http") || uri.starts_with("file:")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_name_the_release_s_own_mirror() {
        let old = "# deb http://old.example/debian bookworm main\n\
                   deb http://security.example/debian-security bookworm-security main\n\
                   deb [signed-by=/x y] http://mirror.example/debian bookworm main contrib\n";
        assert_eq!(uri_in(old, "bookworm").as_deref(), Some("http://mirror.example/debian"));
        let new = "Types: deb\nURIs: http://security.example/debian-security\nSuites: bookworm-security\nComponents: main\n\n\
                   Types: deb deb-src\n# a remark\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: main\n";
        assert_eq!(uri_in(new, "bookworm").as_deref(), Some("http://mirror.example/debian"));
    }

    #[test]
    fn a_third_party_source_is_not_taken_for_the_mirror() {
        assert_eq!(uri_in("deb https://vendor.example/apt cloud-bookworm main\n", "bookworm"), None);
        assert_eq!(uri_in("Types: deb-src\nURIs: http://m.example/debian\nSuites: bookworm\n", "bookworm"), None);
    }
}
