//! Backups made while submissions are judged, and given back.

mod judge_support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::ErrorCode;
use agon_contract::audit::{AuditAction, ListAudit, VerifyAudit};
use agon_contract::backup::{BackupView, ListBackups, MakeBackup, VerifyBackup};
use agon_contract::command::{ListProblems, RemoveProblem, WaitEvents};
use agon_contract::settings::Role;
use agon_contract::submission::Stage;
use agon_contract::verdict::Verdict;
use judge_core::{Actor, Judge, RestoreError, SystemClock, restore};
use judge_support::small_disk::SmallDisk;
use judge_support::{Bench, RIGHT, WRONG, config, import, obedient, submission, until};

async fn back_up(judge: &Judge, into: Option<&Path>) -> BackupView {
    let into = into.map(|folder| folder.display().to_string());
    judge.make_backup(&judge.local_actor(), MakeBackup { into }).await.expect("a backup")
}

async fn give_back(backup: &str, into: &Path) -> Result<judge_core::Restored, RestoreError> {
    restore(Path::new(backup), into, "a test", Arc::new(SystemClock::new())).await
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("listable")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_while_submissions_are_judged_gives_back_all_of_them() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let mut receipts = Vec::new();
    for number in 0..40 {
        receipts.push(bench.submit(&problem, if number % 2 == 0 { RIGHT } else { WRONG }).await);
        if number == 20 {
            back_up(&bench.judge, None).await;
        }
    }
    let backup = back_up(&bench.judge, None).await;
    assert!(backup.blobs > 0 && backup.bytes > 0, "{backup:?}");
    for receipt in &receipts {
        bench.verdict(&receipt.submission_id).await;
    }
    let data = bench.folder.path().join("data");
    bench.judge.remove_problem(&bench.actor, RemoveProblem { problem_id: problem.clone() }).await.expect("removed");
    bench.judge.close().await;

    let restored = give_back(&backup.path, &data).await.expect("given back");
    let aside = restored.before.expect("there was a folder");
    assert!(aside.join("agon.db").exists(), "the old folder is kept");
    let judge = Judge::open(config(&data, &obedient())).await.expect("it opens");
    let actor = judge.local_actor();
    for (number, receipt) in receipts.iter().enumerate() {
        let finished =
            |detail: &agon_contract::submission::SubmissionDetail| detail.summary.progress.stage == Stage::Finished;
        let detail = until(&judge, &actor, &receipt.submission_id, finished).await;
        let expected = if number % 2 == 0 { Verdict::Accepted } else { Verdict::WrongAnswer };
        assert_eq!(detail.summary.verdict, Some(expected), "#{number}");
        assert_eq!(detail.judgements.iter().filter(|judgement| judgement.is_current).count(), 1, "#{number}");
    }
    let listed = judge.list_problems(&actor, ListProblems { query: String::new() }).await.expect("a list");
    assert_eq!(listed.len(), 1, "it was removed after the backup");
    assert_eq!(judge.list_backups(&actor, ListBackups {}).await.expect("a list").backups.len(), 2, "they moved over");
    judge.close().await;
    let judge = Judge::open(config(&data, &obedient())).await.expect("it opens");
    let log = judge.list_audit(&actor, ListAudit { before_seq: None, limit: 200 }).await.expect("a log");
    let actions: Vec<&AuditAction> = log.entries.iter().rev().map(|entry| &entry.action).collect();
    assert_eq!(
        actions,
        [&AuditAction::ProblemImported, &AuditAction::BackupMade, &AuditAction::BackupRestored],
        "the second backup's own note is not in it"
    );
    assert!(log.entries.iter().all(|entry| entry.actor_name.as_deref() == Some("local")), "{:?}", log.entries);
    assert_eq!(judge.verify_audit(&actor, VerifyAudit {}).await.expect("walked").fault, None);
    judge.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn content_is_shared_between_backups_and_never_with_the_living_data() {
    use std::os::unix::fs::MetadataExt;
    let bench = Bench::open().await;
    bench.import().await;
    let elsewhere = bench.folder.path().join("other disk");
    let (first, second) =
        (back_up(&bench.judge, Some(&elsewhere)).await, back_up(&bench.judge, Some(&elsewhere)).await);
    assert_eq!(first.blobs, second.blobs);
    for name in entries(&Path::new(&first.path).join("blobs")) {
        let inode = |folder: PathBuf| folder.join("blobs").join(&name).metadata().expect("it is there").ino();
        assert_eq!(inode(first.path.clone().into()), inode(second.path.clone().into()), "{name}");
        assert_ne!(inode(first.path.clone().into()), inode(bench.folder.path().join("data")), "{name}");
    }
    fs::remove_dir_all(&first.path).expect("any backup may go");
    let into = bench.folder.path().join("fresh");
    let restored = give_back(&second.path, &into).await.expect("the other is whole");
    assert_eq!(restored.before, None, "there was nothing");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_was_damaged_anywhere_is_refused_and_the_data_stays() {
    let bench = Bench::open().await;
    bench.import().await;
    let backup = back_up(&bench.judge, None).await;
    let (data, path) = (bench.folder.path().join("data"), PathBuf::from(&backup.path));
    let blob = path.join("blobs").join(&entries(&path.join("blobs"))[0]);
    bench.judge.close().await;
    let before = fs::read(data.join("agon.db")).expect("readable");
    let parent = entries(bench.folder.path());
    let flip = |file: &Path, at: usize| {
        let mut bytes = fs::read(file).expect("readable");
        bytes[at] ^= 1;
        fs::remove_file(file).expect("removable");
        fs::write(file, bytes).expect("writable");
    };
    let (database, manifest) = (path.join("agon.db"), path.join("manifest.json"));
    let damages: [(&str, &Path, Option<usize>); 6] = [
        ("a byte of the database", &database, Some(5_000)),
        ("a byte of content", &blob, Some(0)),
        ("no content", &blob, None),
        ("no database", &database, None),
        ("a byte of the manifest", &manifest, Some(1)),
        ("no manifest", &manifest, None),
    ];
    for (what, file, at) in damages {
        let whole = fs::read(file).expect("readable");
        match at {
            Some(at) => flip(file, at),
            None => fs::remove_file(file).expect("removable"),
        }
        let refused = give_back(&backup.path, &data).await.expect_err(what);
        assert!(matches!(refused, RestoreError::Backup(_)), "{what}: {refused}");
        let _ = fs::remove_file(file);
        fs::write(file, whole).expect("writable");
    }
    assert_eq!(fs::read(data.join("agon.db")).expect("readable"), before);
    assert_eq!(entries(bench.folder.path()), parent, "nothing is left beside it");
    give_back(&backup.path, &data).await.expect("mended, it is given back");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_in_use_is_refused_and_so_is_who_may_not() {
    let bench = Bench::open().await;
    import(&bench.judge, bench.folder.path()).await;
    let backup = back_up(&bench.judge, None).await;
    let refused = give_back(&backup.path, &bench.folder.path().join("data")).await.expect_err("it is in use");
    assert!(matches!(refused, RestoreError::Open(judge_core::OpenError::Occupied { .. })), "{refused}");
    let contestant = Actor { roles: vec![Role::Contestant], ..bench.actor.clone() };
    let denied = bench.judge.make_backup(&contestant, MakeBackup { into: None }).await.expect_err("not his");
    assert_eq!(denied.code, ErrorCode::Forbidden);
    let relative = MakeBackup { into: Some("here".to_owned()) };
    let vague = bench.judge.make_backup(&bench.actor, relative).await.expect_err("relative to what?");
    assert_eq!(vague.code, ErrorCode::BadRequest);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_make_one_and_the_other_is_told() {
    let bench = Bench::open().await;
    bench.import().await;
    let request = || bench.judge.make_backup(&bench.actor, MakeBackup { into: None });
    let (one, other) = tokio::join!(request(), request());
    let refused = [&one, &other].into_iter().filter_map(|made| made.as_ref().err()).collect::<Vec<_>>();
    for error in &refused {
        assert_eq!(error.code, ErrorCode::Conflict, "{error}");
    }
    let list = bench.judge.list_backups(&bench.actor, ListBackups {}).await.expect("a list");
    assert_eq!((list.backups.len() + refused.len(), list.unusable.len(), list.last_failure), (2, 0, None));
    let id = list.backups[0].id.clone();
    let whole = bench.judge.verify_backup(&bench.actor, VerifyBackup { backup_id: id }).await.expect("read back");
    assert_eq!(whole, list.backups[0]);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_leaves_nothing_half_made_and_is_named() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    // Room for some of the database; for the database and not for the content is tried by growing it.
    for kilobytes in [64, 256, 512] {
        let Some(disk) = SmallDisk::mount(bench.folder.path().join(format!("disk-{kilobytes}")), kilobytes) else {
            return;
        };
        let request = MakeBackup { into: Some(disk.0.display().to_string()) };
        let full = bench.judge.make_backup(&bench.actor, request).await.expect_err("it does not fit");
        assert_eq!(full.code, ErrorCode::StorageUnavailable, "{full}");
        assert!(full.to_string().contains("Make room"), "{full}");
        assert_eq!(entries(&disk.0), [""; 0], "{kilobytes}");
        let list = bench.judge.list_backups(&bench.actor, ListBackups {}).await.expect("a list");
        assert!(list.last_failure.is_some(), "{kilobytes}");
    }
    let receipt = bench.submit(&problem, RIGHT).await;
    bench.verdict(&receipt.submission_id).await;
    back_up(&bench.judge, None).await;
    bench.close().await;
}

/// What a backup in the making has at one time or another, in the order in which it comes to be.
#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_was_cut_short_anywhere_is_no_backup() {
    let bench = Bench::open().await;
    bench.import().await;
    let place = bench.folder.path().join("place");
    let whole = PathBuf::from(back_up(&bench.judge, Some(&place)).await.path);
    assert_eq!(entries(&place), [whole.file_name().expect("a name").to_string_lossy()], "nothing half-made beside it");
    let manifest = fs::read(whole.join("manifest.json")).expect("readable");
    let own = bench.folder.path().join("data/backups");
    let copy = |name: &str, steps: &[&str]| {
        let part = own.join(name);
        fs::create_dir_all(part.join("blobs")).expect("a folder");
        for step in steps {
            fs::copy(whole.join(step), part.join(step)).expect("copied");
        }
        part
    };
    let some_content = entries(&whole.join("blobs")).pop().map(|name| format!("blobs/{name}")).expect("content");
    let database = copy("agon-only-the-database", &["agon.db"]);
    let content = copy("agon-no-manifest", &["agon.db", &some_content]);
    let torn = copy("agon-torn-manifest", &["agon.db", &some_content]);
    fs::write(torn.join("manifest.json"), &manifest[..manifest.len() / 2]).expect("written");
    let early = copy("agon-content-missing", &["agon.db", "manifest.json"]);
    let nameless = copy(".agon-20261130T170946Z-0.part", &["agon.db", "manifest.json"]);
    let list = bench.judge.list_backups(&bench.actor, ListBackups {}).await.expect("a list");
    let mut unusable: Vec<_> = list.unusable.iter().map(|found| PathBuf::from(&found.path)).collect();
    unusable.sort();
    let mut expected = vec![database.clone(), content.clone(), torn.clone()];
    expected.sort();
    assert_eq!(unusable, expected);
    assert_eq!(list.backups.len(), 1, "it says what it should have, and reading it back finds out: {list:#?}");
    bench
        .judge
        .verify_backup(&bench.actor, VerifyBackup { backup_id: list.backups[0].id.clone() })
        .await
        .expect_err("no");
    for part in [database, content, torn, early, nameless] {
        let into = bench.folder.path().join("fresh");
        let refused = give_back(&part.display().to_string(), &into).await;
        assert!(matches!(refused, Err(RestoreError::Backup(_))), "{}", part.display());
        assert!(!into.exists(), "{}", part.display());
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_is_no_place_for_backups_is_refused_and_untouched() {
    let bench = Bench::open().await;
    let place = bench.folder.path().join("place");
    let whole = back_up(&bench.judge, Some(&place)).await.path;
    let file = bench.folder.path().join("a file");
    fs::write(&file, "mine").expect("written");
    for into in [PathBuf::from(&whole), bench.folder.path().join("data"), bench.folder.path().join("data/blobs"), file]
    {
        let before = if into.is_dir() { entries(&into) } else { Vec::new() };
        let request = MakeBackup { into: Some(into.display().to_string()) };
        let refused = bench.judge.make_backup(&bench.actor, request).await.expect_err("no place for it");
        assert_eq!(refused.code, ErrorCode::BadRequest, "{}: {refused}", into.display());
        assert!(!into.is_dir() || entries(&into) == before, "{}", into.display());
    }
    // Several in one place share what they have in common; the data folder's own place is one.
    for into in [Some(place.as_path()), Some(&bench.folder.path().join("data/backups")), None] {
        back_up(&bench.judge, into).await;
    }
    assert_eq!(entries(&place).len(), 2);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_stood_at_an_event_that_is_no_more_is_told_so_after_a_restore() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let backup = back_up(&bench.judge, None).await;
    for _ in 0..5 {
        let receipt = bench.submit(&problem, RIGHT).await;
        bench.verdict(&receipt.submission_id).await;
    }
    let stood_at =
        bench.judge.wait_events(&bench.actor, WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 0 }).await;
    let stood_at = stood_at.expect("a place").last_seq;
    let data = bench.folder.path().join("data");
    bench.judge.close().await;
    give_back(&backup.path, &data).await.expect("given back");
    let judge = Judge::open(config(&data, &obedient())).await.expect("it opens");
    let actor = judge.local_actor();
    for key in ["a", "b", "c", "d", "e", "f", "g"] {
        let receipt = judge.submit(&actor, submission(key, &problem, RIGHT)).await.expect("saved");
        let finished =
            |detail: &agon_contract::submission::SubmissionDetail| detail.summary.progress.stage == Stage::Finished;
        until(&judge, &actor, &receipt.submission_id, finished).await;
    }
    let ask = |after_seq| WaitEvents { after_seq, progress_counter: 0, wait_ms: 0 };
    let batch = judge.wait_events(&actor, ask(stood_at)).await.expect("answered");
    assert!(batch.is_resync, "{batch:?}");
    let batch = judge.wait_events(&actor, ask(batch.last_seq)).await.expect("answered");
    assert!(!batch.is_resync, "the place that it was given is one");
    for nonsense in [i64::MAX, i64::MAX - 1] {
        assert!(judge.wait_events(&actor, ask(nonsense)).await.expect("answered").is_resync, "{nonsense}");
    }
    judge.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_never_made_a_data_folder_and_what_killed_restores_left_goes() {
    let bench = Bench::open().await;
    let backup = back_up(&bench.judge, None).await;
    let data = bench.folder.path().join("data");
    bench.judge.close().await;
    let place = PathBuf::from(&backup.path);
    for into in [place.clone(), place.join("inside"), place.join("inside/deeper")] {
        let refused = give_back(&backup.path, &into).await.expect_err("it lies in the backup");
        assert!(refused.to_string().contains("in the backup itself"), "{refused}");
    }
    assert!(!place.join("inside").exists());
    let left = bench.folder.path().join("data.restoring-0a1b2c3d");
    let other = bench.folder.path().join("data.restoring-photographs");
    for folder in [&left, &other] {
        fs::create_dir_all(folder.join("blobs")).expect("a folder");
    }
    give_back(&backup.path, &data).await.expect("given back");
    assert!(!left.exists(), "nobody was at it: this restore held the folder's lock");
    assert!(other.exists(), "no name that a restore gives");
}
