//! The disk is full between content and the row that names it: nothing is half-saved, and nothing unnamed stays.

mod judge_support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use agon_contract::ErrorCode;
use agon_contract::command::{GetSubmission, ImportPackage, ListSubmissions, Submit};
use agon_contract::ids::{IdempotencyKey, LanguageId, ProblemId};
use agon_contract::package::PackageSource;
use agon_contract::submission::{SourceFile, SubmitReceipt};
use judge_core::Judge;
use judge_support::small_disk::SmallDisk;
use judge_support::{config, obedient, write_package};

/// What makes a disk full until it is dropped.
struct Filler(PathBuf);

impl Filler {
    fn fill(disk: &SmallDisk) -> Self {
        let path = disk.0.join("filler");
        let mut file = fs::File::create(&path).expect("a file");
        for size in [64 * 1024, 4096] {
            while file.write_all(&vec![1; size]).is_ok() {}
        }
        Self(path)
    }
}

impl Drop for Filler {
    fn drop(&mut self) {
        fs::remove_file(&self.0).expect("removable");
    }
}

async fn import(judge: &Judge, parent: &Path) -> ProblemId {
    let package = write_package(parent);
    let yaml = package.join("problem.yaml");
    let text = fs::read_to_string(&yaml).expect("readable").replace("memory: 256}", "memory: 256, code: 16384}");
    fs::write(&yaml, text).expect("writable");
    let source = PackageSource::Path { path: package.display().to_string() };
    let request = ImportPackage { source, replace_existing: false };
    judge.import_package(&judge.local_actor(), request).await.expect("taken in").problem_id
}

/// One source that is kept as content, and more than the write-ahead log can hold without growing.
fn request(key: &str, problem: &ProblemId) -> Submit {
    let mut files = vec![SourceFile { name: "large.cpp".into(), text: key.repeat(300 * 1024 / key.len()) }];
    files.extend((0..40).map(|number| SourceFile { name: format!("{number}.h"), text: "x".repeat(200 * 1024) }));
    Submit {
        idempotency_key: IdempotencyKey::from(key),
        problem_id: problem.clone(),
        language_id: LanguageId::from("cpp20"),
        files,
    }
}

async fn refused(judge: &Judge, request: &Submit) {
    let full = judge.submit(&judge.local_actor(), request.clone()).await.expect_err("there is no room");
    assert_eq!(full.code, ErrorCode::StorageUnavailable, "{full}");
    assert!(full.to_string().contains("Make room"), "{full}");
}

async fn saved(judge: &Judge, request: &Submit) -> SubmitReceipt {
    let receipt = judge.submit(&judge.local_actor(), request.clone()).await.expect("there is room");
    let shown = GetSubmission { submission_id: receipt.submission_id.clone() };
    let shown = judge.get_submission(&judge.local_actor(), shown).await.expect("it is there");
    assert!(shown.files == request.files, "every byte of it");
    receipt
}

async fn numbers(judge: &Judge) -> Vec<u64> {
    let request = ListSubmissions { problem_id: None, user_id: None, before_number: None, limit: 200 };
    let page = judge.list_submissions(&judge.local_actor(), request).await.expect("listable");
    page.rows.iter().map(|row| row.number).collect()
}

/// Content files; whatever else lies there is a mistake.
fn contents(blobs: &Path) -> usize {
    let names = fs::read_dir(blobs).expect("listable").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<_> = names.filter(|name| name != "filler").collect();
    assert!(names.iter().all(|name| name.len() == 64), "half-written content: {names:?}");
    names.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn content_without_its_row_and_a_row_without_its_content_are_both_nothing() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let Some(disk) = SmallDisk::mount(folder.path().join("data"), 40 * 1024) else { return };
    let Some(content_disk) = SmallDisk::mount(disk.0.join("blobs"), 4 * 1024) else { return };
    let sandbox = obedient();
    // What is saved is not judged here: only saving is looked at.
    sandbox.set_away(Some("not here"));
    let judge = Judge::open(config(&disk.0, &sandbox)).await.expect("it opens");
    let problem = import(&judge, folder.path()).await;
    let (own, blobs) = (contents(&content_disk.0), content_disk.0.clone());

    // The content is written, its row is not.
    let first = request("first", &problem);
    let filler = Filler::fill(&disk);
    refused(&judge, &first).await;
    assert_eq!((contents(&blobs), numbers(&judge).await), (own + 1, vec![]));
    drop(filler);
    let receipt = saved(&judge, &first).await;
    assert_eq!(
        (contents(&blobs), numbers(&judge).await),
        (own + 1, vec![receipt.number]),
        "once, and the same content"
    );

    // Nobody tries again: the content that nothing names goes at the next start, the other stays.
    // A fresh start has folded the write-ahead log in, which has room in it otherwise.
    judge.close().await;
    let judge = Judge::open(config(&disk.0, &sandbox)).await.expect("it opens again");
    let filler = Filler::fill(&disk);
    refused(&judge, &request("never again", &problem)).await;
    drop(filler);
    assert_eq!(contents(&blobs), own + 2);
    judge.close().await;
    let judge = Judge::open(config(&disk.0, &sandbox)).await.expect("it opens again");
    assert_eq!((contents(&blobs), numbers(&judge).await), (own + 1, vec![receipt.number]));

    // The content cannot be written: there is no row that would name it.
    let second = request("second", &problem);
    let filler = Filler::fill(&content_disk);
    refused(&judge, &second).await;
    assert_eq!((contents(&blobs), numbers(&judge).await), (own + 1, vec![receipt.number]));
    drop(filler);
    saved(&judge, &second).await;
    assert_eq!((contents(&blobs), numbers(&judge).await.len()), (own + 2, 2));
    judge.close().await;
    drop(content_disk);
    drop(disk);
}
