//! The model itself: what is synced stays, what is not may go, and nothing else appears.

use std::path::{Path, PathBuf};

use super::model::Tree;
use super::{Change, Disk, Survival};
use crate::seed::Dice;

fn written(inode: u64, offset: u64, bytes: &[u8]) -> Change {
    Change::Written { inode, offset, data: bytes.into() }
}

fn played(changes: &[Change]) -> Disk {
    let mut disk = Disk::new(Path::new("/d"), &[], 1);
    changes.iter().for_each(|change| disk.play(change));
    disk
}

fn file(tree: &Tree, path: &str) -> Option<Vec<u8>> {
    tree.get(&PathBuf::from(path)).cloned().flatten()
}

/// A file `a` with durable content and a durable name.
fn durable() -> Vec<Change> {
    vec![
        Change::Seen { inode: 1, path: "/d".into() },
        Change::Created { inode: 2, path: "/d/a".into() },
        written(2, 0, &[b'o'; 1024]),
        Change::Synced { inode: 2 },
        Change::Synced { inode: 1 },
    ]
}

#[test]
fn what_was_synced_survives_everything() {
    let disk = played(&durable());
    for survival in Survival::ALL {
        assert_eq!(
            file(&disk.after_power_cut(survival, &mut Dice::new(3)), "a"),
            Some(vec![b'o'; 1024]),
            "{survival:?}"
        );
    }
}

#[test]
fn an_unsynced_write_is_kept_lost_or_torn_at_its_blocks() {
    let disk = played(&[durable(), vec![written(2, 0, &[b'n'; 1024])]].concat());
    let after =
        |survival, seed| file(&disk.after_power_cut(survival, &mut Dice::new(seed)), "a").expect("it has a name");
    assert_eq!(after(Survival::Nothing, 1), vec![b'o'; 1024]);
    assert_eq!(after(Survival::Everything, 1), vec![b'n'; 1024]);
    let seen: std::collections::BTreeSet<(u8, u8)> = (0..64)
        .map(|seed| {
            let content = after(Survival::Blocks(512), seed);
            assert!(content[..512].iter().all(|byte| *byte == content[0]), "torn inside a block");
            (content[0], content[512])
        })
        .collect();
    assert_eq!(seen.len(), 4, "each block goes its own way: {seen:?}");
}

#[test]
fn a_synced_file_without_a_synced_name_may_be_gone() {
    let new = vec![
        Change::Created { inode: 3, path: "/d/part".into() },
        written(3, 0, b"blob"),
        Change::Synced { inode: 3 },
        Change::Renamed { from: "/d/part".into(), to: "/d/blob".into() },
    ];
    let disk = played(&[durable(), new].concat());
    let lost = disk.after_power_cut(Survival::ContentOnly, &mut Dice::new(1));
    assert_eq!((file(&lost, "part"), file(&lost, "blob")), (None, None));
    let kept = disk.after_power_cut(Survival::NamesOnly, &mut Dice::new(1));
    assert_eq!((file(&kept, "part"), file(&kept, "blob")), (None, Some(b"blob".to_vec())));
}

#[test]
fn a_sync_that_failed_is_not_made_good_by_the_next_one() {
    let failed = vec![written(2, 0, &[b'n'; 1024]), Change::SyncFailed { inode: 2 }, Change::Synced { inode: 2 }];
    let outcomes: std::collections::BTreeSet<Vec<u8>> = (0..64)
        .map(|seed| {
            let mut disk = Disk::new(Path::new("/d"), &[], seed);
            [durable(), failed.clone()].concat().iter().for_each(|change| disk.play(change));
            file(&disk.after_power_cut(Survival::Nothing, &mut Dice::new(1)), "a").expect("it has a name")
        })
        .collect();
    assert!(outcomes.contains(&vec![b'o'; 1024]), "the write may be lost for good");
    assert!(outcomes.len() > 1, "or it may have arrived");
}

#[test]
fn a_liar_syncs_nothing_of_the_paths_it_is_deaf_to() {
    let mut disk = Disk::new(Path::new("/d"), &["/a"], 1);
    durable().iter().for_each(|change| disk.play(change));
    assert_eq!(file(&disk.after_power_cut(Survival::Nothing, &mut Dice::new(1)), "a"), Some(Vec::new()));
}
