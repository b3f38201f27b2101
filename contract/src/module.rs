//! Optional services of the program: what they are called, and how each stands.

use serde::{Deserialize, Serialize};

use crate::wire_enum::wire_enum;

wire_enum! {
    /// Where the life of a module is. (Rule: delivery, "Modules".)
    ModuleState {
        /// Nothing runs: nobody switched it on, or this machine does not allow it.
        Disabled = "disabled",
        /// Its start has been asked for and has not answered; bounded.
        Starting = "starting",
        /// It runs.
        Ready = "ready",
        /// It does not do its work; the reason and the way out are with it.
        Failed = "failed",
        /// It was told to end and has not ended yet; bounded.
        Stopping = "stopping",
        /// It ran, was told to end, and has ended.
        Stopped = "stopped",
    }
}

/// All modules of this program, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListModules {}

/// Switches a module on or off, for now and for later starts; needs `manage_modules`. Answers at once: starting and
/// stopping go on, and each change of state raises the progress counter of `wait_events`. What is already so stays so,
/// except that switching on a failed module tries it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetModuleEnabled {
    pub name: String,
    pub enabled: bool,
}

/// Ends a module's run and begins another; needs `manage_modules`. `conflict` when it is switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestartModule {
    pub name: String,
}

/// One module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleView {
    /// Stable name: `file_watch` …
    pub name: String,
    pub state: ModuleState,
    /// Since when it is in this state.
    pub since_ms: i64,
    /// Why it is `failed`, or what a reader should know about the state; empty when there is nothing to say.
    pub reason: String,
    /// What to do about it; may be empty.
    pub remedy: String,
    /// Whether somebody switched it on.
    pub is_enabled: bool,
    /// Whether the machine's allowlist has it; what is not allowed never starts.
    pub is_allowed: bool,
}
