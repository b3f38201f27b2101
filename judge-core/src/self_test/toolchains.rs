//! Each language of the table: what its compiler calls itself, and a small program from source to verdict.

use std::sync::Arc;

use super::Parts;
use super::bench::{self, AMPLE, Bench, first_line};
use super::ledger::{Finding, Ledger};
use super::workshop::{self, Workshop};
use crate::judging::{Judged, Language, languages};
use crate::sandbox::{BoxPurpose, Limits};

const REMEDY: &str = "Build the image again with `cargo xtask setup image`: the toolchain is part of it.";
/// A virtual machine reserves much and starts many threads even to tell its version.
const VERSION_LIMITS: Limits = Limits { memory_bytes: 512 << 20, processes: 128, open_files: 128, ..AMPLE };

/// The program for a language: it reads two numbers and greets with their sum.
pub(super) fn hello(language: &Language) -> Option<&'static str> {
    Some(match language.id.as_str() {
        "c" => include_str!("programs/hello.c"),
        "cpp17" | "cpp20" => include_str!("programs/hello.cpp"),
        "python3" => include_str!("programs/hello.py"),
        "java" => include_str!("programs/hello.java"),
        "rust" => include_str!("programs/hello.rs"),
        _ => return None,
    })
}

/// Enters `toolchain_<id>` for every language.
pub(super) async fn look(parts: &Parts, workshop: &Workshop, ledger: &mut Ledger<'_>) {
    let mut bench = Bench::new(parts, BoxPurpose::Compile);
    for language in languages() {
        let name = item_name(language);
        if ledger.skip(&name) {
            continue;
        }
        let started = ledger.start();
        let finding = attempt(language, &mut bench, workshop, ledger).await;
        ledger.enter(name, started, finding);
    }
    bench.close().await;
}

pub(super) fn item_name(language: &Language) -> String {
    format!("toolchain_{}", language.id)
}

async fn attempt(
    language: &Arc<Language>,
    bench: &mut Bench<'_>,
    workshop: &Workshop,
    ledger: &mut Ledger<'_>,
) -> Finding {
    let Some(source) = hello(language) else {
        return Finding::bad(format!("no program tries {}", language.name), "Report this: the self-test lags behind.");
    };
    let version = match version(language, bench).await {
        Ok(version) => version,
        Err(Fault::Sandbox(error)) => return bench::fault(&error, ledger),
        Err(Fault::Compiler(seen)) => return Finding::bad(seen, REMEDY),
    };
    let case = match workshop.case("hello", "20 22\n", Some("hello 42\n")) {
        Ok(case) => case,
        Err(error) => return workshop::no_room(&error),
    };
    match workshop.judge(language, source, vec![case]).await {
        Ok(judged) => judge(&version, &judged),
        Err(error) => workshop::fault(&error, ledger),
    }
}

enum Fault {
    Sandbox(crate::sandbox::SandboxError),
    /// What it did instead of telling its version.
    Compiler(String),
}

/// The first line of what the table's compiler says to `--version`.
async fn version(language: &Language, bench: &mut Bench<'_>) -> Result<String, Fault> {
    let compiler = language.compile.first().cloned().unwrap_or_default();
    let argv = vec![compiler.clone(), "--version".to_owned()];
    let seen = bench.run(argv, &language.env, VERSION_LIMITS).await.map_err(Fault::Sandbox)?;
    let line = seen.first_line();
    if !seen.report.exited_cleanly() || line.is_empty() {
        let said = first_line(&seen.report.stderr);
        return Err(Fault::Compiler(format!("{compiler} --version ended as {:?} {said}", seen.report.outcome)));
    }
    Ok(line)
}

fn judge(version: &str, judged: &Judged) -> Finding {
    if judged.verdict.is_accepted() {
        let (compile_ms, run_ms) = (judged.compile.cpu_ms, judged.max_cpu_ms.unwrap_or(0));
        return Finding::Good(format!("{version}; compiled in {compile_ms} ms of CPU, ran in {run_ms} ms"));
    }
    let run = judged.runs.first().map(|run| format!("{} {}", run.outcome, run.message)).unwrap_or_default();
    let compiler = first_line(&judged.compile.text);
    let parts = [judged.reason.as_str(), judged.compile.reason.as_str(), run.trim(), compiler.as_str()];
    let why: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Finding::bad(format!("{version}; hello world was {}: {}", judged.verdict, why.join("; ")), REMEDY)
}
