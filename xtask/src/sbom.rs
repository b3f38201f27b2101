//! The bill of materials of what is shipped, in CycloneDX JSON, by cargo-cyclonedx.

use std::fs;
use std::process::Command;

use crate::command;
use crate::failure::Failure;
use crate::place::{self, Place};
use crate::say;
use crate::setup;

/// The generator writes beside each manifest under this name; from there it moves to `artifacts/sbom/`.
const NAME: &str = "agon-sbom";
/// What is shipped: the two programs, the interface and the supervisor.
const SHIPPED: [(&str, &str); 4] = [
    ("headless", "x86_64-unknown-linux-gnu"),
    ("src-tauri", "x86_64-unknown-linux-gnu"),
    ("supervisor", "x86_64-unknown-linux-gnu"),
    ("ui", "wasm32-unknown-unknown"),
];

/// Writes one file per shipped part to `artifacts/sbom/`.
pub(crate) fn write(place: &Place) -> Result<(), Failure> {
    let folder = place.artifacts().join("sbom");
    place::make(&folder)?;
    let tool = setup::tool("cargo-cyclonedx", place)?;
    for (part, target) in SHIPPED {
        let manifest = place.root.join(part).join("Cargo.toml");
        let mut generate = Command::new(&tool);
        generate.current_dir(&place.root).args(["cyclonedx", "--format", "json", "--spec-version", "1.5"]);
        generate.args(["--target", target, "--override-filename", NAME, "--manifest-path"]);
        let made = command::output(generate.arg(&manifest));
        // It writes into every member of the workspace, whichever manifest it is given.
        let found = collect(place, part, &folder.join(format!("{part}.cdx.json")));
        made?;
        say::line(&format!("sbom: artifacts/sbom/{part}.cdx.json, {} components", found?));
    }
    Ok(())
}

/// Keeps the wanted part's file, removes the others; answers with the number of components.
fn collect(place: &Place, part: &str, to: &std::path::Path) -> Result<usize, Failure> {
    let mut text = None;
    for entry in
        fs::read_dir(&place.root).map_err(|source| Failure::file("cannot read", &place.root, &source))?.flatten()
    {
        let file = entry.path().join(format!("{NAME}.json"));
        if entry.file_name() == part {
            text = fs::read_to_string(&file).ok();
        }
        // Most folders have none.
        let _ = fs::remove_file(&file);
    }
    let text = text.ok_or_else(|| Failure::new(format!("cargo-cyclonedx wrote nothing for {part}")))?;
    let components = components(&text)?;
    fs::write(to, text).map_err(|source| Failure::file("cannot write", to, &source))?;
    Ok(components)
}

/// The number of components; a bill without any is not one.
fn components(text: &str) -> Result<usize, Failure> {
    let bill: serde_json::Value = serde_json::from_str(text)
        .map_err(|source| Failure::new(format!("the bill of materials is not JSON: {source}")))?;
    let count = bill["components"].as_array().map_or(0, Vec::len);
    if bill["bomFormat"] != "CycloneDX" || count == 0 {
        return Err(Failure::new("the bill of materials lists nothing"));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_bill_is_refused() {
        assert!(components("{\"bomFormat\":\"CycloneDX\",\"components\":[]}").is_err());
        assert!(components("{\"components\":[{}]}").is_err());
        assert_eq!(components("{\"bomFormat\":\"CycloneDX\",\"components\":[{}]}").expect("one is listed"), 1);
    }
}
