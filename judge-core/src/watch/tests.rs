//! The watch on real files and the system's real events, with an intake whose answers a test decides. Time moves only
//! when told to; a test waits for what is seen, never for a clock.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use agon_contract::audit::AuditAction;
use agon_contract::ids::{LanguageId, ProblemId, UserId};
use agon_contract::watch::{WatchedFileState, WatchedFolderState, WatchedPackageState};
use async_trait::async_trait;
use tempfile::TempDir;

use super::folder::FolderSetting;
use super::look::{Looked, look};
use super::*;
use crate::clock::ManualClock;
use crate::owner::SCHEMA;
use crate::owner::admin::SettingChange;
use crate::owner::catalog::FileKey;
use crate::store::Store;
use crate::store::authorizer::Owner;
use crate::store::blobs::Blobs;
use crate::store::journal::Draft;

/// Rounds of real waiting before a test gives up: each is a few milliseconds, so this is minutes on a slow machine.
const ROUNDS: u32 = 4_000;
const START_MS: i64 = 1_700_000_000_000;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Offer {
    name: String,
    content: String,
    own: Option<ProblemId>,
}

/// Takes everything in as `problem-1`, `problem-2` …, unless the test scripted another answer.
#[derive(Default)]
struct ScriptedIntake {
    offers: Mutex<Vec<Offer>>,
    script: Mutex<VecDeque<Offered>>,
}

impl ScriptedIntake {
    fn offers(&self) -> Vec<Offer> {
        self.offers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn answers(&self, answer: Offered) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).push_back(answer);
    }
}

#[async_trait]
impl Intake for ScriptedIntake {
    async fn offer(&self, path: &Path, own: Option<ProblemId>, by: &UserId) -> Offered {
        assert_eq!(by.as_str(), "setter");
        let file = if path.is_dir() { path.join("problem.yaml") } else { path.to_owned() };
        let content = fs::read_to_string(file).expect("the copy is readable");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut offers = self.offers.lock().unwrap_or_else(PoisonError::into_inner);
        offers.push(Offer { name, content, own });
        let number = offers.len();
        let scripted = self.script.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        scripted.unwrap_or_else(|| Offered::TakenIn(ProblemId(format!("problem-{number}"))))
    }
}

struct Bench {
    root: TempDir,
    means: Means,
    intake: Arc<ScriptedIntake>,
    clock: ManualClock,
    running: Option<Running>,
}

impl Bench {
    async fn new() -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        for part in ["data", "staging", "journal", "packages", "sources"] {
            fs::create_dir(root.path().join(part)).expect("made");
        }
        let clock = ManualClock::starting_at(START_MS);
        let path = root.path().join("data/agon.db");
        let store = Store::open(&path, &root.path().join("data"), Arc::new(clock.clone()), SCHEMA).expect("it opens");
        let intake = Arc::<ScriptedIntake>::default();
        let means = Means {
            admin: Admin::new(store.owner(Owner::Admin).expect("it opens")),
            catalog: Catalog::new(store.owner(Owner::Catalog).expect("it opens"), Blobs::at(root.path().join("data"))),
            journal: Arc::new(Journal::at(root.path().join("journal"))),
            intake: Arc::clone(&intake) as Arc<dyn Intake>,
            staging: root.path().join("staging"),
            clock: Arc::new(clock.clone()),
            board: WatchBoard::new(Arc::new(|| {})),
        };
        Self { root, means, intake, clock, running: None }
    }

    /// With the folder `packages` watched.
    async fn with_folder(polls: bool) -> Self {
        let mut bench = Self::new().await;
        let setting =
            FolderSetting { path: bench.path("packages").display().to_string(), polls, by: UserId::from("setter") };
        let change = SettingChange {
            name: WATCH_FOLDER.to_owned(),
            value: crate::store::json(&setting),
            by: UserId::from("setter"),
            action: AuditAction::SettingChanged,
            object: WATCH_FOLDER.to_owned(),
            details: serde_json::json!({}),
        };
        bench.means.admin.change_setting(change).await.expect("set");
        bench.start().await;
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    async fn start(&mut self) {
        let started = FileWatch::new(self.means.clone()).start(CancellationToken::new()).await;
        self.running = Some(started.unwrap_or_else(|failure| panic!("{}", failure.reason)));
    }

    async fn stop(&mut self) {
        self.running.take().expect("it runs").close.close().await;
    }

    /// Lets time pass in small steps until something is so; each step gives real events time to come.
    async fn until(&self, what: &str, is_so: impl Fn(&Seen) -> bool) {
        for _ in 0..ROUNDS {
            if is_so(&self.means.board.seen()) {
                return;
            }
            self.pass(Duration::from_millis(100)).await;
        }
        panic!("{what} never was so; seen: {:#?}, offers: {:?}", self.means.board.seen(), self.intake.offers());
    }

    async fn pass(&self, time: Duration) {
        self.clock.advance(time);
        tokio::time::sleep(Duration::from_millis(3)).await;
    }

    /// Enough time for everything that could still happen to happen.
    async fn long_after(&self) {
        for _ in 0..150 {
            self.pass(Duration::from_secs(1)).await;
        }
    }

    async fn until_package(&self, name: &str, state: WatchedPackageState) {
        let is_so = |seen: &Seen| package(seen, name).is_some_and(|package| package.state == state);
        self.until(&format!("{name} {state}"), is_so).await;
    }

    async fn watch_source(&self, name: &str) -> FileKey {
        let key = FileKey {
            user_id: UserId::from("me"),
            problem_id: ProblemId::from("p"),
            language_id: LanguageId::from("cpp20"),
        };
        let path = self.path("sources").join(name).display().to_string();
        self.means.catalog.watch_file(key.clone(), path).await.expect("set");
        self.means.board.sources_were_set();
        key
    }

    fn draft(&self) -> Option<String> {
        let newest = self.means.journal.newest("me", "p", Some("cpp20")).expect("readable");
        newest.map(|draft| draft.text)
    }

    fn versions(&self) -> Vec<String> {
        let versions = self.means.journal.versions("me", "p", "cpp20").expect("readable");
        versions.into_iter().map(|draft| draft.text).collect()
    }

    fn type_here(&self, text: &str, saved_at_ms: i64) {
        let draft = Draft::typed("cpp20".into(), text.into(), saved_at_ms);
        self.means.journal.append("me", "p", &draft, None).expect("written");
    }

    async fn until_draft(&self, text: &str) {
        self.until(&format!("the draft is {text:?}"), |_| self.draft().as_deref() == Some(text)).await;
    }

    async fn until_file(&self, key: &FileKey, state: WatchedFileState) {
        let is_so = |seen: &Seen| seen.files.get(key).is_some_and(|file| file.0 == state);
        self.until(&format!("the file {state}"), is_so).await;
    }
}

fn package<'s>(seen: &'s Seen, name: &str) -> Option<&'s agon_contract::watch::WatchedPackage> {
    seen.folder.as_ref()?.packages.get(name)
}

/// Far in the future of any draft, whatever the machine's clock says.
fn set_modified(path: &Path, at_ms: i64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(at_ms).expect("after 1970"));
    let file = fs::File::options().write(true).open(path).expect("there");
    file.set_modified(time).expect("a time can be set");
}

#[tokio::test]
async fn a_package_is_offered_once_whole_and_its_source_is_left_alone() {
    let mut bench = Bench::with_folder(false).await;
    let path = bench.path("packages/sums.zip");
    for part in 1..=5 {
        fs::write(&path, "x".repeat(part * 10)).expect("written");
        for _ in 0..9 {
            bench.pass(Duration::from_millis(200)).await;
        }
        assert!(bench.intake.offers().is_empty(), "it was still being written");
    }
    let before = fs::metadata(&path).expect("there").modified().expect("a time");
    bench.until_package("sums.zip", WatchedPackageState::Imported).await;
    bench.long_after().await;
    assert_eq!(bench.intake.offers(), [Offer { name: "sums.zip".into(), content: "x".repeat(50), own: None }]);
    assert_eq!(fs::metadata(&path).expect("there").modified().expect("a time"), before);
    assert_eq!(fs::read_dir(bench.path("staging")).expect("listable").count(), 0, "copies are taken away");
    bench.stop().await;
}

#[tokio::test]
async fn only_another_content_is_offered_again_and_as_the_same_problem() {
    let mut bench = Bench::with_folder(false).await;
    bench.write("packages/sums/problem.yaml", "name: a");
    bench.write("packages/notes.txt", "not a package");
    bench.until_package("sums", WatchedPackageState::Imported).await;
    bench.stop().await;
    // Another time, the same content: found by the next start.
    set_modified(&bench.path("packages/sums/problem.yaml"), START_MS + 99_000);
    bench.start().await;
    bench.until_package("sums", WatchedPackageState::Imported).await;
    bench.long_after().await;
    assert_eq!(bench.intake.offers().len(), 1, "the same content");
    bench.write("packages/sums/problem.yaml", "name: b");
    bench.until("it was offered again", |_| bench.intake.offers().len() == 2).await;
    assert_eq!(bench.intake.offers()[1].own, Some(ProblemId::from("problem-1")));
    bench.until_package("sums", WatchedPackageState::Imported).await;
    let seen = bench.means.board.seen();
    assert_eq!(seen.folder.expect("seen").packages.len(), 1, "other files are left alone");
    bench.stop().await;
}

#[tokio::test]
async fn a_refusal_is_seen_survives_a_restart_and_can_be_doubted() {
    let mut bench = Bench::with_folder(false).await;
    let why = Offered::Refused { code: "answer_missing".into(), reason: "no answer".into(), remedy: "add it".into() };
    bench.intake.answers(why);
    bench.write("packages/a.zip", "bad");
    bench.until_package("a.zip", WatchedPackageState::Refused).await;
    bench.stop().await;
    bench.start().await;
    bench.until_package("a.zip", WatchedPackageState::Refused).await;
    bench.long_after().await;
    assert_eq!(bench.intake.offers().len(), 1);
    let seen = bench.means.board.seen();
    let refused = package(&seen, "a.zip").expect("seen");
    assert_eq!((&*refused.code, &*refused.reason, &*refused.remedy), ("answer_missing", "no answer", "add it"));

    let path = bench.path("packages/a.zip").display().to_string();
    bench.means.catalog.doubt_watched(path).await.expect("doubted");
    bench.means.board.recheck("a.zip".into());
    bench.until_package("a.zip", WatchedPackageState::Imported).await;
    assert_eq!(bench.intake.offers().len(), 2);
    bench.stop().await;
}

#[tokio::test]
async fn what_cannot_be_taken_in_now_is_tried_again() {
    let mut bench = Bench::with_folder(false).await;
    bench.intake.answers(Offered::Later { reason: "the engine is away".into() });
    bench.write("packages/a.zip", "good");
    bench.until_package("a.zip", WatchedPackageState::Waiting).await;
    let seen = bench.means.board.seen();
    assert_eq!(package(&seen, "a.zip").expect("seen").reason, "the engine is away");
    bench.until_package("a.zip", WatchedPackageState::Imported).await;
    assert_eq!(bench.intake.offers().len(), 2);
    bench.stop().await;
}

#[tokio::test]
async fn a_folder_that_goes_and_comes_back_is_taken_up_again() {
    let mut bench = Bench::with_folder(false).await;
    let state = |seen: &Seen| seen.folder.as_ref().map(|folder| folder.state.clone());
    for round in 1..=2 {
        bench.until("watching", |seen| state(seen) == Some(WatchedFolderState::Watching)).await;
        fs::remove_dir_all(bench.path("packages")).expect("removed");
        bench.until("missing", |seen| state(seen) == Some(WatchedFolderState::Missing)).await;
        bench.write(&format!("packages/{round}.zip"), "x");
        bench.until_package(&format!("{round}.zip"), WatchedPackageState::Imported).await;
    }
    // It is watched again, not only looked at when it came back.
    bench.write("packages/later.zip", "x");
    bench.until_package("later.zip", WatchedPackageState::Imported).await;
    bench.stop().await;
}

#[tokio::test]
async fn what_left_the_folder_is_new_when_it_comes_back() {
    let mut bench = Bench::with_folder(false).await;
    bench.write("packages/a.zip", "x");
    bench.until_package("a.zip", WatchedPackageState::Imported).await;
    fs::remove_file(bench.path("packages/a.zip")).expect("removed");
    bench.until("gone", |seen| package(seen, "a.zip").is_none()).await;
    bench.write("packages/a.zip", "x");
    bench.until_package("a.zip", WatchedPackageState::Imported).await;
    assert_eq!(bench.intake.offers().len(), 2);
    bench.stop().await;
}

#[tokio::test]
async fn where_nobody_tells_of_changes_they_are_found_by_looking() {
    let mut bench = Bench::with_folder(true).await;
    let is_polling = |seen: &Seen| seen.folder.as_ref().is_some_and(|f| f.state == WatchedFolderState::Polling);
    bench.until("polling", is_polling).await;
    bench.write("packages/a.zip", "x");
    bench.until_package("a.zip", WatchedPackageState::Imported).await;
    bench.write("packages/a.zip", "xx");
    bench.until("it was offered again", |_| bench.intake.offers().len() == 2).await;
    bench.stop().await;
}

#[cfg(unix)]
#[tokio::test]
async fn links_and_unreadable_files_are_named_and_never_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mut bench = Bench::with_folder(false).await;
    bench.write("elsewhere.zip", "x");
    symlink(bench.path("elsewhere.zip"), bench.path("packages/link.zip")).expect("made");
    symlink("/nowhere", bench.path("packages/dangling.zip")).expect("made");
    bench.until_package("link.zip", WatchedPackageState::Refused).await;
    bench.until_package("dangling.zip", WatchedPackageState::Refused).await;
    let seen = bench.means.board.seen();
    assert_eq!(package(&seen, "link.zip").expect("seen").code, "symlink");
    bench.write("packages/secret.zip", "x");
    fs::set_permissions(bench.path("packages/secret.zip"), fs::Permissions::from_mode(0o000)).expect("set");
    // A user whom no permission binds reads it, which is as right.
    let is_bound = fs::read(bench.path("packages/secret.zip")).is_err();
    let expected = if is_bound { WatchedPackageState::Waiting } else { WatchedPackageState::Imported };
    bench.until_package("secret.zip", expected).await;
    bench.long_after().await;
    assert!(bench.intake.offers().iter().all(|offer| offer.name == "secret.zip"));
    bench.stop().await;
}

#[tokio::test]
async fn what_moved_since_it_was_at_rest_is_not_offered() {
    let bench = Bench::new().await;
    bench.write("packages/a.zip", "x");
    let path = bench.path("packages/a.zip");
    let signature = content::signature(&path).expect("readable");
    bench.write("packages/a.zip", "xx");
    let by = UserId::from("setter");
    let looked = look(&bench.means, &path, &signature, &by).await.expect("the store answers");
    assert_eq!(looked, Looked::Moved);
    fs::remove_file(&path).expect("removed");
    let looked = look(&bench.means, &path, &signature, &by).await.expect("the store answers");
    assert_eq!(looked, Looked::Moved);
    assert!(bench.intake.offers().is_empty());
}

#[tokio::test]
async fn every_way_of_saving_becomes_the_draft_and_the_older_text_is_a_version() {
    let mut bench = Bench::new().await;
    bench.start().await;
    bench.type_here("typed here", START_MS + 50);
    bench.write("sources/a.cpp", "chosen");
    let key = bench.watch_source("a.cpp").await;
    bench.until_draft("chosen").await;
    // In place, by renaming over, by removing and writing anew.
    bench.write("sources/a.cpp", "in place");
    bench.until_draft("in place").await;
    bench.write("sources/a.cpp~", "renamed over");
    fs::rename(bench.path("sources/a.cpp~"), bench.path("sources/a.cpp")).expect("renamed");
    bench.until_draft("renamed over").await;
    fs::remove_file(bench.path("sources/a.cpp")).expect("removed");
    bench.until_file(&key, WatchedFileState::Missing).await;
    assert_eq!(bench.draft().as_deref(), Some("renamed over"), "the draft stays");
    bench.write("sources/a.cpp", "written anew");
    bench.until_draft("written anew").await;
    bench.until_file(&key, WatchedFileState::Current).await;
    assert_eq!(bench.versions(), ["renamed over", "in place", "chosen", "typed here"]);
    bench.stop().await;
}

#[tokio::test]
async fn a_draft_that_is_newer_than_the_file_stays_until_the_file_is_saved() {
    let mut bench = Bench::new().await;
    bench.start().await;
    bench.write("sources/a.cpp", "first");
    set_modified(&bench.path("sources/a.cpp"), START_MS - 5_000);
    let key = bench.watch_source("a.cpp").await;
    bench.until_draft("first").await;
    bench.type_here("typed after", i64::MAX / 2);
    bench.stop().await;
    bench.start().await;
    bench.until_file(&key, WatchedFileState::Older).await;
    assert_eq!(bench.draft().as_deref(), Some("typed after"));
    bench.type_here("typed later", START_MS + 1_000);
    bench.write("sources/a.cpp", "saved");
    set_modified(&bench.path("sources/a.cpp"), START_MS + 2_000);
    bench.until_draft("saved").await;
    assert_eq!(bench.versions()[0], "typed later");
    bench.stop().await;
}

#[tokio::test]
async fn what_cannot_be_a_draft_is_refused_with_its_reason() {
    let mut bench = Bench::new().await;
    bench.start().await;
    bench.type_here("mine", START_MS);
    let key = bench.watch_source("a.cpp").await;
    bench.until_file(&key, WatchedFileState::Missing).await;
    let bad: [(&[u8], &str); 2] = [(b"\xff\xfe", "UTF-8"), (&vec![b'x'; 4 * 1024 * 1024 + 1], "more than")];
    for (bytes, expected) in bad {
        fs::write(bench.path("sources/a.cpp"), bytes).expect("written");
        let is_so = |seen: &Seen| seen.files.get(&key).is_some_and(|file| file.1.contains(expected));
        bench.until(expected, is_so).await;
    }
    assert_eq!(bench.draft().as_deref(), Some("mine"));
    bench.write("sources/a.cpp", "fine");
    bench.until_draft("fine").await;
    bench.stop().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_followed_and_a_save_of_what_it_leads_to_is_seen() {
    let mut bench = Bench::new().await;
    bench.start().await;
    bench.write("real/a.cpp", "one");
    std::os::unix::fs::symlink(bench.path("real/a.cpp"), bench.path("sources/a.cpp")).expect("made");
    bench.watch_source("a.cpp").await;
    bench.until_draft("one").await;
    bench.write("real/a.cpp", "two");
    bench.until_draft("two").await;
    bench.stop().await;
}

#[tokio::test]
async fn after_its_close_nothing_is_read_any_more() {
    let mut bench = Bench::with_folder(false).await;
    bench.watch_source("a.cpp").await;
    bench.stop().await;
    bench.write("packages/a.zip", "x");
    bench.write("sources/a.cpp", "text");
    bench.long_after().await;
    assert!(bench.intake.offers().is_empty() && bench.draft().is_none());
}
