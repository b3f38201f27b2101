//! Writes Tauri's permission manifest from the contract's one list of commands.

use std::path::Path;

use agon_contract::{COMMAND_NAMES, SESSION_COMMAND_NAMES};

/// Commands that only a window has.
const WINDOW_COMMANDS: &[&str] = &["pick_folder", "pick_package", "pick_source"];

fn main() {
    place_interface(Path::new("../ui/dist"));
    // The manifest lives as long as the build script; Tauri asks for a 'static slice.
    let commands: Vec<&'static str> = [COMMAND_NAMES, SESSION_COMMAND_NAMES, WINDOW_COMMANDS].concat();
    let manifest = tauri_build::AppManifest::new().commands(commands.leak());
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest))
        .expect("tauri.conf.json and capabilities/ must name existing commands and permissions");
}

/// `generate_context!` needs the interface's folder to exist. An unbuilt one gets a page that says what is missing.
fn place_interface(dist: &Path) {
    println!("cargo:rerun-if-changed={}", dist.display());
    let index = dist.join("index.html");
    if !index.exists() {
        std::fs::create_dir_all(dist).expect("the ui folder can be written");
        let page = include_str!("../headless/interface-missing.html");
        std::fs::write(&index, page).expect("the ui folder can be written");
    }
}
