//! Nothing of one test reaches the next: processes, files, deep trees, full folders.

use std::path::Path;

use judge_core::sandbox::{CollectCaps, Outcome, RunStep};

use crate::rig::{LIMITS, Rig, behave, run, step};

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_test_leaves_is_gone_before_the_next() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let litterers: &[&[&str]] = &[
        &["daemon"],
        &["hold-stdout"],
        &["litter", "100"],
        &["litter", "60000"],
        &["deep-dirs", "200"],
        &["deep-dirs", "1000"],
        &["fork-bomb"],
        &["big-file", "20"],
    ];
    for litterer in litterers {
        let (report, _output) = run(&mut opened, behave(litterer)).await;
        assert!(opened.is_usable(), "{litterer:?} left a box that cannot be cleaned: {report:?}");
        let (report, output) = run(&mut opened, behave(&["leftovers"])).await;
        assert_eq!(report.outcome, Outcome::Exited(0), "after {litterer:?}: {report:?}");
        assert_eq!(output, "", "after {litterer:?}");
    }
    opened.destroy().await;
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kept_files_are_collected_and_then_wiped() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let make = "mkdir -p /tmp/out/pkg && printf one > /tmp/out/main && chmod 755 /tmp/out/main \
                && printf two > /tmp/out/pkg/B && ln -s /etc/passwd /tmp/out/link && mkfifo /tmp/out/fifo";
    let kept = RunStep { keep_files: true, ..step(&["/bin/sh", "-c", make]) };
    assert_eq!(run(&mut opened, kept).await.0.outcome, Outcome::Exited(0));
    let caps = CollectCaps { total_bytes: 100, files: 10 };
    let files = opened.collect(Path::new("/tmp/out"), caps).await.expect("collected");
    let seen: Vec<_> = files
        .iter()
        .map(|file| (file.relative_path.to_str().unwrap_or("?"), file.bytes.as_slice(), file.executable))
        .collect();
    assert_eq!(seen, [("main", &b"one"[..], true), ("pkg/B", b"two", false)]);
    for (path, caps) in [
        ("/tmp/out", CollectCaps { files: 1, ..caps }),
        ("/tmp/out", CollectCaps { total_bytes: 5, ..caps }),
        ("/etc", caps),
        ("/tmp/absent", caps),
        ("/tmp/out/link", caps),
    ] {
        let refused = opened.collect(Path::new(path), caps).await.expect_err("refused");
        assert_eq!(refused.code(), "collect_refused", "{path}");
    }
    assert_eq!(run(&mut opened, behave(&["exit", "0"])).await.0.outcome, Outcome::Exited(0));
    assert_eq!(run(&mut opened, behave(&["leftovers"])).await.1, "");
    opened.destroy().await;
    rig.finish().await;
}

/// S29: a file far beyond the limit is stopped, whatever the memory says.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_folder_is_the_programs_own_problem() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let limits = judge_core::sandbox::Limits { file_bytes: 1 << 40, memory_bytes: 256 << 20, ..LIMITS };
    let (report, _output) = run(&mut opened, RunStep { limits, ..behave(&["big-file", "700"]) }).await;
    assert_eq!(report.outcome, Outcome::Exited(6), "no space left in 64 MiB of /tmp: {report:?}");
    assert_eq!(run(&mut opened, behave(&["leftovers"])).await.1, "");
    opened.destroy().await;
    rig.finish().await;
}
