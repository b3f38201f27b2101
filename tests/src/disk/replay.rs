//! Many disks from one recording, each opened by the judge and held to its promises.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};

use super::model::write_tree;
use super::record::{Change, Record};
use super::{Disk, Survival};
use crate::promises::{self, Ledger, Promise};
use crate::seed::Dice;

/// Disks looked at in parallel.
const CHECKERS: usize = 2;

/// A recorded run: what happened to its disk, and what was promised when.
#[derive(Debug)]
pub struct Recording {
    root: PathBuf,
    data_below_root: PathBuf,
    changes: Vec<Change>,
    ledger: Ledger,
    /// Promises with the position of their answer in the record, in its order.
    promised: Vec<(usize, Promise)>,
}

/// A disk to look at: how it came about, where it was written, how many promises it must keep.
struct Left {
    story: String,
    folder: PathBuf,
    promises: usize,
}

impl Recording {
    /// Reads what the shim wrote about `root` while clients wrote `ledger`. Every program has ended.
    ///
    /// # Panics
    /// An answer did not leave through the shim.
    #[must_use]
    pub fn new(root: &Path, data: &Path, log: &Path, ledger: Ledger) -> Self {
        let record = Record::read(log);
        let answers = record.answers();
        let position = |promise: &Promise| *answers.get(&promise.port).expect("every answer left through a socket");
        let mut promised: Vec<(usize, Promise)> =
            ledger.promises.iter().map(|promise| (position(promise), promise.clone())).collect();
        promised.sort_by_key(|(position, _)| *position);
        let data_below_root = data.strip_prefix(root).expect("data lies below the root").to_owned();
        Self { root: root.to_owned(), data_below_root, changes: record.changes, ledger, promised }
    }

    #[must_use]
    pub fn changes(&self) -> usize {
        self.changes.len()
    }

    #[must_use]
    pub fn promises(&self) -> usize {
        self.promised.len()
    }

    /// The record is of use only if it tells everything: played to its end it must give the very files that are there.
    ///
    /// # Panics
    /// A file differs.
    pub fn assert_complete(&self) {
        let mut disk = Disk::new(&self.root, &[], 0);
        self.changes.iter().for_each(|change| disk.play(change));
        let files = disk.live().into_iter().filter_map(|(path, content)| Some((path, content?)));
        let mut count = 0;
        for (path, content) in files {
            let real = std::fs::read(self.root.join(&path)).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            assert!(real == content, "{path:?} differs: {} bytes, {} recorded", real.len(), content.len());
            count += 1;
        }
        assert!(count > 3, "{count} files are too few to be a data folder");
    }

    /// Moments to cut at: just after an answer left, where a promise is youngest, and anywhere.
    fn moments(&self, count: usize, dice: &mut Dice) -> Vec<usize> {
        let mut moments: Vec<usize> = (0..count)
            .map(|_| match dice.chance(50) && !self.promised.is_empty() {
                true => dice.pick(&self.promised).0 + 1,
                false => dice.below(self.changes.len() + 1),
            })
            .collect();
        moments.sort_unstable();
        moments
    }

    /// Looks at `count` disks of a machine that is deaf to syncs of paths that end in one of `deaf`; answers the broken
    /// promises of all, or, with `stop_at_first`, of the first that breaks any.
    ///
    /// # Panics
    /// A disk cannot be written.
    #[must_use]
    pub fn look_at(&self, count: usize, deaf: &[&str], seed: u64, stop_at_first: bool) -> Vec<String> {
        let place = scratch();
        let (hand, take) = sync_channel::<Left>(CHECKERS);
        let take = Mutex::new(take);
        let broken = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..CHECKERS {
                scope.spawn(|| self.checker(&take, &broken));
            }
            let mut dice = Dice::new(seed);
            let mut disk = Disk::new(&self.root, deaf, seed);
            let mut played = 0;
            for (number, moment) in self.moments(count, &mut dice).into_iter().enumerate() {
                if stop_at_first && !broken.lock().expect("no panic").is_empty() {
                    break;
                }
                self.changes[played..moment].iter().for_each(|change| disk.play(change));
                played = moment;
                let survival = Survival::ALL[number % Survival::ALL.len()];
                let folder = place.path().join(format!("{number}"));
                write_tree(&disk.after_power_cut(survival, &mut dice), &folder);
                let story = format!("disk {number}: {survival:?}, power lost after change {moment}");
                let promises = self.promised.partition_point(|(position, _)| *position < moment);
                hand.send(Left { story, folder, promises }).expect("a checker listens");
            }
            drop(hand);
        });
        broken.into_inner().expect("no panic")
    }

    fn checker(&self, take: &Mutex<Receiver<Left>>, broken: &Mutex<Vec<String>>) {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        loop {
            let Ok(left) = take.lock().expect("no panic").recv() else { return };
            let promises: Vec<&Promise> = self.promised[..left.promises].iter().map(|(_, promise)| promise).collect();
            let data = left.folder.join(&self.data_below_root);
            let complaints = runtime.block_on(promises::check(&data, &self.ledger, &promises));
            // In memory; gone with its parent at the latest.
            let _ = std::fs::remove_dir_all(&left.folder);
            if !complaints.is_empty() {
                let told = complaints.into_iter().take(5).collect::<Vec<_>>().join("\n    ");
                broken.lock().expect("no panic").push(format!("{}\n    {told}", left.story));
            }
        }
    }
}

/// Copies of disks are written and thrown away by the hundred: memory is the place for them, where there is such a one.
fn scratch() -> tempfile::TempDir {
    let mut builder = tempfile::Builder::new();
    builder.prefix("agon-disks-");
    builder.tempdir_in("/dev/shm").or_else(|_| builder.tempdir()).expect("a temp folder")
}
