//! What the sandbox says about itself, and the self-test's report.

use serde::{Deserialize, Serialize};

use crate::wire_enum::wire_enum;

wire_enum! {
    /// Whether work can be judged now.
    SandboxHealth {
        Ready = "ready",
        /// The backend is coming up or being probed.
        Starting = "starting",
        /// The engine does not answer; dispatch is paused and nothing is lost.
        EngineAway = "engine_away",
        /// The image is not there.
        ImageMissing = "image_missing",
        /// The engine refused the profile or an option; isolation is never weakened to go on.
        ProfileRefused = "profile_refused",
        /// Below the safety level of free disk.
        DiskFull = "disk_full",
    }
}

wire_enum! {
    /// Whether one protection really holds.
    ProtectionState {
        Active = "active",
        Absent = "absent",
        /// Not yet probed.
        Unprobed = "unprobed",
    }
}

/// One protection as probed, not as configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// Stable name: `network_none`, `seccomp`, `landlock`, `cgroup_memory`, `read_only_root` …
    pub name: String,
    pub state: ProtectionState,
    /// E.g. the cgroup version or the reason for its absence.
    pub detail: String,
}

/// The sandbox indicator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxStatus {
    /// `docker`, `native` …
    pub backend: String,
    pub health: SandboxHealth,
    /// What failed and what to do, when not ready.
    pub message: String,
    pub engine_version: String,
    pub image: String,
    pub image_id: String,
    pub protections: Vec<Protection>,
    /// Warm boxes ready to be taken.
    pub warm_boxes: u32,
}

/// One line of the self-test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfTestItem {
    /// Stable name: `engine`, `image`, `limit_memory`, `toolchain_cpp17` …
    pub name: String,
    pub passed: bool,
    /// What was seen.
    pub detail: String,
    /// What to do when it failed.
    pub remedy: String,
    pub duration_ms: u64,
}

/// How far a running self-test is; needs `read_operations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetSelfTestProgress {}

/// Where the self-test that was started last stands. It moves with the progress counter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfTestProgress {
    pub is_running: bool,
    /// Checks that have ended, and how many there are.
    pub done: u32,
    pub total: u32,
    pub failed: u32,
    /// Name of the check that ended last; empty before the first.
    pub last: String,
}

/// One green or red report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfTestReport {
    pub passed: bool,
    pub started_at_ms: i64,
    pub items: Vec<SelfTestItem>,
    pub sandbox: SandboxStatus,
}
