//! Reads `Cargo.lock`: a tool that must match a library exactly takes its version from there, and from nowhere else.

use std::path::Path;

use crate::failure::Failure;

/// The locked version of a package.
pub(crate) fn version_of(package: &str, root: &Path) -> Result<String, Failure> {
    let path = root.join("Cargo.lock");
    let text = std::fs::read_to_string(&path).map_err(|source| Failure::file("cannot read", &path, &source))?;
    version_in(&text, package).ok_or_else(|| Failure::new(format!("{package} is not in Cargo.lock")))
}

fn version_in(text: &str, package: &str) -> Option<String> {
    let lock: toml::Table = text.parse().ok()?;
    let found = lock.get("package")?.as_array()?.iter().find(|entry| entry["name"].as_str() == Some(package))?;
    Some(found["version"].as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package_with_exactly_this_name() {
        let text = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(text, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(text, "wasm"), None);
    }
}
