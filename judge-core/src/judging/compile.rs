//! Compiling in a box of its own: an artefact, or a compile error that says why.

use agon_contract::reason::ReasonKind;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::artefact::{Artefact, ArtefactFile};
use super::error::JudgeError;
use super::layout::Layout;
use super::model::{CompileReport, Program, ProgramFile};
use crate::sandbox::{
    BOX_TMP, BoxPurpose, BoxSpec, CollectCaps, CollectedFile, Content, Discard, ImageRef, Limits, Outcome, RunReport,
    RunStep, Sandbox, SandboxBox, SandboxError, Stdin, WorkFile, signal_name,
};

const MIB: u64 = 1024 * 1024;
/// 30 s, 2 GiB, 64 MiB of output. (Source: sandbox.md, "Compile".)
pub(super) const LIMITS: Limits = Limits {
    cpu_ms: 30_000,
    wall_ms: 45_000,
    memory_bytes: 2048 * MIB,
    output_bytes: 64 * MIB,
    stderr_bytes: 64 * MIB,
    file_bytes: 64 * MIB,
    processes: 128,
    open_files: 512,
};
/// What may leave the compile box.
pub(super) const CAPS: CollectCaps = CollectCaps { total_bytes: 64 * MIB, files: 2000 };
/// Compiler text that is kept; more helps nobody.
pub(super) const TEXT_BYTES_CAP: usize = 64 * 1024;

/// The end of a compilation.
#[derive(Debug)]
pub(super) enum Compiled {
    Ready(Artefact, CompileReport),
    /// A compile error; the contestant's.
    Failed(CompileReport),
}

/// The class of box compilations run in.
pub(super) fn box_spec(image: &ImageRef) -> BoxSpec {
    BoxSpec {
        purpose: BoxPurpose::Compile,
        image: image.clone(),
        memory_bytes: LIMITS.memory_bytes,
        processes: LIMITS.processes,
    }
}

/// Under which an artefact is kept: everything that can change it.
pub(super) fn cache_key(program: &Program, image: &ImageRef) -> String {
    let mut hasher = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(b"artefact 1");
    part(program.language.hash().as_bytes());
    part(image.id.as_deref().unwrap_or(&image.reference).as_bytes());
    let mut files: Vec<&ProgramFile> = program.files.iter().collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    for file in files {
        part(file.name.as_bytes());
        part(&file.bytes);
    }
    format!("{:x}", hasher.finalize())
}

/// Compiles in a fresh box.
pub(super) async fn compile(
    sandbox: &dyn Sandbox,
    image: &ImageRef,
    layout: &Layout<'_>,
) -> Result<Compiled, JudgeError> {
    let failed = |source| JudgeError::Sandbox { operation: "compiling", source };
    if !layout.has_sources() {
        let reason = ReasonKind::NoSourceOfLanguage.words().to_owned();
        return Ok(Compiled::Failed(CompileReport { reason, ..CompileReport::default() }));
    }
    let mut compile_box = sandbox.open(&box_spec(image)).await.map_err(failed)?;
    put_sources(compile_box.as_mut(), &layout.files).await.map_err(failed)?;
    let step = RunStep {
        argv: layout.compile_argv(),
        env: layout.env(),
        working_dir: BOX_TMP.to_owned(),
        stdin: Stdin::Empty,
        limits: LIMITS,
        keep_files: true,
        stop: None,
    };
    let run = compile_box.run(step, &mut Discard).await.map_err(failed)?;
    if let Outcome::LaunchFailed(errno) = run.outcome {
        return Err(JudgeError::Launch { case_name: "compiler".to_owned(), errno });
    }
    let report = report(run);
    if !report.succeeded {
        return Ok(Compiled::Failed(report));
    }
    let Some(artefact) = layout.artefact() else {
        return Ok(Compiled::Ready(sources_as_artefact(&layout.files), report));
    };
    match compile_box.collect(Path::new(&artefact), CAPS).await {
        Ok(collected) => Ok(Compiled::Ready(taken(layout, collected), report)),
        Err(SandboxError::CollectRefused { detail }) => {
            let reason = ReasonKind::ProgramNotTaken.say([&detail]);
            Ok(Compiled::Failed(CompileReport { succeeded: false, reason, ..report }))
        }
        Err(error) => Err(failed(error)),
    }
}

async fn put_sources(compile_box: &mut dyn SandboxBox, files: &[ProgramFile]) -> Result<(), SandboxError> {
    for ProgramFile { name, bytes } in files {
        let content = Content::Bytes(bytes.clone());
        compile_box.put(WorkFile { relative_path: PathBuf::from(name), content, executable: false }).await?;
    }
    Ok(())
}

/// The contestant's side of a compiler run. How it ended decides; what it printed is only shown.
fn report(run: RunReport) -> CompileReport {
    let reason = match run.outcome {
        Outcome::Exited(_) => String::new(),
        Outcome::CpuLimit | Outcome::WallLimit => ReasonKind::CompileTime.words().to_owned(),
        Outcome::MemoryLimit => ReasonKind::CompilerMemory.words().to_owned(),
        Outcome::OutputLimit => ReasonKind::CompilerOutput.words().to_owned(),
        Outcome::ProcessLimit => ReasonKind::CompilerProcesses.words().to_owned(),
        Outcome::Signalled(signal) => ReasonKind::CompilerEnded.say([&signal_name(signal)]),
        Outcome::LaunchFailed(errno) => ReasonKind::CompilerNotStarted.say([&errno]),
    };
    let (cpu_ms, wall_ms, succeeded) = (run.cpu_ms(), run.wall_ms(), run.exited_cleanly());
    let is_text_truncated = run.stderr_truncated || run.stderr.len() > TEXT_BYTES_CAP;
    let mut text = run.stderr;
    text.truncate(TEXT_BYTES_CAP);
    CompileReport { succeeded, text, is_text_truncated, reason, cpu_ms, wall_ms, from_cache: false }
}

fn sources_as_artefact(files: &[ProgramFile]) -> Artefact {
    let file = |ProgramFile { name, bytes }: &ProgramFile| ArtefactFile {
        name: name.clone(),
        bytes: bytes.clone(),
        is_executable: false,
    };
    Artefact { files: files.iter().map(file).collect() }
}

fn taken(layout: &Layout<'_>, collected: Vec<CollectedFile>) -> Artefact {
    let file = |file: CollectedFile| ArtefactFile {
        name: layout.place(&file.relative_path),
        bytes: file.bytes,
        is_executable: file.executable,
    };
    Artefact { files: collected.into_iter().map(file).collect() }
}
