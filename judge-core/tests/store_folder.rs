//! One folder, one owner; drafts, uploads and versions as a host sees them.

mod judge_support;

use agon_contract::ErrorCode;
use agon_contract::command::{
    DataRef, GetSession, GetStatement, ImportPackage, InspectPackage, ListProblems, LoadDraft, ReadData, RemoveProblem,
    SaveDraft, SetPreferences, WaitEvents,
};
use agon_contract::ids::LanguageId;
use agon_contract::package::PackageSource;
use agon_contract::settings::{Preferences, Role, Theme};
use agon_contract::submission::Stage;
use agon_contract::verdict::Verdict;
use judge_core::{Actor, Holder, Judge, JudgeConfig, OpenError};
use judge_support::{Bench, RIGHT, config, obedient, submission, until, write_package};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_opener_is_told_who_has_the_folder_and_can_call_it_forward() {
    let bench = Bench::open().await;
    let mut shows = bench.judge.show_requests();
    let data = bench.folder.path().join("data");
    let refused = Judge::open(config(&data, &obedient())).await.err().expect("it is taken");
    assert!(matches!(&refused, OpenError::Occupied { program, .. } if program == "a test"), "{refused}");
    let answered = tokio::task::spawn_blocking(move || refused.ask_owner_to_show()).await.expect("no panic");
    assert!(answered, "the owner answers");
    shows.changed().await.expect("the owner hears it");
    bench.judge.close().await;
    let again = Judge::open(config(&data, &obedient())).await.expect("it is free");
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_of_the_same_person_has_the_holder_work_for_it() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let data = folder.path().join("data");
    let served = JudgeConfig { takes_paths: false, ..config(&data, &obedient()) };
    assert!(!served.has_data() && Holder::of(&data).is_none() && !data.exists(), "looking makes nothing");
    let judge = Judge::open(served.clone()).await.expect("it opens");
    assert!(served.has_data());
    let holder = Holder::of(&data).expect("it is noted");
    let list = || ListProblems { query: String::new() };
    assert_eq!(holder.ask(&list()).await.expect("answered"), Some(Vec::new()));

    let path = write_package(folder.path()).display().to_string();
    let import = ImportPackage { source: PackageSource::Path { path }, replace_existing: false };
    let refused =
        judge.import_package(&judge.local_actor(), import.clone()).await.expect_err("a browser names no paths");
    assert_eq!(refused.code, ErrorCode::BadRequest);
    let reply = holder.ask(&import).await.expect("this machine's terminal does").expect("it is there");
    let problems = holder.ask(&list()).await.expect("answered").expect("it is there");
    assert_eq!(problems, judge.ask(&list()).await.expect("the same"));
    assert_eq!(problems[0].id, reply.problem_id);
    let missing = RemoveProblem { problem_id: "nothing".into() };
    assert_eq!(holder.ask(&missing).await.expect_err("refused").code, ErrorCode::NotFound);

    assert_eq!(holder.new_address().await.expect_err("no browser is served").code, ErrorCode::NotFound);
    judge.offer_addresses(std::sync::Arc::new(|| Ok("http://here/".to_owned())));
    assert_eq!(holder.new_address().await.expect("made").as_deref(), Some("http://here/"));
    judge.close().await;
    assert_eq!(holder.ask(&list()).await.expect("no fault"), None, "it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_one_is_and_what_one_set_survive_a_restart() {
    let bench = Bench::open().await;
    let session = bench.judge.get_session(&bench.actor, GetSession {}).await.expect("known");
    assert_eq!((session.roles.len(), session.preferences), (Role::KNOWN.len(), Preferences::default()));
    let preferences = Preferences { theme: Theme::Dark, locale: "ja".into(), default_language: "cpp20".into() };
    let request = SetPreferences { preferences: preferences.clone() };
    bench.judge.set_preferences(&bench.actor, request).await.expect("stored");
    let problem = bench.import().await;
    let draft = SaveDraft {
        problem_id: problem.clone(),
        language_id: "cpp20".into(),
        text: "int main() {}\n".into(),
        based_on_ms: None,
    };
    bench.judge.save_draft(&bench.actor, draft.clone()).await.expect("journalled");
    let nowhere = SaveDraft { problem_id: "no such problem".into(), ..draft.clone() };
    let refused = bench.judge.save_draft(&bench.actor, nowhere).await.expect_err("each would be a file");
    assert_eq!(refused.code, ErrorCode::NotFound);
    let no_language = SaveDraft { language_id: "nolang".into(), ..draft };
    let refused = bench.judge.save_draft(&bench.actor, no_language).await.expect_err("each would be a file");
    assert_eq!(refused.code, ErrorCode::BadRequest);
    bench.judge.close().await;

    let again = Judge::open(config(&bench.folder.path().join("data"), &obedient())).await.expect("it opens");
    let actor = again.local_actor();
    assert_eq!(actor.user_id, bench.actor.user_id, "the same person");
    let session = again.get_session(&actor, GetSession {}).await.expect("known");
    assert_eq!(session.preferences, preferences);
    let load =
        |language: Option<&str>| LoadDraft { problem_id: problem.clone(), language_id: language.map(LanguageId::from) };
    let draft = again.load_draft(&actor, load(None)).await.expect("readable");
    assert_eq!((draft.text.as_deref(), draft.language_id), (Some("int main() {}\n"), Some("cpp20".into())));
    assert_eq!(again.load_draft(&actor, load(Some("c"))).await.expect("readable").text, None);
    let unknown = SetPreferences { preferences: Preferences { theme: Theme::Unknown("pink".into()), ..preferences } };
    assert_eq!(again.set_preferences(&actor, unknown).await.expect_err("unknown").code, ErrorCode::BadRequest);
    again.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_problem_keeps_what_old_submissions_were_judged_on() {
    let sandbox = obedient();
    sandbox.set_away(Some("held back until the problem is replaced"));
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    let old = bench.judge.submit(&bench.actor, submission("old", &problem, RIGHT)).await.expect("saved");

    let path = write_package(bench.folder.path());
    std::fs::write(path.join("data/secret/3.ans"), "999\n").expect("a file");
    let source = PackageSource::Path { path: path.display().to_string() };
    let import = |replace_existing| ImportPackage { source: source.clone(), replace_existing };
    let taken = bench.judge.import_package(&bench.actor, import(false)).await.expect_err("the name is taken");
    assert_eq!(taken.code, ErrorCode::Conflict);
    let replaced = bench.judge.import_package(&bench.actor, import(true)).await.expect("replaced");
    assert_eq!(replaced.problem_id, problem);
    let new = bench.judge.submit(&bench.actor, submission("new", &problem, RIGHT)).await.expect("saved");

    bench.sandbox.set_away(None);
    let old = bench.verdict(&old.submission_id).await;
    let new = bench.verdict(&new.submission_id).await;
    assert_eq!(old.summary.verdict, Some(Verdict::Accepted), "judged on the version it was made for");
    assert_eq!(new.summary.verdict, Some(Verdict::WrongAnswer));
    assert_eq!(new.summary.first_failing.as_deref(), Some("secret/3"));
    assert_ne!(old.manifest.data_hash, new.manifest.data_hash);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_package_again_changes_nothing_and_a_removed_one_comes_back() {
    let bench = Bench::open().await;
    assert!(bench.judge.is_catalog_empty().await.expect("readable"));
    let problem = bench.import().await;
    let before = bench.judge.wait_events(&bench.actor, now()).await.expect("events").last_seq;
    assert_eq!(bench.import().await, problem);
    let after = WaitEvents { after_seq: before, progress_counter: u64::MAX, wait_ms: 0 };
    let happened = bench.judge.wait_events(&bench.actor, after).await.expect("events").events;
    // The audit log's entry of the first import may come late.
    assert!(happened.iter().all(|event| event.owner == "admin"), "nothing happened: {happened:?}");
    let path = bench.folder.path().join("sum").display().to_string();
    let report = bench
        .judge
        .inspect_package(&bench.actor, InspectPackage { source: PackageSource::Path { path } })
        .await
        .expect("readable");
    assert!(report.problem.and_then(|problem| problem.existing).is_some_and(|existing| existing.same_content));

    let remove = || RemoveProblem { problem_id: problem.clone() };
    bench.judge.remove_problem(&bench.actor, remove()).await.expect("removed");
    assert_eq!(bench.judge.remove_problem(&bench.actor, remove()).await.expect_err("twice").code, ErrorCode::NotFound);
    let list = || ListProblems { query: String::new() };
    assert_eq!(bench.judge.list_problems(&bench.actor, list()).await.expect("a list"), []);
    assert_eq!(bench.import().await, problem, "the same problem, with its submissions");
    assert_eq!(bench.judge.list_problems(&bench.actor, list()).await.expect("a list").len(), 1);
    assert!(!bench.judge.is_catalog_empty().await.expect("readable"));
    bench.close().await;
}

fn now() -> WaitEvents {
    WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 0 }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_uploads_and_may_not_name_paths() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let sandbox = obedient();
    let served = JudgeConfig { takes_paths: false, ..config(&folder.path().join("data"), &sandbox) };
    let judge = Judge::open(served).await.expect("it opens");
    let actor = judge.local_actor();
    let package = write_package(folder.path());
    let source = PackageSource::Path { path: package.display().to_string() };
    let refused = judge.inspect_package(&actor, InspectPackage { source }).await.expect_err("no paths");
    assert_eq!(refused.code, ErrorCode::BadRequest);

    let bytes = zipped(&package);
    let upload = judge.create_upload(&actor, "sum.zip", bytes.len() as u64).await.expect("begun");
    let source = || PackageSource::Upload { upload_id: upload.clone() };
    let early = judge.inspect_package(&actor, InspectPackage { source: source() }).await.expect_err("not finished");
    assert_eq!(early.code, ErrorCode::Conflict);
    judge.append_upload(&actor, &upload, 0, bytes).await.expect("taken");
    judge.finish_upload(&actor, &upload).await.expect("whole");
    let import = ImportPackage { source: source(), replace_existing: false };
    let reply = judge.import_package(&actor, import.clone()).await.expect("taken in");
    let contestant = Actor { user_id: actor.user_id.clone(), roles: vec![Role::Contestant] };
    assert_eq!(judge.import_package(&contestant, import).await.expect_err("no role").code, ErrorCode::Forbidden);
    judge.discard_upload(&actor, &upload).await.expect("gone");

    let receipt = judge.submit(&actor, submission("k", &reply.problem_id, RIGHT)).await.expect("saved");
    let detail = until(&judge, &actor, &receipt.submission_id, |d| d.summary.progress.stage == Stage::Finished).await;
    assert_eq!(detail.summary.verdict, Some(Verdict::Accepted));
    judge.close().await;
}

fn zipped(package: &std::path::Path) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut folders = vec![package.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("listable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(package).expect("below it").to_str().expect("text").to_owned();
            writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry");
            std::io::Write::write_all(&mut writer, &std::fs::read(&path).expect("readable")).expect("its bytes");
        }
    }
    writer.finish().expect("a zip").into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_can_be_read_and_secret_data_cannot() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let read = |data: DataRef, offset, length| bench.judge.read_data(&bench.actor, ReadData { data, offset, length });
    let input = |name: &str| DataRef::SampleInput { problem_id: problem.clone(), case_name: name.into() };
    let slice = read(input("sample/1"), 2, 100).await.expect("readable");
    assert_eq!((slice.base64.as_str(), slice.total_bytes), ("Mgo=", 4));
    let past_all = read(input("sample/1"), u64::MAX, 1).await.expect("nothing is there");
    assert_eq!((past_all.base64.as_str(), past_all.offset), ("", u64::MAX));
    assert_eq!(read(input("secret/1"), 0, 100).await.expect_err("secret").code, ErrorCode::NotFound);
    let answer = DataRef::SampleAnswer { problem_id: problem.clone(), case_name: "secret/1".into() };
    assert_eq!(read(answer, 0, 100).await.expect_err("secret").code, ErrorCode::NotFound);
    let file = DataRef::StatementFile { problem_id: problem.clone(), name: "../../agon.db".into() };
    assert_eq!(read(file, 0, 100).await.expect_err("no such file").code, ErrorCode::NotFound);
    assert_eq!(read(input("sample/1"), 0, 2 << 20).await.expect_err("too much").code, ErrorCode::BadRequest);
    let statement = GetStatement { problem_id: problem.clone(), language: "ja".into() };
    let statement = bench.judge.get_statement(&bench.actor, statement).await.expect("English is nearest");
    assert_eq!(statement.language, "en");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_ends_with_an_event_or_with_the_time() {
    let bench = Bench::open().await;
    let start = bench.judge.wait_events(&bench.actor, now()).await.expect("events");
    let wait = |wait_ms| WaitEvents { after_seq: start.last_seq, progress_counter: start.progress_counter, wait_ms };
    let nothing = bench.judge.wait_events(&bench.actor, WaitEvents { wait_ms: 1, ..wait(1) }).await.expect("answered");
    assert_eq!(nothing.events, []);
    assert_eq!(
        bench.judge.wait_events(&bench.actor, wait(30_001)).await.expect_err("too long").code,
        ErrorCode::BadRequest
    );
    let waiter = {
        let (judge, actor) = (bench.judge.clone(), bench.actor.clone());
        let request = WaitEvents { after_seq: start.last_seq, progress_counter: u64::MAX, wait_ms: 30_000 };
        // A counter of another process's life is answered at once.
        judge.wait_events(&actor, request).await.expect("answered");
        let request = WaitEvents { after_seq: start.last_seq, ..wait(30_000) };
        tokio::spawn(async move {
            let mut request = request;
            loop {
                let batch = judge.wait_events(&actor, request.clone()).await.expect("answered");
                if !batch.events.is_empty() {
                    return batch;
                }
                request.progress_counter = batch.progress_counter;
            }
        })
    };
    let problem = bench.import().await;
    let batch = waiter.await.expect("no panic");
    // On a busy machine the waiter comes so late that the audit log has its entry of the import as well.
    let of_catalog: Vec<_> = batch.events.iter().filter(|event| event.owner == "catalog").collect();
    assert!(of_catalog.iter().any(|event| event.event_type == "ProblemImported"));
    assert!(of_catalog.iter().all(|event| event.aggregate_id == problem.as_str()));
    assert!(batch.events.iter().all(|event| ["catalog", "admin"].contains(&event.owner.as_str())), "{batch:?}");
    bench.close().await;
}
