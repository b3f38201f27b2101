//! The engine's API, each call with a timeout and an error that names the operation. Nothing is decided by the text of
//! an answer except which of the backend's faults it is.

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use bollard::Docker;
use bollard::errors::Error as EngineError;
use bollard::models::{ContainerCreateBody, ContainerState, ContainerSummary, ContainerUpdateBody};
use bollard::query_parameters::{
    CreateContainerOptions, InspectContainerOptions, ListContainersOptions, RemoveContainerOptions,
    StartContainerOptions,
};
use tokio::sync::Mutex;

use crate::sandbox::{ImageRef, SandboxError};

/// Calls that only look something up.
const LOOK_UP: Duration = Duration::from_secs(10);
/// Calls that make the engine work; a busy machine needs about a second.
const WORK: Duration = Duration::from_secs(60);

/// A connection that is made when it is first needed and survives restarts of the engine.
pub(super) struct Engine {
    address: Option<String>,
    client: Mutex<Option<Docker>>,
}

/// How a box looks from outside.
pub(super) struct BoxState {
    pub(super) running: bool,
    pub(super) oom_killed: bool,
    /// Status, exit code and the engine's error text, for people.
    pub(super) detail: String,
}

impl Engine {
    pub(super) fn new(address: Option<String>) -> Self {
        Self { address, client: Mutex::new(None) }
    }

    async fn client(&self) -> Result<Docker, SandboxError> {
        let mut client = self.client.lock().await;
        if let Some(client) = client.as_ref() {
            return Ok(client.clone());
        }
        let connected = match &self.address {
            Some(address) => Docker::connect_with_host(address),
            None => Docker::connect_with_defaults(),
        };
        let connected = connected.map_err(|error| unreachable("connect", error.to_string()))?;
        let negotiated = timed("connect", LOOK_UP, connected.negotiate_version()).await?;
        Ok(client.insert(negotiated).clone())
    }

    /// Engine version and API version.
    pub(super) async fn version(&self) -> Result<String, SandboxError> {
        let client = self.client().await?;
        let version = timed("version", LOOK_UP, client.version()).await?;
        let engine = version.version.unwrap_or_default();
        Ok(format!("{engine} (API {})", client.client_version()))
    }

    /// The id of an image, checked against the expected one.
    pub(super) async fn image_id(&self, image: &ImageRef) -> Result<String, SandboxError> {
        let client = self.client().await?;
        let inspected = timed("inspect image", LOOK_UP, client.inspect_image(&image.reference)).await;
        let found = match inspected {
            Ok(inspected) => inspected.id.unwrap_or_default(),
            Err(SandboxError::EngineRefused { status: 404, .. }) => {
                return Err(SandboxError::ImageMissing { reference: image.reference.clone() });
            }
            Err(error) => return Err(error),
        };
        match &image.id {
            Some(expected) if *expected != found => Err(SandboxError::ImageChanged {
                reference: image.reference.clone(),
                expected: expected.clone(),
                found,
            }),
            Some(_) | None => Ok(found),
        }
    }

    /// Creates a box; answers the engine's id of it.
    pub(super) async fn create(&self, name: &str, body: ContainerCreateBody) -> Result<String, SandboxError> {
        let client = self.client().await?;
        let options = CreateContainerOptions { name: Some(name.to_owned()), ..Default::default() };
        let created = timed("create", WORK, client.create_container(Some(options), body)).await;
        match created {
            Ok(created) => Ok(created.id),
            Err(SandboxError::EngineRefused { status: 404, message, .. }) => {
                Err(SandboxError::ImageMissing { reference: message })
            }
            Err(error) => Err(error),
        }
    }

    pub(super) async fn start(&self, container: &str) -> Result<(), SandboxError> {
        let client = self.client().await?;
        timed("start", WORK, client.start_container(container, None::<StartContainerOptions>)).await
    }

    pub(super) async fn update(&self, container: &str, memory_bytes: i64, processes: i64) -> Result<(), SandboxError> {
        let client = self.client().await?;
        let body = ContainerUpdateBody {
            memory: Some(memory_bytes),
            memory_swap: Some(memory_bytes),
            pids_limit: Some(processes),
            ..Default::default()
        };
        timed("update", WORK, client.update_container(container, body)).await
    }

    pub(super) async fn state(&self, container: &str) -> Result<BoxState, SandboxError> {
        let client = self.client().await?;
        let call = client.inspect_container(container, None::<InspectContainerOptions>);
        let inspected = timed("inspect", LOOK_UP, call).await?;
        Ok(box_state(inspected.state.unwrap_or_default()))
    }

    /// Kills and removes; a box that is already gone, or going, is as good.
    pub(super) async fn remove(&self, container: &str) -> Result<(), SandboxError> {
        let client = self.client().await?;
        let options = RemoveContainerOptions { force: true, v: true, ..Default::default() };
        match timed("remove", WORK, client.remove_container(container, Some(options))).await {
            Ok(()) | Err(SandboxError::EngineRefused { status: 404 | 409, .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Every box of anybody, running or not.
    pub(super) async fn list(&self, label: &str) -> Result<Vec<ContainerSummary>, SandboxError> {
        let client = self.client().await?;
        let options = ListContainersOptions {
            all: true,
            filters: Some(HashMap::from([("label".to_owned(), vec![label.to_owned()])])),
            ..Default::default()
        };
        timed("list", LOOK_UP, client.list_containers(Some(options))).await
    }
}

fn box_state(state: ContainerState) -> BoxState {
    let status = state.status.map(|status| status.to_string()).unwrap_or_default();
    BoxState {
        running: state.running.unwrap_or(false),
        oom_killed: state.oom_killed.unwrap_or(false),
        detail: format!(
            "{status}, exit code {}, oom_killed {}, {}",
            state.exit_code.unwrap_or_default(),
            state.oom_killed.unwrap_or(false),
            state.error.filter(|text| !text.is_empty()).unwrap_or("no engine error".to_owned()),
        ),
    }
}

async fn timed<T>(
    operation: &'static str,
    limit: Duration,
    call: impl Future<Output = Result<T, EngineError>>,
) -> Result<T, SandboxError> {
    match tokio::time::timeout(limit, call).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(named(operation, error)),
        Err(_elapsed) => Err(SandboxError::EngineTimeout {
            operation,
            timeout_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        }),
    }
}

fn unreachable(operation: &'static str, detail: String) -> SandboxError {
    SandboxError::EngineUnreachable { operation, detail }
}

/// Which fault of the backend an engine error is. An answer with a status is a refusal; without one the engine is away.
fn named(operation: &'static str, error: EngineError) -> SandboxError {
    match error {
        EngineError::DockerResponseServerError { status_code, message } => refused(operation, status_code, message),
        // bollard's list is long and grows; every other member means that no answer came or none that makes sense.
        no_answer => unreachable(operation, no_answer.to_string()),
    }
}

fn refused(operation: &'static str, status: u16, message: String) -> SandboxError {
    let lower = message.to_lowercase();
    if lower.contains("no space left on device") {
        SandboxError::DiskFull { operation }
    } else if lower.contains("seccomp") {
        SandboxError::ProfileRefused { detail: message }
    } else {
        SandboxError::EngineRefused { operation, status, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(status_code: u16, message: &str) -> SandboxError {
        named("start", EngineError::DockerResponseServerError { status_code, message: message.into() })
    }

    #[test]
    fn refusals_are_told_apart() {
        assert_eq!(server(500, "write /x: no space left on device").code(), "disk_full");
        assert_eq!(server(500, "Decoding seccomp profile failed: invalid character").code(), "profile_refused");
        assert_eq!(server(400, "exec: not found").code(), "engine_refused");
        assert_eq!(named("start", EngineError::RequestTimeoutError).code(), "engine_unreachable");
        assert_eq!(named("start", EngineError::SocketNotFoundError("x".into())).code(), "engine_unreachable");
    }

    #[tokio::test]
    async fn a_call_without_an_answer_ends_and_is_named() {
        let silent = std::future::pending::<Result<(), EngineError>>();
        let error = timed("start", Duration::from_millis(1), silent).await.expect_err("a timeout");
        assert!(matches!(error, SandboxError::EngineTimeout { operation: "start", timeout_ms: 1 }));
    }
}
