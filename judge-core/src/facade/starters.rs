//! The problems that come with the program: an empty catalogue gets four of them, so that the first start shows something.

use std::path::{Path, PathBuf};

use super::Judge;

/// A warm-up, then easy, medium, hard; each states its time limit, so that no engine is needed to take them in.
const STARTERS: [&str; 4] = ["stucktill", "shiftlock", "kiln", "lanternrope"];
/// Names the folder of the packages directly; otherwise it is looked for.
const VARIABLE: &str = "AGON_PROBLEMS";

impl Judge {
    /// Takes in the starter problems if no problem was ever imported; answers how many. What is not there or cannot be
    /// taken in is left out: the first start must not fail for an example.
    pub async fn import_starters(&self) -> usize {
        let Some(folder) = problems_folder() else { return 0 };
        match self.is_catalog_empty().await {
            Ok(true) => {}
            Ok(false) => return 0,
            Err(error) => {
                tracing::warn!(%error, "the catalogue could not be looked at; no starter problems are imported");
                return 0;
            }
        }
        let mut imported = 0;
        for slug in STARTERS {
            match self.import_own(&folder.join(slug)).await {
                Ok(_) => imported += 1,
                Err(error) => tracing::warn!(slug, %error, "a starter problem was not imported"),
            }
        }
        imported
    }
}

/// `AGON_PROBLEMS`, else `problems` beside the running program, else the one of the workspace whose `target` it lies in.
fn problems_folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(folder)).filter(|folder| folder.is_dir());
    }
    look_near(&std::env::current_exe().ok()?)
}

fn look_near(program: &Path) -> Option<PathBuf> {
    let beside = program.with_file_name("problems");
    if beside.is_dir() {
        return Some(beside);
    }
    let target = program.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    Some(target.with_file_name("problems")).filter(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_lie_beside_an_installed_program_or_in_the_workspace_of_a_built_one() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let installed = root.path().join("opt/agon");
        let built = root.path().join("w/target/debug/agon");
        assert_eq!(look_near(&installed), None);
        for folder in ["opt/problems", "w/problems"] {
            std::fs::create_dir_all(root.path().join(folder)).expect("made");
        }
        assert_eq!(look_near(&installed), Some(root.path().join("opt/problems")));
        assert_eq!(look_near(&built), Some(root.path().join("w/problems")));
    }

    #[test]
    fn the_workspace_has_every_starter() {
        let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("../problems");
        for slug in STARTERS {
            let yaml = std::fs::read_to_string(problems.join(slug).join("problem.yaml")).expect("the package is there");
            assert!(yaml.contains("time_limit:"), "{slug} must state its time limit");
        }
    }
}
