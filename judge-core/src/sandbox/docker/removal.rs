//! Takes boxes away behind the scenes, and knows how many are still to go.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use super::engine::Engine;
use super::opened::{OpenedBox, container_name};

const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);

/// Removes boxes on tasks of their own.
#[derive(Clone)]
pub(super) struct Removal {
    engine: Arc<Engine>,
    runtime: Handle,
    tasks: TaskTracker,
}

impl Removal {
    pub(super) fn new(engine: Arc<Engine>, runtime: Handle) -> Self {
        Self { engine, runtime, tasks: TaskTracker::new() }
    }

    /// Hangs up on the supervisor now, which kills everything in the box, and removes the box in the background.
    pub(super) fn schedule(&self, opened: OpenedBox) -> tokio::task::JoinHandle<()> {
        opened.control.hang_up();
        let engine = Arc::clone(&self.engine);
        self.tasks.spawn_on(remove(engine, opened), &self.runtime)
    }

    /// Waits until every scheduled box is gone.
    pub(super) async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// The folder goes after the box, so that a box never loses its mount while it lives.
async fn remove(engine: Arc<Engine>, opened: OpenedBox) {
    for attempt in 1..=ATTEMPTS {
        match engine.remove(&container_name(&opened.id)).await {
            Ok(()) => return,
            Err(error) if attempt == ATTEMPTS => {
                tracing::warn!(box_id = %opened.id, %error, "a box could not be removed; the next start sweeps it");
            }
            Err(_again) => tokio::time::sleep(PAUSE).await,
        }
    }
}
