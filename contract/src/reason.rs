//! The sentences that stand behind verdicts and states: each has a stable kind and its English words, and the words can
//! be read back, so that what is stored and sent as text can be said in another language.
//!
//! Texts of compilers, engines and systems inside a sentence stay as they came. A sentence that is none of these is
//! shown as it is; to who does not look after the machine, see [`for_everyone`].

use std::fmt::Display;

/// Declares the kinds with their words; `{}` is a value.
macro_rules! reasons {
    ($($(#[$meta:meta])* $kind:ident = $words:literal / $who:ident;)+) => {
        /// What a sentence says, apart from its values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ReasonKind {
            $($(#[$meta])* $kind,)+
        }

        impl ReasonKind {
            /// Every kind, in declaration order, which is also the order of reading.
            pub const KNOWN: &'static [ReasonKind] = &[$(ReasonKind::$kind),+];

            /// The English words with `{}` for each value.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self { $(ReasonKind::$kind => $words,)+ }
            }

            /// Whether nothing of it tells how the machine is set up.
            #[must_use]
            pub fn is_for_everyone(self) -> bool {
                match self { $(ReasonKind::$kind => reasons!(@ $who),)+ }
            }
        }
    };
    (@ all) => { true };
    (@ staff) => { false };
}

reasons! {
    // What qualifies the verdict of a run.
    ExitCode = "exit code {}" / all;
    /// CPU used and its limit, in ms.
    CpuLimit = "{} ms of CPU, limit {} ms" / all;
    /// CPU used and time passed, in ms.
    Idle = "idle: {} ms of CPU in {} ms" / all;
    /// Used and allowed, in MiB.
    MemoryLimit = "{} MiB used, limit {} MiB" / all;
    OutputLimit = "limit {} bytes" / all;
    ForkLimit = "fork limit" / all;
    NotStarted = "not started: errno {}" / all;
    // Where an output first leaves its answer: token, line, byte, then what was expected and found.
    TokenMissing = "the output ends (line {}, byte {}) before token {}: expected `{}`" / all;
    TokenExtra = "token {} (line {}, byte {}): expected the end of the output, found `{}`" / all;
    /// With the tolerance between expected and found.
    NumberDiffers = "token {} (line {}, byte {}): expected `{}` within {}, found `{}`" / all;
    TokenDiffers = "token {} (line {}, byte {}): expected `{}`, found `{}`" / all;
    SpaceDiffers = "white space differs after token {} (line {}, byte {}), and here it must not" / all;
    // What ended a run.
    Exited = "exit {}" / all;
    Signalled = "signal {}" / all;
    SawCpuLimit = "cpu limit" / all;
    SawWallLimit = "wall limit" / all;
    SawMemoryLimit = "memory limit" / all;
    SawOutputLimit = "output limit" / all;
    SawProcessLimit = "process limit" / all;
    LaunchFailed = "launch failed: errno {}" / all;
    // Why a program was not compiled.
    NoSourceOfLanguage = "no file has an extension of the language" / all;
    CompileTime = "compile time limit" / all;
    CompilerMemory = "compiler memory limit" / all;
    CompilerOutput = "compiler output limit" / all;
    CompilerProcesses = "compiler process limit" / all;
    CompilerEnded = "the compiler was ended by {}" / all;
    CompilerNotStarted = "the compiler could not be started: errno {}" / all;
    ProgramNotTaken = "the compiled program cannot be taken: {}" / all;
    // Why a judging ended without a verdict, or goes on as another one.
    LeaseLost = "lease lost" / all;
    Superseded = "superseded by a rejudging" / all;
    Revived = "revived by staff" / all;
    CancelledByStaff = "cancelled by staff" / all;
    EntryLost = "its queue entry was lost" / all;
    JudgedAgain = "judged again" / all;
    ChangeSetDiscarded = "its change set was discarded" / all;
    HandedBack = "handed back at closing" / all;
    CameLate = "its verdict could not be stored in time" / all;
    LostTimes = "its judging ended without a trace {} times" / all;
    OutOfAttempts = "{} attempts failed; the last: {}" / staff;
    QueueRefused = "the queue refused it {} times; the last: {}" / staff;
    // Why a trial run has no results.
    ProcessGone = "the program ended while this ran; run it again" / all;
    ProgramClosed = "the program was closed while this ran; run it again" / all;
    TookLonger = "it took longer than {} s" / all;
    // The problem package's faults.
    NoTestCases = "the problem has no test cases" / all;
    MemoryBelowMinimum = "the memory limit of {} bytes is below the {} that {} needs to start" / all;
    PackageFault = "package fault" / all;
    // Ours and the machine's.
    /// What everybody is told while no work is taken.
    JudgingPaused = "judging is paused" / all;
    /// What everybody is told of a fault that is not theirs.
    MachineFault = "a fault of the machine that judges" / all;
    BeingLookedAt = "the sandbox is being looked at" / all;
    DiskFull = "the disk is full" / staff;
    DiskFullWhile = "the disk is full ({})" / staff;
    EngineUnreachable = "the engine cannot be reached ({}): {}" / staff;
    EngineTimeout = "the engine did not answer {} within {} ms" / staff;
    EngineRefused = "the engine refused {} with status {}: {}" / staff;
    ImageMissing = "image {} is not here: build it with `{}`" / staff;
    ImageChanged = "image {} is {}, expected {}" / staff;
    SandboxClosed = "the sandbox is closed" / staff;
    ProfileRefused = "the seccomp profile was refused: {}" / staff;
    SupervisorMissing = "the supervisor program is not at {}: build it with `{}`" / staff;
    SupervisorOutdated = "the supervisor program is not of this version of Agon ({}): build it with `{}`, or install Agon again" / staff;
    SupervisorSilent = "the supervisor of box {} did not report for duty: {}" / staff;
    SupervisorRefused = "the supervisor of box {} refuses to work: {}" / staff;
    BoxDied = "box {} died without a report: {}" / staff;
    SandboxFailed = "the sandbox failed while {}: {}" / staff;
    DiedTwice = "two boxes died under this submission while a control box was well: {}" / staff;
    CaseNotStarted = "the program of test case {} could not be started: errno {}" / staff;
    MachineBusy = "the machine is too busy to judge: test case {} got no CPU for most of {} ms, time and again" / staff;
    CasesUnreadable = "the test cases cannot be read: {}" / staff;
    SourcesUnreadable = "the sources cannot be read: {}" / staff;
    NamesNothing = "it names no {}" / staff;
    LanguageGone = "the language {} is not in this program's table" / staff;
}

/// A sentence as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub kind: ReasonKind,
    /// In the order of the words.
    pub values: Vec<String>,
}

impl ReasonKind {
    /// The sentence with its values.
    ///
    /// # Panics
    /// When the number of values is not that of the words.
    #[must_use]
    pub fn say<const N: usize>(self, values: [&dyn Display; N]) -> String {
        let mut pieces = self.words().split("{}");
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for value in values {
            let piece = pieces.next().expect("as many values as the words have places");
            text.push_str(&value.to_string());
            text.push_str(piece);
        }
        assert!(pieces.next().is_none(), "a place of `{}` has no value", self.words());
        text
    }

    fn read(self, text: &str) -> Option<Vec<String>> {
        let pieces: Vec<&str> = self.words().split("{}").collect();
        let mut rest = text.strip_prefix(*pieces.first()?)?;
        let mut values = Vec::new();
        for (index, piece) in pieces.iter().enumerate().skip(1) {
            let is_last = index + 1 == pieces.len();
            let end = if is_last { rest.strip_suffix(piece)?.len() } else { rest.find(piece)? };
            values.push(rest[..end].to_owned());
            rest = &rest[end + piece.len()..];
        }
        // Short words would fit other sentences too.
        let needs_number = self.words().starts_with("{}") || matches!(self, Self::Exited | Self::ExitCode);
        let has_number = values.first().is_some_and(|value| value.parse::<i64>().is_ok());
        (rest.is_empty() && (has_number || !needs_number)).then_some(values)
    }
}

impl Reason {
    /// What a text says, if it is one of the sentences.
    #[must_use]
    pub fn read(text: &str) -> Option<Reason> {
        ReasonKind::KNOWN.iter().find_map(|kind| kind.read(text).map(|values| Reason { kind: *kind, values }))
    }
}

/// A fault or state as it is told to who does not look after the machine: paths, commands and the words of engines are
/// for staff.
#[must_use]
pub fn for_everyone(text: &str) -> String {
    match Reason::read(text) {
        _ if text.is_empty() => String::new(),
        Some(reason) if reason.kind.is_for_everyone() => text.to_owned(),
        // A run-time error's reason is the bare name of the signal.
        None if text.starts_with("SIG") && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) => text.to_owned(),
        Some(_) | None => ReasonKind::MachineFault.words().to_owned(),
    }
}

/// What a contestant may read about a run on secret data: which limit it met. Words of the comparison and of the jury's
/// programs quote the data, and what a submission itself chooses (its exit code, a signal) could carry it out.
#[must_use]
pub fn for_contestants(text: &str) -> String {
    use ReasonKind::{
        CpuLimit, ForkLimit, Idle, MemoryLimit, OutputLimit, SawCpuLimit, SawMemoryLimit, SawOutputLimit,
        SawProcessLimit, SawWallLimit,
    };
    const LIMITS: [ReasonKind; 10] = [
        CpuLimit,
        Idle,
        MemoryLimit,
        OutputLimit,
        ForkLimit,
        SawCpuLimit,
        SawWallLimit,
        SawMemoryLimit,
        SawOutputLimit,
        SawProcessLimit,
    ];
    match Reason::read(text) {
        Some(reason) if LIMITS.contains(&reason.kind) => text.to_owned(),
        Some(_) | None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_read_limits_and_nothing_that_carries_data() {
        for text in ["1001 ms of CPU, limit 1000 ms", "idle: 1 ms of CPU in 3000 ms", "fork limit", "wall limit"] {
            assert_eq!(for_contestants(text), text);
        }
        for text in [
            "exit code 42",
            "exit 42",
            "signal SIGUSR1",
            "SIGUSR1",
            "token 1 (line 1, byte 1): expected `7`, found `8`",
            "line 3 differs",
            "secret is 7",
        ] {
            assert_eq!(for_contestants(text), "", "{text}");
        }
    }

    #[test]
    fn every_sentence_is_read_back_as_itself() {
        for kind in ReasonKind::KNOWN {
            let places = kind.words().matches("{}").count();
            let values: Vec<String> = (0..places).map(|place| (place + 7).to_string()).collect();
            let mut text = kind.words().to_owned();
            for value in &values {
                text = text.replacen("{}", value, 1);
            }
            assert_eq!(Reason::read(&text), Some(Reason { kind: *kind, values }), "{text}");
        }
    }

    #[test]
    fn what_is_said_is_what_is_read() {
        let text = ReasonKind::EngineUnreachable.say([&"ping", &"no such file (os error 2): gone"]);
        let read = Reason::read(&text).expect("one of ours");
        assert_eq!(read.values, ["ping", "no such file (os error 2): gone"]);
        assert_eq!(
            Reason::read("token 2 (line 1, byte 3): expected `4`, found ``").expect("known").values[3..],
            ["4", ""]
        );
    }

    #[test]
    fn other_texts_are_left_alone() {
        for text in ["", "exit codes", "the moon was full", "a lot of ms of CPU, limit 3 ms", "fork limits"] {
            assert_eq!(Reason::read(text), None, "{text}");
        }
    }

    #[test]
    fn what_the_machine_is_made_of_is_not_for_everyone() {
        assert_eq!(for_everyone("lease lost"), "lease lost");
        assert_eq!(for_everyone("SIGSEGV"), "SIGSEGV");
        assert_eq!(for_everyone(""), "");
        let missing = ReasonKind::SupervisorMissing.say([&"/srv/agon/target/agon-supervisor", &"cargo xtask build"]);
        for text in [missing.as_str(), "/srv/agon/blobs cannot be read", "3 attempts failed; the last: /srv"] {
            assert_eq!(for_everyone(text), "a fault of the machine that judges");
        }
    }
}
