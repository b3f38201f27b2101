//! Makes sure that there is an interface to embed: the built one, or a page that says what is missing.

use std::path::Path;

fn main() {
    let dist = Path::new("../ui/dist");
    println!("cargo:rerun-if-changed={}", dist.display());
    let index = dist.join("index.html");
    if !index.exists() {
        std::fs::create_dir_all(dist).expect("the ui folder can be written");
        std::fs::write(&index, include_str!("interface-missing.html")).expect("the ui folder can be written");
    }
}
