//! The shim under a real `agon`: a small C library, preloaded, that records what reaches the disk, makes calls fail or
//! the process die at chosen places, and shifts the wall clock. The program under test is the one that ships.
//!
//! Theory of operation in `tests/shim/shim.h`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::parts::{self, Missing};
use crate::rooms::TempData;

const SOURCES: [&str; 4] = ["record.c", "rules.c", "calls.c", "clock.c"];

/// The built shim of one story, and the files through which it is spoken with.
#[derive(Debug)]
pub struct Shim {
    library: PathBuf,
    folder: PathBuf,
}

impl Shim {
    /// Builds it with the system's compiler into the place.
    ///
    /// # Errors
    /// There is no compiler.
    ///
    /// # Panics
    /// It does not compile.
    pub fn build(place: &TempData) -> Result<Self, Missing> {
        let compiler = parts::tool("cc", "install a C compiler (cargo xtask setup does)")?;
        let folder = place.path().join("shim");
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let library = folder.join("shim.so");
        let mut compile = Command::new(compiler);
        compile.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&library);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("shim");
        compile.args(SOURCES.map(|name| sources.join(name)));
        let done = compile.output().expect("the compiler can be started");
        assert!(done.status.success(), "the shim does not compile:\n{}", String::from_utf8_lossy(&done.stderr));
        Ok(Self { library, folder })
    }

    /// Programs of the place run with the shim from now on, which watches files below `root`.
    pub fn preload(&self, place: &mut TempData, root: &Path) {
        place.set("LD_PRELOAD", &self.library);
        place.set("AGON_SHIM_ROOT", root);
        place.set("AGON_SHIM_ARM", self.folder.join("armed"));
        place.set("AGON_SHIM_SAID", self.folder.join("said"));
    }

    /// Records changes below the root into a file, which is answered.
    #[must_use]
    pub fn record(&self, place: &mut TempData) -> PathBuf {
        let log = self.folder.join("record");
        place.set("AGON_SHIM_LOG", &log);
        log
    }

    /// From the `nth` on, `times` calls (0: all) of `operation` on a path with `needle` in it fail with `errno`, once
    /// armed. Operations: `write`, `sync`, `truncate`, `create`, `rename`, `unlink`, `folder` (its sync).
    pub fn fail(&self, place: &mut TempData, fault: &Fault) {
        let Fault { operation, needle, nth, errno, times } = fault;
        place.set("AGON_SHIM_FAULT", format!("{operation}:{needle}:{nth}:{errno}:{times}"));
    }

    /// The process dies at a place, once armed. A record stays whole, which it does not when anybody else kills it.
    pub fn kill(&self, place: &mut TempData, site: &Site) {
        place.set("AGON_SHIM_KILL", site.to_string());
    }

    /// Faults and kills begin to count.
    ///
    /// # Panics
    /// The file cannot be made.
    pub fn arm(&self) {
        std::fs::write(self.folder.join("armed"), "").expect("a file can be made");
    }

    /// Faults and kills no longer count.
    pub fn disarm(&self) {
        // Absent is what is wanted.
        let _ = std::fs::remove_file(self.folder.join("armed"));
    }

    /// Faults and kills that happened so far, as they were asked for.
    #[must_use]
    pub fn said(&self) -> Vec<String> {
        let said = std::fs::read_to_string(self.folder.join("said")).unwrap_or_default();
        said.lines().map(str::to_owned).collect()
    }

    /// Programs of the place look at a wall clock that [`set_clock`](Self::set_clock) shifts.
    pub fn own_clock(&self, place: &mut TempData) {
        self.set_clock(0);
        place.set("AGON_SHIM_CLOCK", self.clock());
    }

    /// Shifts the wall clock of running programs by so many seconds against the machine's.
    ///
    /// # Panics
    /// The file cannot be written.
    pub fn set_clock(&self, seconds: i64) {
        use std::io::Write;
        let file = std::fs::File::options().create(true).truncate(false).write(true).open(self.clock());
        let written = file.and_then(|mut file| file.write_all(&(seconds * 1_000_000_000).to_ne_bytes()));
        written.expect("the clock's file can be written");
    }

    fn clock(&self) -> PathBuf {
        self.folder.join("clock")
    }
}

/// Calls that fail.
#[derive(Clone, Debug)]
pub struct Fault {
    pub operation: &'static str,
    pub needle: &'static str,
    pub nth: u32,
    pub errno: i32,
    pub times: u32,
}

/// Input/output error.
pub const EIO: i32 = 5;
/// No space left on device.
pub const ENOSPC: i32 = 28;

/// A place at which the process is killed: at the `nth` call of `operation` on something with `needle` in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// As in [`Shim::fail`], and `answer` (to a client), `engine` (a request to it), `say` (a line of the log).
    pub operation: &'static str,
    pub needle: &'static str,
    pub moment: Moment,
    pub nth: u32,
}

/// When exactly the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    Before,
    /// With half of it done.
    Torn,
    After,
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let moment = match self.moment {
            Moment::Before => "before",
            Moment::Torn => "torn",
            Moment::After => "after",
        };
        write!(f, "{}:{}:{}:{moment}", self.operation, self.needle, self.nth)
    }
}
