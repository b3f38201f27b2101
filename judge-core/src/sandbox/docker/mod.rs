//! The Docker backend: one box per submission, our supervisor in it as PID 1, descriptors passed over a socket.
//!
//! The engine creates, starts, updates and removes boxes and is asked nothing else; programs are run, limited and
//! measured by the supervisor. A box belongs to this instance's folder, whose lock tells a later sweep that it is gone.

mod control;
mod create;
mod engine;
mod exchange;
mod folder;
mod in_use;
mod opened;
mod orphans;
mod pool;
mod profile;
mod protections;
mod removal;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use agon_supervisor::wire::Probe;
use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::engine::Engine;
use self::folder::InstanceFolder;
use self::in_use::BoxInUse;
use self::opened::{OpenedBox, Opener};
use self::pool::{NextStep, Pool};
pub use self::profile::SeccompProfile;
use self::removal::Removal;
use crate::ids::new_id;

use super::{BoxSpec, ImageRef, Sandbox, SandboxBox, SandboxError, SandboxHealth, SandboxStatus};

/// Pause of the filler after a box could not be opened: the engine may be away for long.
const FILL_BACKOFF: Duration = Duration::from_secs(5);

/// How the backend is set up.
#[derive(Clone, Debug)]
pub struct DockerSettings {
    /// The engine's address (`unix://…`); `None` means `DOCKER_HOST`, else the usual socket.
    pub engine: Option<String>,
    /// Folder for the boxes' files, on a file system that may hold programs; made if absent.
    pub work_root: PathBuf,
    /// The static supervisor; see [`find_supervisor`](super::find_supervisor).
    pub supervisor: PathBuf,
    /// The image whose presence the status tells.
    pub image: ImageRef,
    pub seccomp: SeccompProfile,
    /// Ready boxes per class, about twice the workers; 0 keeps none.
    pub warm_boxes: usize,
}

/// The Docker engine as a [`Sandbox`].
pub struct DockerSandbox {
    shared: Arc<Shared>,
    /// Taken by the first `close`.
    filler: tokio::sync::Mutex<Option<JoinHandle<()>>>,
}

/// What the sandbox, its boxes and its tasks have in common.
struct Shared {
    engine: Arc<Engine>,
    settings: DockerSettings,
    /// Made when the first box is opened, so that a missing part is a status and not a failed start.
    opener: OnceLock<Opener>,
    opening: tokio::sync::Mutex<()>,
    pool: Pool,
    /// Boxes on their way to callers. An opening is never cut off: the engine would finish what nobody remembers.
    openings: TaskTracker,
    runtime: Handle,
    removal: Removal,
    last_probes: Mutex<Option<Vec<Probe>>>,
    closing: CancellationToken,
}

impl DockerSandbox {
    /// Sets the backend up without asking the engine anything. Call it inside a tokio runtime; that runtime fills the
    /// pool and removes boxes.
    #[must_use]
    pub fn new(settings: DockerSettings) -> Self {
        let engine = Arc::new(Engine::new(settings.engine.clone()));
        let runtime = Handle::current();
        let shared = Arc::new(Shared {
            pool: Pool::new(settings.warm_boxes, host_cores()),
            openings: TaskTracker::new(),
            removal: Removal::new(Arc::clone(&engine), runtime.clone()),
            runtime: runtime.clone(),
            engine,
            settings,
            opener: OnceLock::new(),
            opening: tokio::sync::Mutex::new(()),
            last_probes: Mutex::new(None),
            closing: CancellationToken::new(),
        });
        let filler = runtime.spawn(fill(Arc::clone(&shared)));
        Self { shared, filler: tokio::sync::Mutex::new(Some(filler)) }
    }
}

impl Drop for DockerSandbox {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

fn host_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Shared {
    /// The opener, made once all its parts are there.
    async fn opener(&self) -> Result<&Opener, SandboxError> {
        let _one_at_a_time = self.opening.lock().await;
        if let Some(opener) = self.opener.get() {
            return Ok(opener);
        }
        let seccomp_profile = self.settings.seccomp.load()?;
        let name = new_id();
        let instance = InstanceFolder::create(&self.settings.work_root, &name, &self.settings.supervisor)?;
        let engine = Arc::clone(&self.engine);
        let opener = Opener { engine, instance, seccomp_profile, host_cores: host_cores() };
        Ok(self.opener.get_or_init(|| opener))
    }

    async fn open_fresh(&self, spec: &BoxSpec) -> Result<OpenedBox, SandboxError> {
        let opened = self.opener().await?.open(spec).await?;
        let mut last = self.last_probes.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(opened.probes.clone());
        drop(last);
        Ok(opened)
    }

    /// Opens a box that is removed if the caller has gone away meanwhile: a dropped [`BoxInUse`] does that itself.
    async fn open_for_caller(self: &Arc<Self>, spec: &BoxSpec) -> Result<BoxInUse, SandboxError> {
        let (answer, opened) = tokio::sync::oneshot::channel();
        let (shared, spec) = (Arc::clone(self), spec.clone());
        let opening = async move {
            let opened = shared.open_fresh(&spec).await;
            let _caller_may_be_gone = answer.send(opened.map(|opened| BoxInUse::new(opened, shared)));
        };
        self.openings.spawn_on(opening, &self.runtime);
        opened.await.unwrap_or(Err(SandboxError::Closed))
    }

    /// A ready box whose supervisor is still there; dead ones are taken away on the way.
    fn take_ready(&self, spec: &BoxSpec) -> Option<OpenedBox> {
        loop {
            let mut opened = self.pool.take(spec)?;
            if opened.control.is_open() {
                return Some(opened);
            }
            tracing::warn!(box_id = %opened.id, "a warm box had died");
            self.removal.schedule(opened);
        }
    }

    /// Ends the pool; what was ready is removed in the background.
    fn stop(&self) {
        self.closing.cancel();
        for opened in self.pool.close() {
            self.removal.schedule(opened);
        }
    }

    /// Opens one box for the pool.
    async fn fill_one(&self, spec: &BoxSpec) -> Result<(), SandboxError> {
        let opened = self.open_fresh(spec).await?;
        if let Err(late) = self.pool.add(opened) {
            self.removal.schedule(*late);
        }
        Ok(())
    }
}

/// Keeps the pool as its rules want it, until it closes.
async fn fill(shared: Arc<Shared>) {
    loop {
        match shared.pool.next_step() {
            NextStep::Stop => return,
            NextStep::Remove(opened) => {
                shared.removal.schedule(*opened);
            }
            NextStep::Wait => shared.pool.changed.notified().await,
            NextStep::Open(spec) => {
                if let Err(error) = shared.fill_one(&spec).await {
                    tracing::debug!(%error, "the warm pool could not be filled");
                    let _closing = shared.closing.run_until_cancelled(tokio::time::sleep(FILL_BACKOFF)).await;
                }
            }
        }
    }
}

#[async_trait]
impl Sandbox for DockerSandbox {
    async fn status(&self) -> SandboxStatus {
        let shared = &self.shared;
        let mut status = SandboxStatus {
            backend: "docker".to_owned(),
            health: SandboxHealth::Ready,
            message: String::new(),
            engine_version: String::new(),
            image: shared.settings.image.reference.clone(),
            image_id: String::new(),
            protections: Vec::new(),
            warm_boxes: u32::try_from(shared.pool.ready_count()).unwrap_or(u32::MAX),
        };
        {
            let probes = shared.last_probes.lock().unwrap_or_else(PoisonError::into_inner);
            status.protections = protections::shown(probes.as_deref());
        }
        if let Err(error) = look(shared, &mut status).await {
            status.health = error.health();
            status.message = error.to_string();
        }
        status
    }

    async fn open(&self, spec: &BoxSpec) -> Result<Box<dyn SandboxBox>, SandboxError> {
        if self.shared.pool.is_closed() {
            return Err(SandboxError::Closed);
        }
        self.shared.pool.want(spec);
        Ok(Box::new(match self.shared.take_ready(spec) {
            Some(opened) => BoxInUse::new(opened, Arc::clone(&self.shared)),
            None => self.shared.open_for_caller(spec).await?,
        }))
    }

    fn prewarm(&self, spec: &BoxSpec) {
        self.shared.pool.want(spec);
    }

    async fn sweep_orphans(&self) -> Result<usize, SandboxError> {
        let opener = self.shared.opener().await?;
        orphans::sweep(&self.shared.engine, &opener.instance).await
    }

    async fn close(&self) {
        self.shared.stop();
        // A box that the filler was opening is scheduled for removal before the filler ends.
        if let Some(filler) = self.filler.lock().await.take()
            && let Err(error) = filler.await
        {
            tracing::error!(%error, "the task that fills the warm pool failed");
        }
        self.shared.openings.close();
        self.shared.openings.wait().await;
        self.shared.removal.finish().await;
    }
}

/// Everything that must be there before a box can be opened.
async fn look(shared: &Shared, status: &mut SandboxStatus) -> Result<(), SandboxError> {
    if shared.pool.is_closed() {
        return Err(SandboxError::Closed);
    }
    status.engine_version = shared.engine.version().await?;
    status.image_id = shared.engine.image_id(&shared.settings.image).await?;
    shared.opener().await.map(|_| ())
}
