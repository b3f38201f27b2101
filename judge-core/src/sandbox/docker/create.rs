//! What the engine is asked for: the one place that lists a box's walls.

use std::collections::HashMap;

use agon_supervisor::wire::{BOX_FOLDER, SUPERVISOR_PROGRAM};
use bollard::models::{
    ContainerCreateBody, HostConfig, HostConfigCgroupnsModeEnum, HostConfigLogConfig, Mount, MountType,
    ResourcesUlimits,
};

use crate::sandbox::{BoxPurpose, BoxSpec};

/// Every box carries its id here.
pub(super) const BOX_LABEL: &str = "agon.box";
/// The folder of the instance that made it; its lock says whether that instance lives.
pub(super) const INSTANCE_LABEL: &str = "agon.instance";
/// Uid and gid of everything in a box: of nobody on the host. 1000, the first person of most machines, would own the
/// box's folders wherever that person runs Agon, and would share their process limits with what runs in boxes.
const BOX_USER: &str = "60600:60600";
/// What the supervisor and the box itself need on top of the program's limit.
const MEMORY_ALLOWANCE_BYTES: u64 = 4 << 20;
/// Less than this the engine refuses.
const LEAST_MEMORY_BYTES: u64 = 8 << 20;
/// The supervisor counts as one process.
const PROCESS_ALLOWANCE: i64 = 1;
/// File descriptors of a process at most, hard.
pub(super) const MOST_OPEN_FILES: u32 = 128;
/// One byte, not 0: a host whose `core_pattern` is a pipe (systemd-coredump, apport) dumps at 0 all the same, and a crash
/// would wait for that; the kernel takes 1 as "never" (`fs/coredump.c`), and no core file fits into it either.
const NO_CORE_DUMP: i64 = 1;
const ONE_CORE: i64 = 1_000_000_000;

/// Memory as the engine is told it.
pub(super) fn engine_memory(program_bytes: u64) -> i64 {
    let bytes = program_bytes.saturating_add(MEMORY_ALLOWANCE_BYTES).max(LEAST_MEMORY_BYTES);
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Processes as the engine is told them.
pub(super) fn engine_processes(program_processes: u32) -> i64 {
    i64::from(program_processes) + PROCESS_ALLOWANCE
}

/// Everything about one box that is not in its spec.
pub(super) struct Placement<'a> {
    pub(super) box_id: &'a str,
    /// The checked id, never a name that may have moved.
    pub(super) image_id: &'a str,
    pub(super) seccomp_profile: &'a str,
    /// The box's folder on the host, absolute.
    pub(super) folder: &'a str,
    /// The instance's folder on the host.
    pub(super) instance: &'a str,
    pub(super) host_cores: usize,
}

/// The create request. (Each option's reason: sandbox.md, "The box".)
pub(super) fn create_body(spec: &BoxSpec, placement: &Placement<'_>) -> ContainerCreateBody {
    ContainerCreateBody {
        image: Some(placement.image_id.to_owned()),
        entrypoint: Some(vec![SUPERVISOR_PROGRAM.to_owned()]),
        cmd: Some(vec![placement.box_id.to_owned()]),
        env: Some(Vec::new()),
        user: Some(BOX_USER.to_owned()),
        working_dir: Some("/".to_owned()),
        hostname: Some("box".to_owned()),
        network_disabled: Some(true),
        // PID 1 hears no SIGTERM: an engine that shuts down would wait for every box.
        stop_signal: Some("SIGKILL".to_owned()),
        labels: Some(HashMap::from([
            (BOX_LABEL.to_owned(), placement.box_id.to_owned()),
            (INSTANCE_LABEL.to_owned(), placement.instance.to_owned()),
        ])),
        host_config: Some(host_config(spec, placement)),
        ..Default::default()
    }
}

fn host_config(spec: &BoxSpec, placement: &Placement<'_>) -> HostConfig {
    let memory = engine_memory(spec.memory_bytes);
    HostConfig {
        memory: Some(memory),
        memory_swap: Some(memory),
        nano_cpus: Some(cpu_share(spec.purpose, placement.host_cores)),
        pids_limit: Some(engine_processes(spec.processes)),
        ulimits: Some(vec![ulimit("nofile", i64::from(MOST_OPEN_FILES)), ulimit("core", NO_CORE_DUMP)]),
        network_mode: Some("none".to_owned()),
        ipc_mode: Some("none".to_owned()),
        cgroupns_mode: Some(HostConfigCgroupnsModeEnum::PRIVATE),
        cap_drop: Some(vec!["ALL".to_owned()]),
        privileged: Some(false),
        // An engine may be told to put its own init first; the supervisor has to be PID 1.
        init: Some(false),
        readonly_rootfs: Some(true),
        security_opt: Some(vec!["no-new-privileges".to_owned(), format!("seccomp={}", placement.seccomp_profile)]),
        tmpfs: Some(writable_folders(spec.purpose)),
        mounts: Some(vec![Mount {
            typ: Some(MountType::BIND),
            source: Some(placement.folder.to_owned()),
            target: Some(BOX_FOLDER.to_owned()),
            read_only: Some(true),
            ..Default::default()
        }]),
        log_config: Some(HostConfigLogConfig { typ: Some("none".to_owned()), config: None }),
        ..Default::default()
    }
}

/// A program gets one core; a compiler with threads may use a second.
fn cpu_share(purpose: BoxPurpose, host_cores: usize) -> i64 {
    match purpose {
        BoxPurpose::Compile if host_cores > 1 => 2 * ONE_CORE,
        BoxPurpose::Compile | BoxPurpose::Run | BoxPurpose::Jury => ONE_CORE,
    }
}

/// The supervisor refuses a folder without `nr_inodes`: the bound keeps its wipe cheap and tells it from a host's `/tmp`.
fn writable_folders(purpose: BoxPurpose) -> HashMap<String, String> {
    let (size, inodes) = match purpose {
        BoxPurpose::Compile => ("256m", 16_384),
        BoxPurpose::Run | BoxPurpose::Jury => ("64m", 4_096),
    };
    HashMap::from([
        ("/tmp".to_owned(), format!("rw,exec,nosuid,nodev,size={size},nr_inodes={inodes},mode=1777")),
        ("/dev/shm".to_owned(), "rw,noexec,nosuid,nodev,size=16m,nr_inodes=1024,mode=1777".to_owned()),
    ])
}

fn ulimit(name: &str, value: i64) -> ResourcesUlimits {
    ResourcesUlimits { name: Some(name.to_owned()), soft: Some(value), hard: Some(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ImageRef;

    fn body(purpose: BoxPurpose) -> serde_json::Value {
        let spec = BoxSpec {
            purpose,
            image: ImageRef { reference: "agon-sandbox:x".into(), id: None },
            memory_bytes: 1 << 28,
            processes: 64,
        };
        let placement = Placement {
            box_id: "b1",
            image_id: "sha256:abc",
            seccomp_profile: "{}",
            folder: "/data/run/i/b1",
            instance: "/data/run/i",
            host_cores: 2,
        };
        serde_json::to_value(create_body(&spec, &placement)).expect("it serialises")
    }

    #[test]
    fn every_wall_is_asked_for() {
        let body = body(BoxPurpose::Run);
        let host = &body["HostConfig"];
        assert_eq!(body["User"], "60600:60600");
        assert_eq!(body["NetworkDisabled"], true);
        assert_eq!(body["Image"], "sha256:abc", "an id, not a name that may have moved");
        assert_eq!(body["Labels"]["agon.box"], "b1");
        assert_eq!(host["NetworkMode"], "none");
        assert_eq!(host["IpcMode"], "none");
        assert_eq!(host["CgroupnsMode"], "private");
        assert_eq!(host["CapDrop"], serde_json::json!(["ALL"]));
        assert_eq!(host["ReadonlyRootfs"], true);
        assert_eq!(host["SecurityOpt"], serde_json::json!(["no-new-privileges", "seccomp={}"]));
        assert_eq!(host["Memory"], host["MemorySwap"], "no swap");
        assert_eq!(host["Memory"], (1_i64 << 28) + (4 << 20));
        assert_eq!(host["PidsLimit"], 65);
        assert_eq!(host["NanoCpus"], 1_000_000_000_i64);
        assert_eq!(host["Mounts"][0]["ReadOnly"], true);
        assert_eq!(host["Mounts"][0]["Type"], "bind");
        assert!(host.get("Binds").is_none(), "a missing source of Binds is created on the host");
        assert_eq!(host["LogConfig"]["Type"], "none");
        for folder in ["/tmp", "/dev/shm"] {
            let options = host["Tmpfs"][folder].as_str().expect("a tmpfs");
            assert!(options.contains("nr_inodes="), "{folder}: {options}");
        }
        for absent in ["Privileged", "Devices", "CapAdd", "Binds", "PidMode", "UsernsMode"] {
            assert!(matches!(host.get(absent), None | Some(serde_json::Value::Bool(false))), "{absent}");
        }
    }

    #[test]
    fn a_compile_box_differs_only_in_room() {
        let mut compile = body(BoxPurpose::Compile);
        let mut run = body(BoxPurpose::Run);
        for body in [&mut compile, &mut run] {
            let host = body["HostConfig"].as_object_mut().expect("an object");
            host.remove("NanoCpus");
            host.remove("Tmpfs");
        }
        assert_eq!(compile, run);
    }

    #[test]
    fn tiny_limits_become_what_the_engine_takes() {
        assert_eq!(engine_memory(1 << 20), 8 << 20);
        assert_eq!(engine_memory(u64::MAX), i64::MAX);
    }
}
