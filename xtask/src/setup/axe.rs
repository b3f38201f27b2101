//! axe-core, which looks at every screen in the browser stories: fetched by npm, checked against its known hash, and
//! kept in the cache. It is no dependency of anything that is built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::{self, Place};
use crate::step::{Found, Step};

const VERSION: &str = "4.14.1";
/// Of `axe.min.js` in the package of this version.
const SCRIPT_SHA256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";
const FETCH_LIMIT: Duration = Duration::from_secs(180);

/// Step `axe`.
pub(super) struct Axe;

/// Where the script is kept, whether it is there or not.
pub(crate) fn script(place: &Place) -> PathBuf {
    place.cache.join(format!("axe-core-{VERSION}/axe.min.js"))
}

fn sha256_of(file: &Path) -> Result<String, Failure> {
    let bytes = fs::read(file).map_err(|source| Failure::file("cannot read", file, &source))?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Step for Axe {
    fn name(&self) -> &'static str {
        "axe"
    }

    fn does(&self) -> String {
        "fetching it from npm".into()
    }

    fn look(&self, place: &Place, _: &Machine) -> Result<Found, Failure> {
        let script = script(place);
        if !script.is_file() {
            return Ok(Found::Missing(format!("axe-core {VERSION} is missing")));
        }
        let found = sha256_of(&script)?;
        Ok(if found == SCRIPT_SHA256 {
            Found::Done(format!("{VERSION}, {}", script.display()))
        } else {
            Found::Missing(format!("{} has the hash {found} instead of {SCRIPT_SHA256}", script.display()))
        })
    }

    fn perform(&self, place: &Place, _: &Machine) -> Result<(), Failure> {
        let work = place.cache.join("work/axe");
        place::remove(&work)?;
        place::make(&work)?;
        let mut npm = Command::new("npm");
        npm.current_dir(&work).args(["pack", "--silent"]).arg(format!("axe-core@{VERSION}"));
        command::logged(&mut npm, &place.logs().join("axe.log"), FETCH_LIMIT)?;
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(work.join(format!("axe-core-{VERSION}.tgz"))).arg("-C").arg(&work);
        command::output(tar.arg("package/axe.min.js"))?;
        let fetched = work.join("package/axe.min.js");
        let hash = sha256_of(&fetched)?;
        if hash != SCRIPT_SHA256 {
            return Err(Failure::new(format!("npm gave an axe.min.js with the hash {hash}, not {SCRIPT_SHA256}")));
        }
        let kept = script(place);
        place::make(kept.parent().unwrap_or(&place.cache))?;
        fs::rename(&fetched, &kept).map_err(|source| Failure::file("cannot write", &kept, &source))?;
        place::remove(&work)
    }

    fn remedy(&self, _: &Machine) -> String {
        format!("check that npm reaches its registry (npm view axe-core@{VERSION}); without npm: apt install npm")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_is_not_the_known_one_is_fetched_again() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let place = Place { root: PathBuf::new(), target: PathBuf::new(), cache: folder.path().to_path_buf() };
        let machine = Machine { is_root: false, codename: String::new(), mirror: None };
        let missing = |place: &Place| match Axe.look(place, &machine).expect("it can look") {
            Found::Missing(what) => what,
            Found::Done(what) => panic!("nothing is there, but: {what}"),
        };
        assert!(missing(&place).contains("is missing"));
        let kept = script(&place);
        fs::create_dir_all(kept.parent().expect("it lies in a folder")).expect("made");
        fs::write(&kept, "alert('hello')").expect("written");
        assert!(missing(&place).contains("instead of"));
    }
}
