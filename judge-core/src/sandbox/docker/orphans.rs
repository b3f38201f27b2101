//! Finds what a crashed instance left: boxes by their labels, folders by their locks.
//!
//! A box whose instance lives is never touched, whoever asks. A supervisor ends with its judge, so a box that still
//! runs and whose instance folder cannot be seen from here belongs to somebody whose files we do not see.

use std::collections::HashMap;
use std::path::Path;

use super::create::{BOX_LABEL, INSTANCE_LABEL};
use super::engine::Engine;
use super::folder::{InstanceFolder, instance_is_gone};
use crate::sandbox::SandboxError;

/// Removes orphaned boxes of any instance of this machine, then the orphaned folders beside ours.
///
/// What can be removed is removed whatever happens to the rest.
///
/// # Errors
/// The engine's, when it cannot list or remove; what is left is then worth another sweep.
pub(super) async fn sweep(engine: &Engine, own: &InstanceFolder) -> Result<usize, SandboxError> {
    // All are judged before the first is removed: a box is told an orphan by its instance's folder, which goes with
    // the first box of that instance.
    let orphans: Vec<_> = engine
        .list(BOX_LABEL)
        .await?
        .into_iter()
        .filter_map(|container| {
            let labels = container.labels.unwrap_or_default();
            let running = container.state.is_some_and(|state| state.to_string() == "running");
            is_orphan(&labels, running, own.path()).then_some((container.id?, labels))
        })
        .collect();
    let mut removed = 0;
    let mut failed = None;
    for (id, _) in &orphans {
        match engine.remove(id).await {
            Ok(()) => removed += 1,
            Err(error) => failed = Some(error),
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    for (_, labels) in &orphans {
        remove_instance(labels);
    }
    sweep_folders(own.path());
    Ok(removed)
}

fn is_orphan(labels: &HashMap<String, String>, running: bool, own: &Path) -> bool {
    let Some(instance) = labels.get(INSTANCE_LABEL).map(Path::new) else { return false };
    if instance == own {
        return false;
    }
    if instance.exists() { instance_is_gone(instance) } else { !running }
}

/// The folder of a dead instance may lie anywhere: a throw-away store, a test. It is recognised before it is removed.
fn remove_instance(labels: &HashMap<String, String>) {
    let Some(instance) = labels.get(INSTANCE_LABEL).map(Path::new) else { return };
    let is_ours = instance.join("lock").is_file() && instance.join("supervisor").is_file();
    if is_ours && instance_is_gone(instance) {
        remove(instance);
    }
}

fn remove(folder: &Path) {
    if let Err(error) = std::fs::remove_dir_all(folder) {
        tracing::warn!(%error, "an orphaned work folder could not be removed");
    }
}

/// Folders beside ours whose lock nobody holds. An instance's folder has its lock before it has its name, so one without
/// is what an interrupted removal left.
fn sweep_folders(own: &Path) {
    let Some(entries) = own.parent().and_then(|root| std::fs::read_dir(root).ok()) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours = path.join("lock").is_file() || is_instance_name(&entry.file_name().to_string_lossy());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if path != own && is_folder && is_ours && instance_is_gone(&path) {
            remove(&path);
        }
    }
}

/// Instances are named by ids.
fn is_instance_name(name: &str) -> bool {
    name.len() == 36 && name.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use agon_supervisor::wire::PROGRAM_MARK;

    use super::*;

    fn labels(instance: &Path) -> HashMap<String, String> {
        HashMap::from([(INSTANCE_LABEL.to_owned(), instance.to_string_lossy().into_owned())])
    }

    fn instance(root: &Path, name: &str) -> InstanceFolder {
        let program = root.join("program");
        std::fs::write(&program, PROGRAM_MARK).expect("written");
        InstanceFolder::create(&root.join("work"), name, &program).expect("an instance folder")
    }

    #[test]
    fn only_boxes_without_a_living_instance_are_orphans() {
        let root = tempfile::tempdir().expect("a temp folder");
        let own = instance(root.path(), "own");
        let other = instance(root.path(), "other");
        let absent = root.path().join("absent");
        assert!(!is_orphan(&labels(own.path()), true, own.path()), "our own");
        assert!(!is_orphan(&labels(other.path()), false, own.path()), "a living instance's");
        assert!(!is_orphan(&labels(&absent), true, own.path()), "running for somebody we cannot see");
        assert!(is_orphan(&labels(&absent), false, own.path()));
        assert!(!is_orphan(&HashMap::new(), false, own.path()), "not made by us");
    }

    #[test]
    fn a_dead_instances_folder_goes_and_a_living_ones_stays() {
        let root = tempfile::tempdir().expect("a temp folder");
        let own = instance(root.path(), "own");
        let living = instance(root.path(), "living");
        let dead = root.path().join("work/dead");
        std::fs::create_dir_all(dead.join("box")).expect("made");
        std::fs::write(dead.join("lock"), "").expect("written");
        let elsewhere = root.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).expect("made");
        std::fs::write(elsewhere.join("lock"), "").expect("written");
        remove_instance(&labels(&elsewhere));
        assert!(elsewhere.exists(), "not recognised as an instance's folder");
        std::fs::write(elsewhere.join("supervisor"), "").expect("written");
        remove_instance(&labels(&elsewhere));
        remove_instance(&labels(living.path()));
        assert!(!elsewhere.exists());
        let foreign = root.path().join("work/foreign");
        std::fs::create_dir(&foreign).expect("made");
        assert!(is_orphan(&labels(&dead), true, own.path()));
        sweep_folders(own.path());
        assert!(!dead.exists());
        assert!(living.path().exists() && own.path().exists() && foreign.exists());
    }

    /// Once its lock was gone, nobody ever came back for the rest.
    #[test]
    fn what_an_interrupted_removal_left_goes_and_what_is_no_instance_stays() {
        let root = tempfile::tempdir().expect("a temp folder");
        let own = instance(root.path(), "own");
        let left = root.path().join("work").join(crate::ids::new_id());
        std::fs::create_dir_all(left.join("box/work")).expect("made");
        let foreign = root.path().join("work/somebodys");
        std::fs::create_dir(&foreign).expect("made");
        sweep_folders(own.path());
        assert!(!left.exists());
        assert!(foreign.exists() && own.path().exists());
    }
}
