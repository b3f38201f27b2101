//! From a jury program's files to something that can be started.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::domain::jury::{JuryBuild, JuryFile, JuryProgram};
use crate::domain::language::language_by_id;
use crate::judging::artefact::{Artefact, ArtefactFile};
use crate::judging::compile::{self, CAPS, LIMITS};
use crate::judging::error::JudgeError;
use crate::judging::layout::Layout;
use crate::judging::model::{CompileReport, Program, ProgramFile};
use crate::sandbox::{
    BOX_TMP, BOX_WORK, Content, Discard, ImageRef, Outcome, RunStep, Sandbox, SandboxError, Stdin, WorkFile,
};

/// Folder of a program of scripts, in the compile box's `/tmp` and below the run box's work folder.
const SCRIPTS: &str = "jury";
/// The work folder is read-only, and a build writes beside its sources.
const BUILD: &str = "mkdir /tmp/jury && cp -r /agon/work/. /tmp/jury/ && cd /tmp/jury || exit 97
chmod -R u+rwX . && if [ -f build ]; then chmod u+x build && exec ./build; fi";

/// What is started in a jury box.
#[derive(Clone, Debug)]
pub(in crate::judging) struct BuiltProgram {
    /// As messages name it.
    pub(in crate::judging) name: String,
    pub(super) artefact: Artefact,
    pub(super) argv: Vec<String>,
    pub(super) env: Vec<(String, String)>,
}

/// How a build ended, apart from faults of ours.
pub(in crate::judging) enum Build {
    Compile {
        program: Program,
    },
    Scripts {
        files: Vec<(ProgramFile, bool)>,
    },
    AsItIs {
        built: BuiltProgram,
    },
    /// In words.
    Impossible(String),
}

/// Reads the program's files and says what has to be done with them.
///
/// # Errors
/// A file cannot be read: ours.
pub(in crate::judging) fn plan(jury: &JuryProgram, contents: &BTreeMap<String, PathBuf>) -> Result<Build, JudgeError> {
    let files = read(jury, contents)?;
    Ok(match &jury.build {
        JuryBuild::Language(id) => match language_by_id(id) {
            Some(language) => {
                let files = files.into_iter().map(|(file, _)| file).collect();
                Build::Compile { program: Program { language: Arc::clone(language), files } }
            }
            None => Build::Impossible(format!("its language {id} is not in this program's table")),
        },
        JuryBuild::Scripts => Build::Scripts { files },
        JuryBuild::Executable(start) => {
            let artefact = Artefact { files: files.into_iter().map(|(file, _)| placed(file, start)).collect() };
            Build::AsItIs { built: scripts(jury, artefact, start) }
        }
    })
}

fn placed(file: ProgramFile, start: &str) -> ArtefactFile {
    let is_executable = file.name == start;
    ArtefactFile { name: format!("{SCRIPTS}/{}", file.name), bytes: file.bytes, is_executable }
}

fn read(jury: &JuryProgram, contents: &BTreeMap<String, PathBuf>) -> Result<Vec<(ProgramFile, bool)>, JudgeError> {
    jury.files
        .iter()
        .map(|file| {
            let bytes = read_content(&jury.name, file, contents)?;
            Ok((ProgramFile { name: file.name.clone(), bytes }, file.is_executable))
        })
        .collect()
}

/// The bytes of a file that the rules name by its hash.
pub(in crate::judging) fn read_content(
    of: &str,
    file: &JuryFile,
    contents: &BTreeMap<String, PathBuf>,
) -> Result<Vec<u8>, JudgeError> {
    let unreadable =
        |path: &Path, source| JudgeError::ReadCase { case_name: of.to_owned(), path: path.to_owned(), source };
    let path = contents.get(&file.hash).ok_or_else(|| {
        unreadable(Path::new(&file.name), std::io::Error::new(std::io::ErrorKind::NotFound, "its content is not there"))
    })?;
    fs::read(path).map_err(|source| unreadable(path, source))
}

/// The started form of a compiled program.
pub(in crate::judging) fn compiled(
    jury: &JuryProgram,
    layout: &Layout<'_>,
    artefact: Artefact,
    memory_bytes: u64,
) -> BuiltProgram {
    BuiltProgram { name: jury.name.clone(), artefact, argv: layout.run_argv(memory_bytes), env: layout.env() }
}

/// The started form of a program of scripts.
pub(in crate::judging) fn scripts(jury: &JuryProgram, artefact: Artefact, start: &str) -> BuiltProgram {
    BuiltProgram {
        name: jury.name.clone(),
        artefact,
        argv: vec![format!("{BOX_WORK}/{SCRIPTS}/{start}")],
        env: environment(),
    }
}

fn environment() -> Vec<(String, String)> {
    let pairs = [("PATH", "/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("HOME", "/tmp"), ("TMPDIR", "/tmp")];
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

/// Under which the outcome of a build script is kept.
pub(in crate::judging) fn scripts_key(files: &[(ProgramFile, bool)], image: &ImageRef) -> String {
    let mut hasher = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(b"jury scripts 1");
    part(image.id.as_deref().unwrap_or(&image.reference).as_bytes());
    for (file, is_executable) in files {
        part(file.name.as_bytes());
        part(&file.bytes);
        part(&[u8::from(*is_executable)]);
    }
    format!("{:x}", hasher.finalize())
}

/// Runs the build script, if there is one, and takes the folder with everything in it.
pub(in crate::judging) async fn build_scripts(
    sandbox: &dyn Sandbox,
    image: &ImageRef,
    files: &[(ProgramFile, bool)],
) -> Result<Result<(Artefact, CompileReport), String>, JudgeError> {
    let failed = |source| JudgeError::Sandbox { operation: "building a jury program", source };
    let mut build_box = sandbox.open(&compile::box_spec(image)).await.map_err(failed)?;
    for (file, executable) in files {
        let content = Content::Bytes(file.bytes.clone());
        let file = WorkFile { relative_path: PathBuf::from(&file.name), content, executable: *executable };
        build_box.put(file).await.map_err(failed)?;
    }
    let step = RunStep {
        argv: ["/bin/sh", "-c", BUILD].map(str::to_owned).to_vec(),
        env: environment(),
        working_dir: BOX_TMP.to_owned(),
        stdin: Stdin::Empty,
        limits: LIMITS,
        keep_files: true,
        stop: None,
    };
    let run = build_box.run(step, &mut Discard).await.map_err(failed)?;
    if run.outcome != Outcome::Exited(0) {
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        return Ok(Err(format!("its build script ended with {:?}: {}", run.outcome, head_of(&text))));
    }
    let collected = match build_box.collect(Path::new("/tmp/jury"), CAPS).await {
        Ok(collected) => collected,
        Err(SandboxError::CollectRefused { detail }) => return Ok(Err(detail)),
        Err(error) => return Err(failed(error)),
    };
    if !collected.iter().any(|file| file.relative_path == Path::new("run")) {
        return Ok(Err("there is no `run` after its build".to_owned()));
    }
    let files = collected.into_iter().map(|file| ArtefactFile {
        name: format!("{SCRIPTS}/{}", file.relative_path.display()),
        is_executable: file.executable || file.relative_path == Path::new("run"),
        bytes: file.bytes,
    });
    Ok(Ok((Artefact { files: files.collect() }, CompileReport { succeeded: true, ..CompileReport::default() })))
}

/// The first lines of a longer text, for a message.
pub(in crate::judging) fn head_of(text: &str) -> String {
    const CHARS: usize = 600;
    let mut head: String = text.trim().chars().take(CHARS).collect();
    if head.len() < text.trim().len() {
        head.push('…');
    }
    head
}
