//! What the program's exit code says.

use std::process::ExitCode;

/// Scripts branch on these; `agon --help` and the README list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; for `judge`: accepted, for `verify`: everything as expected.
    Success,
    /// Another verdict, or something not as expected.
    Negative,
    /// The call or the package is wrong; nothing was judged.
    Refused,
    /// Our fault or the machine's.
    Fault,
    /// Stopped by Ctrl-C or a termination signal.
    Stopped,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::Negative => Self::from(1),
            Exit::Refused => Self::from(2),
            Exit::Fault => Self::from(3),
            Exit::Stopped => Self::from(130),
        }
    }
}
