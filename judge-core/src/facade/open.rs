//! Opening and closing: lock, schema, recovery, workers – and the way back.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::{Judge, JudgeConfig, OpenError, Rooms, backend, optional, uploads};
use crate::delivery::consumer::Consumer;
use crate::execution::Executions;
use crate::ids::new_id;
use crate::judging::Judging;
use crate::owner;
use crate::owner::admin::{Admin, Boot};
use crate::owner::auth::Auth;
use crate::owner::catalog::Catalog;
use crate::owner::notification::Notifications;
use crate::owner::submission::Submissions;
use crate::sandbox::{Sandbox, SandboxError};
use crate::store::authorizer::Owner;
use crate::store::blobs::Blobs;
use crate::store::folder::DataFolder;
use crate::store::journal::Journal;
use crate::store::lock::{FolderLock, LockError};
use crate::store::owner_socket::Heard;
use crate::store::{EventKeeper, OwnerStore, Store, StoreError, chain};
use crate::worker::{Backups, Board, Crew, Gate, Mail, NOBODY_JUDGES, Retention, Signals, Upkeep, Workshop};

/// Pauses between sweeps for orphaned boxes.
const FIRST_SWEEP_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_SWEEP_PAUSE: Duration = Duration::from_secs(60);
/// Calls of other processes that wait while the judge opens.
const CALLS_WAITING_MAX: usize = 16;

impl Judge {
    /// Takes the data folder, brings its schema up to date, recovers what a crash left and starts the workers.
    ///
    /// # Errors
    /// [`OpenError`]; `Occupied` when another process owns the folder.
    pub async fn open(config: JudgeConfig) -> Result<Self, OpenError> {
        let started_at_ms = config.clock.wall_ms();
        let root = config.data_folder.clone();
        let unusable = |detail: String| OpenError::FolderUnusable { folder: root.clone(), detail };
        let folder = DataFolder::create(&root).map_err(|error| unusable(error.told()))?;
        let lock = take_lock(&folder, &config.program)?;
        let shows = Arc::new(watch::Sender::new(0));
        let closing = CancellationToken::new();
        let (calls, called) = mpsc::channel(CALLS_WAITING_MAX);
        let heard = Heard { shows: Arc::clone(&shows), calls };
        lock.serve(heard, closing.clone()).map_err(|error| unusable(error.told()))?;
        let broken = |error: StoreError| OpenError::StoreUnusable { folder: root.clone(), detail: error.told() };
        let store = open_store(&folder, &config).await.map_err(broken)?;
        let boot_id = new_id();
        let owners = Owners::open(&store, &folder, &config, &boot_id).map_err(broken)?;
        if !config.only_looks {
            owners.recover().await.map_err(broken)?;
            let boot = Boot { boot_id: boot_id.clone(), program: config.program.clone() };
            owners.admin.record_boot(boot).await.map_err(broken)?;
            owners.collect_blobs(&folder).await.map_err(unusable)?;
        }
        let local_actor = owners.auth.local_profile().await.map_err(broken)?;
        let set_workers = owners.admin.workers().await.map_err(broken)?;
        let workers = config.workers.or(set_workers).unwrap_or_else(backend::default_workers).max(1);
        let (admin, notifications) = (owners.admin.clone(), owners.notifications.clone());
        let start_budget = admin.setting(optional::START_BUDGET.to_owned()).await.map_err(broken)?;
        let uploads = uploads::Uploads::at(folder.run().join("uploads"));
        let backups = owners.backups(&config, &folder, &boot_id, &closing);
        if !config.only_looks {
            backups.recover().await.map_err(|error| unusable(chain(&error)))?;
        }
        let mail = owners.mail(&store, &config, &boot_id);
        let retention = owners.retention(&mail, &config, &boot_id, store.event_keeper().map_err(broken)?);
        let (auth, shop) = owners.into_workshop(&config, &folder, workers);
        let crew = if config.only_looks {
            shop.gate.pause(NOBODY_JUDGES);
            Crew::nobody()
        } else {
            sweep_orphans(&shop.sandbox);
            Crew::start(&shop, &mail, Upkeep { backups: backups.clone(), retention }, workers)
        };
        let events = store.event_log().map_err(broken)?;
        let journal = Arc::new(Journal::at(folder.journal()));
        let watch = optional::watch_board(&shop.board);
        let rooms = Arc::new_cyclic(|rooms| Rooms {
            modules: optional::roster(
                vec![optional::file_watch(rooms, &admin, &shop, &journal, &watch)],
                &config,
                &shop.board,
                optional::start_budget(start_budget),
            ),
            module_turn: tokio::sync::Mutex::new(()),
            self_test: Mutex::default(),
            watch,
            events,
            journal,
            crew: Mutex::new(Some(crew)),
            closing,
            config,
            folder,
            lock,
            store,
            auth,
            notifications,
            admin,
            mail,
            backups,
            uploads,
            shop,
            local_actor,
            workers,
            started_at_ms,
            shows,
            new_address: OnceLock::new(),
        });
        let takes_paths = rooms.config.takes_paths;
        let judge = Self { rooms, takes_paths };
        if let Err(error) = judge.start_modules().await {
            tracing::error!(%error, "the optional services could not be looked up; none of them runs");
        }
        judge.answer_calls(called);
        Ok(judge)
    }

    /// Stops dispatch, hands running work back to the queue, removes every box and frees the folder. A second call
    /// does nothing.
    pub async fn close(&self) {
        let crew = self.rooms.crew.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(crew) = crew else { return };
        crew.stop();
        self.rooms.closing.cancel();
        // The watch may be waiting for a box, and a box for its worker: none of them waits for another.
        tokio::join!(self.rooms.modules.close(), crew.ended());
        if !self.rooms.config.only_looks {
            self.rooms.mail.settle().await;
        }
        self.rooms.shop.sandbox.close().await;
        if let Err(error) = self.rooms.store.checkpoint() {
            tracing::warn!(error = %chain(&error), "the write-ahead log was not folded in; the next start does it");
        }
        self.rooms.lock.release();
    }
}

pub(super) fn take_lock(folder: &DataFolder, program: &str) -> Result<FolderLock, OpenError> {
    FolderLock::take(folder, program).map_err(|error| match error {
        LockError::Occupied { holder } => OpenError::Occupied {
            folder: folder.root().to_owned(),
            program: holder.as_ref().map_or_else(|| "another program".to_owned(), |holder| holder.program.clone()),
            process_id: holder.as_ref().map_or(0, |holder| holder.process_id),
            socket: holder.and_then(|holder| holder.socket),
        },
        LockError::Folder(error) => {
            OpenError::FolderUnusable { folder: folder.root().to_owned(), detail: chain(&error) }
        }
    })
}

async fn open_store(folder: &DataFolder, config: &JudgeConfig) -> Result<Store, StoreError> {
    let (path, backups, clock) = (folder.database(), folder.backups(), Arc::clone(&config.clock));
    tokio::task::spawn_blocking(move || Store::open(&path, &backups, clock, owner::SCHEMA))
        .await
        .map_err(|_| StoreError::Interrupted { operation: "open the store" })?
}

/// The owners of one open folder.
struct Owners {
    auth: Auth,
    admin: Admin,
    catalog: Catalog,
    submissions: Submissions,
    executions: Executions,
    notifications: Notifications,
    blobs: Blobs,
    /// Of every owner that has an outbox.
    outboxes: Vec<OwnerStore>,
}

impl Owners {
    fn open(store: &Store, folder: &DataFolder, config: &JudgeConfig, boot_id: &str) -> Result<Self, StoreError> {
        let blobs = Blobs::at(folder.blobs());
        let (auth, admin) = (store.owner(Owner::Auth)?, store.owner(Owner::Admin)?);
        let (catalog, submission) = (store.owner(Owner::Catalog)?, store.owner(Owner::Submission)?);
        let notification = store.owner(Owner::Notification)?;
        let image = backend::image().reference;
        Ok(Self {
            outboxes: vec![auth.clone(), admin.clone(), catalog.clone(), submission.clone(), notification.clone()],
            auth: Auth::new(auth, Arc::clone(&config.clock)),
            admin: Admin::new(admin),
            catalog: Catalog::new(catalog, blobs.clone()),
            notifications: Notifications::new(notification),
            executions: Executions::new(submission.clone(), boot_id),
            submissions: Submissions::new(submission, blobs.clone(), Arc::clone(&config.clock), boot_id, &image),
            blobs,
        })
    }

    fn backups(
        &self,
        config: &JudgeConfig,
        folder: &DataFolder,
        boot_id: &str,
        closing: &CancellationToken,
    ) -> Backups {
        let (admin, blobs, clock) = (self.admin.clone(), self.blobs.clone(), Arc::clone(&config.clock));
        Backups::new(admin, blobs, folder.clone(), clock, boot_id, closing.child_token())
    }

    fn retention(&self, mail: &Mail, config: &JudgeConfig, boot_id: &str, events: EventKeeper) -> Retention {
        Retention {
            mail: mail.clone(),
            admin: self.admin.clone(),
            catalog: self.catalog.clone(),
            submissions: self.submissions.clone(),
            blobs: self.blobs.clone(),
            events,
            clock: Arc::clone(&config.clock),
            boot_id: boot_id.into(),
        }
    }

    /// Who sends messages, and who listens.
    fn mail(&self, store: &Store, config: &JudgeConfig, boot_id: &str) -> Mail {
        let consumers: Vec<Arc<dyn Consumer>> =
            vec![Arc::new(self.admin.clone()), Arc::new(self.notifications.consumer())];
        Mail::new(store, self.outboxes.clone(), consumers, Arc::clone(&config.clock), boot_id)
    }

    /// What a process that is gone had in its hands goes on. The folder's lock is held, so nobody else works here.
    async fn recover(&self) -> Result<(), StoreError> {
        let judgements = self.submissions.recover().await?;
        self.submissions.reclaim().await?;
        let previews = self.executions.recover().await?;
        if judgements + previews > 0 {
            tracing::info!(judgements, previews, "work that an earlier run left was recovered");
        }
        Ok(())
    }

    /// Removes content that no row names. Nobody writes yet, so nothing half-written is in danger.
    async fn collect_blobs(&self, folder: &DataFolder) -> Result<(), String> {
        let mut reachable: BTreeSet<String> = self.catalog.blob_hashes().await.map_err(|error| chain(&error))?;
        reachable.extend(self.submissions.blob_hashes().await.map_err(|error| chain(&error))?);
        let blobs = self.blobs.clone();
        let collected = tokio::task::spawn_blocking(move || blobs.collect(&reachable)).await;
        let removed = collected.map_err(|error| error.to_string())?.map_err(|error| chain(&error))?;
        if removed > 0 {
            tracing::info!(removed, folder = %folder.blobs().display(), "content that nothing names was removed");
        }
        Ok(())
    }

    fn into_workshop(self, config: &JudgeConfig, folder: &DataFolder, workers: usize) -> (Auth, Workshop) {
        let sandbox = backend::sandbox(&config.sandbox, folder.boxes(), workers);
        let board = Board::new();
        let judging = Judging::new(Arc::clone(&sandbox), backend::image(), backend::compile_cache(folder.cache()));
        let shop = Workshop {
            submissions: self.submissions,
            executions: self.executions,
            catalog: self.catalog,
            judging,
            sandbox,
            folder: folder.clone(),
            clock: Arc::clone(&config.clock),
            gate: Gate::new(board.clone()),
            board,
            signals: Arc::new(Signals::default()),
            machine: backend::machine().into(),
        };
        (self.auth, shop)
    }
}

/// Boxes of a process that is gone are removed beside the start: the engine may be slow, or away until somebody starts
/// it. One look is not enough even when it succeeds: an engine goes on making a box that a process asked for and did not
/// live to see. So looks go on for as long as the judge is open, soon at first, then rarely.
fn sweep_orphans(sandbox: &Arc<dyn Sandbox>) {
    let sandbox = Arc::downgrade(sandbox);
    tokio::spawn(async move {
        let mut pause = FIRST_SWEEP_PAUSE;
        while let Some(open) = sandbox.upgrade() {
            match open.sweep_orphans().await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "boxes of an earlier run were removed"),
                Err(SandboxError::Closed) => return,
                Err(error) => tracing::warn!(error = %chain(&error), "boxes of earlier runs could not be looked for"),
            }
            drop(open);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_SWEEP_PAUSE);
        }
    });
}
