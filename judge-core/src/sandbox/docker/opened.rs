//! A started box whose supervisor has reported for duty: what the pool keeps and a submission takes.

use std::sync::Arc;
use std::time::Duration;

use agon_supervisor::wire::Probe;
use tokio::net::UnixListener;

use super::control::{self, Control};
use super::create::{Placement, create_body};
use super::engine::Engine;
use super::folder::{BoxFolder, InstanceFolder};
use super::protections;
use crate::ids::new_id;
use crate::sandbox::{BoxSpec, SandboxError};

/// How long a supervisor may take from the start of its box to its call.
const CALL_PATIENCE: Duration = Duration::from_secs(20);
/// How often, meanwhile, the engine is asked whether the box still runs.
const CALL_LOOK: Duration = Duration::from_millis(500);
const HELLO_PATIENCE: Duration = Duration::from_secs(10);

/// What opening boxes needs.
pub(super) struct Opener {
    pub(super) engine: Arc<Engine>,
    pub(super) instance: InstanceFolder,
    pub(super) seccomp_profile: String,
    pub(super) host_cores: usize,
}

/// A box that is ready for its first run. Its removal is the owner's business: see `removal`.
pub(super) struct OpenedBox {
    pub(super) id: String,
    pub(super) spec: BoxSpec,
    pub(super) control: Control,
    pub(super) folder: Arc<BoxFolder>,
    pub(super) probes: Vec<Probe>,
}

impl Opener {
    /// Creates and starts a box and waits for its supervisor. On any failure nothing is left of it, except where the
    /// engine cannot be told; the sweep finds that.
    pub(super) async fn open(&self, spec: &BoxSpec) -> Result<OpenedBox, SandboxError> {
        let image_id = self.engine.image_id(&spec.image).await?;
        let box_id = new_id();
        let folder = self.instance.make_box(&box_id)?;
        let listener = folder.listen()?;
        let body = create_body(
            spec,
            &Placement {
                box_id: &box_id,
                image_id: &image_id,
                seccomp_profile: &self.seccomp_profile,
                folder: &folder.path().to_string_lossy(),
                instance: &self.instance.path().to_string_lossy(),
                host_cores: self.host_cores,
            },
        );
        self.engine.create(&container_name(&box_id), body).await?;
        let opened = self.start(spec, box_id.clone(), folder, &listener).await;
        if opened.is_err() {
            self.engine.remove(&container_name(&box_id)).await?;
        }
        opened
    }

    async fn start(
        &self,
        spec: &BoxSpec,
        box_id: String,
        folder: BoxFolder,
        listener: &UnixListener,
    ) -> Result<OpenedBox, SandboxError> {
        self.engine.start(&container_name(&box_id)).await?;
        let mut control = self.await_call(&box_id, listener).await?;
        folder
            .unlink_socket()
            .map_err(|source| SandboxError::PrepareFolder { path: folder.path().to_owned(), source })?;
        let hello = control.hello(&box_id, HELLO_PATIENCE).await?;
        protections::check(&box_id, &hello.probes)?;
        Ok(OpenedBox { id: box_id, spec: spec.clone(), control, folder: Arc::new(folder), probes: hello.probes })
    }

    /// A box that ends before it calls is named with what the engine says about it.
    async fn await_call(&self, box_id: &str, listener: &UnixListener) -> Result<Control, SandboxError> {
        let handshake = |detail| SandboxError::Handshake { box_id: box_id.to_owned(), detail };
        let looks = CALL_PATIENCE.as_millis() / CALL_LOOK.as_millis();
        for _ in 0..looks {
            match control::accept(listener, CALL_LOOK).await {
                Ok(Some(control)) => return Ok(control),
                Ok(None) => {}
                Err(error) => return Err(handshake(error.to_string())),
            }
            let state = self.engine.state(&container_name(box_id)).await?;
            if !state.running {
                return Err(handshake(format!("the box ended: {}", state.detail)));
            }
        }
        Err(handshake("it never called".to_owned()))
    }
}

/// The engine's name of a box: engine calls need no second id.
pub(super) fn container_name(box_id: &str) -> String {
    format!("agon-{box_id}")
}
