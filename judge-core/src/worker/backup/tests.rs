//! What goes wrong while a backup is made: nothing half-made is left, and it is said.

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::clock::ManualClock;
use crate::owner;
use crate::store::authorizer::Owner;
use crate::store::{OwnerStore, Store, WriteTx};

const NOW: i64 = 1_796_058_526_000;

struct Folder {
    _parent: TempDir,
    folder: DataFolder,
    clock: Arc<ManualClock>,
    catalog: OwnerStore,
    admin: Admin,
    closing: CancellationToken,
    backups: Backups,
}

impl Folder {
    fn new() -> Self {
        let parent = tempfile::tempdir().expect("a temp folder");
        let folder = DataFolder::create(&parent.path().join("data")).expect("a data folder");
        let clock = Arc::new(ManualClock::starting_at(NOW));
        let shared: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
        let store = Store::open(&folder.database(), &folder.backups(), Arc::clone(&shared), owner::SCHEMA);
        let store = store.expect("it opens");
        let admin = Admin::new(store.owner(Owner::Admin).expect("it opens"));
        let catalog = store.owner(Owner::Catalog).expect("it opens");
        let (blobs, closing) = (Blobs::at(folder.blobs()), CancellationToken::new());
        let backups = Backups::new(admin.clone(), blobs, folder.clone(), shared, "boot", closing.clone());
        Self { _parent: parent, folder, clock, catalog, admin, closing, backups }
    }

    /// A statement file in a blob, named by a row; answers the blob's hash.
    fn content(&self, text: &str) -> String {
        let hash = self.backups.blobs.put_bytes(text.as_bytes()).expect("stored").hash;
        let named = hash.clone();
        self.catalog.without_bounds_for_tests(|connection| {
            connection.execute_batch("PRAGMA foreign_keys = OFF")?;
            connection.execute(
                "INSERT INTO catalog_statement_file (version_id, name, hash, bytes) VALUES ('v', ?1, ?1, 1)",
                [named],
            )?;
            connection.execute_batch("PRAGMA foreign_keys = ON")
        });
        hash
    }

    /// Without the foreign key's parent a backup would be refused as damaged; this makes the row whole.
    fn whole(&self) {
        self.catalog
            .write_blocking("clear", |tx: &WriteTx<'_>| tx.execute("DELETE FROM catalog_statement_file", []))
            .expect("written");
    }

    fn order() -> Order {
        Order { kind: BackupKind::Manual, into: None, by: Some(UserId::from("me")) }
    }

    fn entries(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.backups()).expect("listable");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    async fn hold(&self) -> Hold {
        let holder = Carrier { token: "me".to_owned(), boot_id: "boot".to_owned() };
        let hold = self.admin.take_lease(BACKUP_LEASE, holder).await;
        hold.expect("written").expect("free")
    }

    fn run_of(plan: &Plan) -> NewRun {
        NewRun {
            id: plan.id.clone(),
            kind: plan.kind.clone(),
            part_path: plan.part.display().to_string(),
            path: plan.path.display().to_string(),
        }
    }
}

#[tokio::test]
async fn a_row_that_names_nothing_is_found_before_the_backup_counts() {
    let folder = Folder::new();
    folder.content("x");
    let error = folder.backups.make(Folder::order()).await.expect_err("its parent is missing");
    assert!(chain(&error).contains("names one that is not there"), "{}", chain(&error));
    assert_eq!(folder.entries(), [""; 0], "nothing half-made is left");
    let reason = folder.backups.last_failure().await.expect("readable").expect("it failed");
    assert!(reason.contains("names one that is not there"), "{reason}");
    folder.whole();
    folder.backups.make(Folder::order()).await.expect("the next one is made");
    assert_eq!(folder.backups.last_failure().await.expect("readable"), None);
}

#[tokio::test]
async fn a_backup_whose_lease_was_lost_does_not_count_and_goes() {
    let folder = Folder::new();
    let hold = folder.hold().await;
    let plan = folder.backups.plan(&Folder::order());
    assert!(folder.admin.begin_backup(&hold, Folder::run_of(&plan)).await.expect("written"));
    let manifest = folder.backups.build(&hold, plan.clone()).await.expect("built");
    assert!(plan.path.exists());
    // Slower than the lease: somebody else may hold it by now.
    folder.clock.advance(Duration::from_secs(60));
    let late = folder.backups.count(&hold, &plan, manifest, None).await.expect_err("it must not count");
    assert!(matches!(late, BackupError::LeaseLost), "{late}");
    assert_eq!(folder.entries(), [""; 0]);
    let again = folder.backups.make(Folder::order()).await.expect("the lease is free again");
    assert_eq!(folder.backups.list().await.expect("listable").0.len(), 1);
    assert!(again.path.ends_with(format!("agon-20261130T170946Z-{}", &again.manifest.id[28..])));
}

#[tokio::test]
async fn without_the_lease_no_run_begins() {
    let folder = Folder::new();
    let hold = folder.hold().await;
    let busy = folder.backups.make(Folder::order()).await.expect_err("it is held");
    assert!(matches!(busy, BackupError::UnderWay), "{busy}");
    assert!(folder.admin.release_lease(&hold).await.expect("written"));
    let plan = folder.backups.plan(&Folder::order());
    let begun = folder.admin.begin_backup(&hold, Folder::run_of(&plan)).await;
    assert!(!begun.expect("written"), "a released hold begins nothing");
}

#[tokio::test]
async fn what_a_crash_left_goes_at_the_next_start_and_nothing_else() {
    let folder = Folder::new();
    let hold = folder.hold().await;
    let plan = folder.backups.plan(&Folder::order());
    folder.admin.begin_backup(&hold, Folder::run_of(&plan)).await.expect("written");
    fs::create_dir_all(plan.part.join("blobs")).expect("a folder");
    let precious = folder.folder.backups().join("photographs");
    fs::create_dir(&precious).expect("a folder");
    let odd = Plan { id: new_id(), part: precious.clone(), ..plan.clone() };
    folder.admin.begin_backup(&hold, Folder::run_of(&odd)).await.expect("written");
    folder.backups.recover().await.expect("recovered");
    assert!(!plan.part.exists() && precious.exists(), "only what looks like a part of ours goes");
    let reason = folder.backups.last_failure().await.expect("readable");
    assert_eq!(reason.as_deref(), Some("the program ended while it was made"));
    assert!(folder.admin.interrupted_backups().await.expect("readable").is_empty());
}

#[tokio::test]
async fn closing_gives_an_unfinished_backup_up() {
    let folder = Folder::new();
    folder.closing.cancel();
    let hold = folder.hold().await;
    let plan = folder.backups.plan(&Folder::order());
    // The site is told through the same flag; here it is set before the first file.
    let site = build::Site {
        database: folder.folder.database(),
        blobs: folder.backups.blobs.clone(),
        abandoned: Arc::new(AtomicBool::new(true)),
    };
    let error = build::build(&site, &plan).expect_err("given up");
    assert!(matches!(error, BackupError::Closing), "{error}");
    assert_eq!(folder.entries(), [""; 0]);
    assert!(folder.admin.release_lease(&hold).await.expect("written"));
}

#[tokio::test]
async fn scheduled_backups_come_in_time_and_the_oldest_go_while_ordered_ones_stay() {
    let folder = Folder::new();
    assert!(!folder.backups.make_if_due().await.expect("looked"), "off by default");
    let me = UserId::from("me");
    folder.admin.set("backup.every_hours", Some(1), &me).await.expect("set");
    folder.admin.set("backup.keep", Some(2), &me).await.expect("set");
    folder.backups.make(Folder::order()).await.expect("made");
    let mut made = Vec::new();
    for _ in 0..4 {
        assert!(folder.backups.make_if_due().await.expect("made"));
        assert!(!folder.backups.make_if_due().await.expect("looked"), "not twice");
        made.push(folder.backups.list().await.expect("listable").0[0].manifest.id.clone());
        folder.clock.advance(Duration::from_secs(3600));
    }
    let (found, unusable) = folder.backups.list().await.expect("listable");
    let scheduled: Vec<_> = found.iter().filter(|found| found.manifest.kind == BackupKind::Scheduled).collect();
    assert_eq!(scheduled.iter().map(|found| &found.manifest.id).collect::<Vec<_>>(), [&made[3], &made[2]]);
    assert_eq!((found.len(), unusable.len(), folder.entries().len()), (3, 0, 3));
}
