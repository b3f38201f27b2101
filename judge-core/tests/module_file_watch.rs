//! Optional services through the facade: switches that last, and the file watch with real packages and drafts.

mod judge_support;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_contract::ErrorCode;
use agon_contract::command::{
    GetOperations, GetWatchStatus, ListDraftVersions, ListModules, ListProblems, LoadDraft, RemoveProblem,
    RestartModule, SaveDraft, SetModuleEnabled, SetWatchFolder, UnwatchFile, WatchFile,
};
use agon_contract::ids::UserId;
use agon_contract::module::{ModuleState, ModuleView};
use agon_contract::settings::Role;
use agon_contract::watch::{WatchStatus, WatchedFileState, WatchedPackageState};
use judge_core::{Actor, Judge, JudgeConfig, ManualClock, OpenError};
use judge_support::{config, obedient, write_package};
use tempfile::TempDir;

const WATCH: &str = "file_watch";
/// Rounds of a few real milliseconds each; far more than anything here needs.
const ROUNDS: u32 = 4_000;

struct Bench {
    judge: Judge,
    actor: Actor,
    clock: ManualClock,
    folder: TempDir,
}

impl Bench {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        fs::create_dir(folder.path().join("packages")).expect("made");
        let clock = ManualClock::starting_at(1_700_000_000_000);
        let judge = open(folder.path(), &clock, |_| {}).await.expect("the judge opens");
        let actor = judge.local_actor();
        Self { judge, actor, clock, folder }
    }

    async fn reopen(self, change: impl FnOnce(&mut JudgeConfig)) -> Self {
        self.judge.close().await;
        let judge = open(self.folder.path(), &self.clock, change).await.expect("the judge opens again");
        Self { actor: judge.local_actor(), judge, ..self }
    }

    fn packages(&self) -> String {
        self.folder.path().join("packages").display().to_string()
    }

    async fn switch(&self, enabled: bool) -> ModuleView {
        let request = SetModuleEnabled { name: WATCH.into(), enabled };
        self.judge.set_module_enabled(&self.actor, request).await.expect("switched")
    }

    async fn module(&self) -> ModuleView {
        self.judge.list_modules(&self.actor, ListModules {}).await.expect("listed").remove(0)
    }

    async fn status(&self) -> WatchStatus {
        self.judge.watch_status(&self.actor, GetWatchStatus {}).await.expect("readable")
    }

    async fn until(&self, what: &str, is_so: impl AsyncFn() -> bool) {
        for _ in 0..ROUNDS {
            if is_so().await {
                return;
            }
            self.clock.advance(Duration::from_millis(250));
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        panic!("{what} never was so; now: {:#?}", self.status().await);
    }

    async fn until_ready(&self) {
        self.until("ready", async || self.module().await.state == ModuleState::Ready).await;
    }

    /// With the folder `packages` watched.
    async fn watching() -> Self {
        let bench = Self::open().await;
        let request = SetWatchFolder { path: bench.packages(), polls: false };
        bench.judge.set_watch_folder(&bench.actor, request).await.expect("set");
        bench.switch(true).await;
        bench.until_ready().await;
        bench
    }

    async fn package_state(&self, name: &str) -> Option<WatchedPackageState> {
        let folder = self.status().await.folder?;
        folder.packages.into_iter().find(|package| package.name == name).map(|package| package.state)
    }

    async fn until_package(&self, name: &str, state: WatchedPackageState) {
        self.until(&format!("{name} {state}"), async || self.package_state(name).await.as_ref() == Some(&state)).await;
    }

    async fn titles(&self) -> Vec<String> {
        let problems = self.judge.list_problems(&self.actor, ListProblems { query: String::new() }).await;
        problems.expect("listed").into_iter().map(|problem| problem.titles[0].text.clone()).collect()
    }
}

async fn open(folder: &Path, clock: &ManualClock, change: impl FnOnce(&mut JudgeConfig)) -> Result<Judge, OpenError> {
    let mut config = config(&folder.join("data"), &obedient());
    config.clock = Arc::new(clock.clone());
    config.runs_modules = true;
    config.allowed_modules = None;
    change(&mut config);
    Judge::open(config).await
}

fn contestant() -> Actor {
    Actor { user_id: UserId::from("somebody"), roles: vec![Role::Contestant] }
}

#[tokio::test]
async fn a_switch_lasts_and_needs_both_hands() {
    let bench = Bench::open().await;
    let first = bench.module().await;
    assert_eq!((first.name.as_str(), first.state, first.is_enabled), (WATCH, ModuleState::Disabled, false));
    bench.switch(true).await;
    bench.until_ready().await;
    let operations = bench.judge.get_operations(&bench.actor, GetOperations {}).await.expect("readable");
    assert_eq!(operations.modules[0].state, ModuleState::Ready);

    let bench = bench.reopen(|_| {}).await;
    bench.until_ready().await;
    let restarted = bench.judge.restart_module(&bench.actor, RestartModule { name: WATCH.into() }).await;
    assert_ne!(restarted.expect("restarted").state, ModuleState::Failed);
    bench.until_ready().await;
    let off = bench.switch(false).await;
    assert!(!off.is_enabled);
    bench.until("stopped", async || bench.module().await.state == ModuleState::Stopped).await;
    let refused = bench.judge.restart_module(&bench.actor, RestartModule { name: WATCH.into() }).await;
    assert_eq!(refused.expect_err("it is off").code, ErrorCode::Conflict);

    bench.switch(true).await;
    let bench = bench.reopen(|config| config.allowed_modules = Some(Vec::new())).await;
    let view = bench.module().await;
    assert!(view.is_enabled && !view.is_allowed && view.state == ModuleState::Disabled, "{view:?}");
    let request = SetModuleEnabled { name: WATCH.into(), enabled: true };
    let refused = bench.judge.set_module_enabled(&bench.actor, request).await.expect_err("not allowed");
    assert_eq!(refused.code, ErrorCode::Conflict);
    bench.switch(false).await;

    // A short command sets the switch and runs nothing.
    let bench = bench.reopen(|config| config.runs_modules = false).await;
    let view = bench.switch(true).await;
    assert!(view.is_enabled && view.state == ModuleState::Disabled && !view.reason.is_empty(), "{view:?}");
    let bench = bench.reopen(|_| {}).await;
    bench.until_ready().await;
    bench.judge.close().await;
}

#[tokio::test]
async fn only_those_who_manage_modules_switch_them() {
    let bench = Bench::open().await;
    let judge = &bench.judge;
    let outsider = contestant();
    let switch = SetModuleEnabled { name: WATCH.into(), enabled: true };
    assert_eq!(judge.set_module_enabled(&outsider, switch).await.expect_err("refused").code, ErrorCode::Forbidden);
    let restart = RestartModule { name: WATCH.into() };
    assert_eq!(judge.restart_module(&outsider, restart).await.expect_err("refused").code, ErrorCode::Forbidden);
    assert_eq!(judge.list_modules(&outsider, ListModules {}).await.expect_err("refused").code, ErrorCode::Forbidden);
    let operations = judge.get_operations(&outsider, GetOperations {}).await;
    assert_eq!(operations.expect_err("refused").code, ErrorCode::Forbidden);
    let folder = SetWatchFolder { path: bench.packages(), polls: false };
    assert_eq!(judge.set_watch_folder(&outsider, folder).await.expect_err("refused").code, ErrorCode::Forbidden);
    assert!(judge.watch_status(&outsider, GetWatchStatus {}).await.expect("readable").folder.is_none());
    let unknown = SetModuleEnabled { name: "mail".into(), enabled: true };
    assert_eq!(judge.set_module_enabled(&bench.actor, unknown).await.expect_err("none").code, ErrorCode::NotFound);
    bench.judge.close().await;
}

#[tokio::test]
async fn a_package_put_into_the_folder_becomes_a_problem_and_follows_its_changes() {
    let bench = Bench::watching().await;
    let package = write_package(Path::new(&bench.packages()));
    bench.until_package("sum", WatchedPackageState::Imported).await;
    assert_eq!(bench.titles().await, ["Sum"]);

    let yaml = fs::read_to_string(package.join("problem.yaml")).expect("there");
    fs::write(package.join("problem.yaml"), yaml.replace("en: Sum", "en: Total")).expect("written");
    bench.until("it was replaced", async || bench.titles().await == ["Total"]).await;
    bench.until_package("sum", WatchedPackageState::Imported).await;

    fs::remove_file(package.join("data/secret/1.ans")).expect("removed");
    bench.until_package("sum", WatchedPackageState::Refused).await;
    let folder = bench.status().await.folder.expect("watched");
    assert!(!folder.packages[0].code.is_empty() && folder.packages[0].reason.contains("secret/1"), "{folder:?}");
    assert_eq!(bench.titles().await, ["Total"], "what was good stays");
    bench.judge.close().await;
}

#[tokio::test]
async fn a_package_that_left_and_is_made_anew_takes_the_place_of_its_problem() {
    let bench = Bench::watching().await;
    let package = write_package(Path::new(&bench.packages()));
    bench.until_package("sum", WatchedPackageState::Imported).await;
    fs::remove_dir_all(&package).expect("removed");
    bench.until("it left", async || bench.package_state("sum").await.is_none()).await;
    assert_eq!(bench.titles().await, ["Sum"], "the problem stays");
    let package = write_package(Path::new(&bench.packages()));
    let yaml = fs::read_to_string(package.join("problem.yaml")).expect("there");
    fs::write(package.join("problem.yaml"), yaml.replace("en: Sum", "en: Anew")).expect("written");
    bench.until("it was replaced", async || bench.titles().await == ["Anew"]).await;
    bench.until_package("sum", WatchedPackageState::Imported).await;
    bench.judge.close().await;
}

#[tokio::test]
async fn a_problem_taken_off_the_list_does_not_come_back_and_nobody_elses_is_replaced() {
    let bench = Bench::watching().await;
    write_package(Path::new(&bench.packages()));
    bench.until_package("sum", WatchedPackageState::Imported).await;
    let problem_id = bench.status().await.folder.expect("watched").packages[0].problem_id.clone().expect("imported");
    bench.judge.remove_problem(&bench.actor, RemoveProblem { problem_id }).await.expect("removed");
    let bench = bench.reopen(|_| {}).await;
    bench.until_package("sum", WatchedPackageState::Imported).await;
    assert!(bench.titles().await.is_empty(), "the same content is not decided again");
    bench.judge.close().await;

    // The short name is taken by what somebody imported by hand: only a person may replace that.
    let bench = Bench::open().await;
    let by_hand = bench.folder.path().join("by hand");
    fs::create_dir(&by_hand).expect("made");
    judge_support::import(&bench.judge, &by_hand).await;
    let request = SetWatchFolder { path: bench.packages(), polls: true };
    bench.judge.set_watch_folder(&bench.actor, request).await.expect("set");
    let package = write_package(Path::new(&bench.packages()));
    fs::write(package.join("data/secret/1.in"), "5 4\n").expect("written");
    bench.switch(true).await;
    bench.until_package("sum", WatchedPackageState::Refused).await;
    assert_eq!(bench.status().await.folder.expect("watched").packages[0].code, "conflict");
    bench.judge.close().await;
}

#[tokio::test]
async fn folders_that_cannot_be_watched_are_refused_by_name() {
    let bench = Bench::open().await;
    let set = async |path: String| {
        bench.judge.set_watch_folder(&bench.actor, SetWatchFolder { path, polls: false }).await.map_err(|e| e.code)
    };
    let own = bench.folder.path().join("data/run").display().to_string();
    let above = bench.folder.path().display().to_string();
    let absent = bench.folder.path().join("absent").display().to_string();
    assert_eq!(set(own).await, Err(ErrorCode::BadRequest));
    assert_eq!(set(above).await, Err(ErrorCode::BadRequest));
    assert_eq!(set("packages".into()).await, Err(ErrorCode::BadRequest));
    assert_eq!(set(absent).await, Err(ErrorCode::Unreadable));
    assert!(set(bench.packages()).await.expect("set").folder.is_some());
    assert!(set(String::new()).await.expect("unset").folder.is_none());
    let bench = bench.reopen(|config| config.takes_paths = false).await;
    let request = SetWatchFolder { path: bench.packages(), polls: false };
    let refused = bench.judge.set_watch_folder(&bench.actor, request).await.expect_err("no paths here");
    assert_eq!(refused.code, ErrorCode::BadRequest);
    bench.judge.close().await;
}

#[tokio::test]
async fn ones_own_editor_writes_the_draft() {
    let bench = Bench::open().await;
    let problem_id = judge_support::import(&bench.judge, bench.folder.path()).await;
    let path = bench.folder.path().join("mine.cpp");
    let language_id = agon_contract::ids::LanguageId::from("cpp20");
    let watch = WatchFile {
        problem_id: problem_id.clone(),
        language_id: language_id.clone(),
        path: path.display().to_string(),
    };
    let off = bench.judge.watch_file(&bench.actor, watch.clone()).await.expect_err("it does not run");
    assert_eq!(off.code, ErrorCode::ModuleOff);
    bench.switch(true).await;
    bench.until_ready().await;

    let typed = SaveDraft {
        problem_id: problem_id.clone(),
        language_id: language_id.clone(),
        text: "typed".into(),
        based_on_ms: None,
    };
    bench.judge.save_draft(&bench.actor, typed).await.expect("saved");
    fs::write(&path, "edited").expect("written");
    bench.judge.watch_file(&bench.actor, watch.clone()).await.expect("watched");
    let load = || LoadDraft { problem_id: problem_id.clone(), language_id: Some(language_id.clone()) };
    let draft = async || bench.judge.load_draft(&bench.actor, load()).await.expect("readable").text;
    bench.until("the draft is the file", async || draft().await.as_deref() == Some("edited")).await;
    let is_current = async || bench.status().await.files.iter().any(|file| file.state == WatchedFileState::Current);
    bench.until("current", is_current).await;
    let versions = ListDraftVersions { problem_id: problem_id.clone(), language_id: language_id.clone() };
    let versions = bench.judge.list_draft_versions(&bench.actor, versions).await.expect("readable");
    assert_eq!(versions.iter().map(|version| version.text.as_str()).collect::<Vec<_>>(), ["typed"]);
    assert!(bench.judge.watch_status(&contestant(), GetWatchStatus {}).await.expect("readable").files.is_empty());

    let unwatch = UnwatchFile { problem_id: problem_id.clone(), language_id: language_id.clone() };
    bench.judge.unwatch_file(&bench.actor, unwatch.clone()).await.expect("left alone");
    let again = bench.judge.unwatch_file(&bench.actor, unwatch).await.expect_err("it is not watched");
    assert_eq!(again.code, ErrorCode::NotFound);
    for wrong in ["mine.cpp".to_owned(), bench.folder.path().display().to_string(), "/no/such/folder/a.cpp".into()] {
        let request = WatchFile { path: wrong.clone(), ..watch.clone() };
        let refused = bench.judge.watch_file(&bench.actor, request).await.expect_err("no file");
        assert_eq!(refused.code, ErrorCode::BadRequest, "{wrong}");
    }
    bench.judge.close().await;
}
