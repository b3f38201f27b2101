//! An owner's handle on the store: one writer, a few readers, every change in a transaction of its own.

use std::cell::Cell;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::{Semaphore, watch};

use super::StoreError;
use super::authorizer::{Access, Owner};
use super::connection::{open_reader, open_unbounded, open_writer};
use super::event::{EventLog, NewEvent};
use super::migrate::{self, OwnerMigrations};
use crate::clock::Clock;

/// Readers per owner: enough for a page that waits on nothing while another is read.
const READERS: usize = 2;
/// Of those that judging and delivery look through, which wait behind nobody's list.
const WORK_READERS: usize = 1;

/// The database of one data folder. Made once per process; hands out the owners' handles.
pub(crate) struct Store {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    /// Taken before `BEGIN IMMEDIATE`, so that the writers of this process queue instead of polling SQLite's lock.
    write_turn: Arc<Mutex<()>>,
    wakes: Wakes,
}

/// What waits for commits. Only wake-ups: what happened is in the tables.
#[derive(Clone)]
struct Wakes {
    /// An event was committed.
    events: watch::Sender<u64>,
    /// A message was committed to an outbox.
    messages: watch::Sender<u64>,
}

impl Store {
    /// Opens or makes the database and brings it to the newest schema.
    pub(crate) fn open(
        path: &Path,
        backups: &Path,
        clock: Arc<dyn Clock>,
        schema: &[OwnerMigrations],
    ) -> Result<Self, StoreError> {
        migrate::run(path, backups, clock.wall_ms(), schema)?;
        let wakes = Wakes { events: watch::Sender::new(0), messages: watch::Sender::new(0) };
        Ok(Self { path: path.to_owned(), clock, write_turn: Arc::default(), wakes })
    }

    /// The only writer of the owner's tables.
    pub(crate) fn owner(&self, owner: Owner) -> Result<OwnerStore, StoreError> {
        let access = Access::Owner(owner);
        Ok(OwnerStore {
            owner,
            writer: Arc::new(Mutex::new(open_writer(&self.path, access)?)),
            readers: Readers::open(&self.path, access, READERS)?,
            work_readers: Readers::open(&self.path, access, WORK_READERS)?,
            clock: Arc::clone(&self.clock),
            write_turn: Arc::clone(&self.write_turn),
            wakes: self.wakes.clone(),
        })
    }

    pub(crate) fn event_log(&self) -> Result<EventLog, StoreError> {
        Ok(EventLog::new(self, Readers::open(&self.path, Access::EventReader, READERS)?))
    }

    /// Who removes old events.
    pub(crate) fn event_keeper(&self) -> Result<EventKeeper, StoreError> {
        let writer = Arc::new(Mutex::new(open_writer(&self.path, Access::EventKeeper)?));
        Ok(EventKeeper { writer, write_turn: Arc::clone(&self.write_turn) })
    }

    pub(super) fn wake(&self) -> &watch::Sender<u64> {
        &self.wakes.events
    }

    /// Moves after each commit that put a message into an outbox.
    pub(crate) fn messages(&self) -> watch::Receiver<u64> {
        self.wakes.messages.subscribe()
    }

    /// Lets the numbers of events jump, so that no number that was given before a restore is ever given again: who
    /// stands at one is told that it missed something.
    pub(crate) fn skip_event_numbers(&self) -> Result<(), StoreError> {
        let jump = "UPDATE sqlite_sequence SET seq = seq + 1000000000 WHERE name = 'delivery_event'";
        open_unbounded(&self.path)?
            .execute(jump, [])
            .map(drop)
            .map_err(|source| StoreError::OpenDatabase { path: self.path.clone(), source })
    }

    /// Moves the write-ahead log into the database file, so that a closed folder is one file.
    pub(crate) fn checkpoint(&self) -> Result<(), StoreError> {
        let connection = open_unbounded(&self.path)?;
        connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
            .map_err(|source| StoreError::OpenDatabase { path: self.path.clone(), source })
    }
}

/// Removes from the event log, which no owner may. Clones share the connection.
#[derive(Clone)]
pub(crate) struct EventKeeper {
    writer: Arc<Mutex<Connection>>,
    write_turn: Arc<Mutex<()>>,
}

impl EventKeeper {
    /// Runs `work` in one `BEGIN IMMEDIATE` transaction.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let this = self.clone();
        let write = move || {
            let _turn = lock(&this.write_turn);
            let mut connection = lock(&this.writer);
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        let done = tokio::task::spawn_blocking(write).await.map_err(|_| StoreError::Interrupted { operation })?;
        done.map_err(|source| StoreError::Write { owner: Owner::Admin, operation, source })
    }
}

/// Reads and writes one owner's tables. Clones share the connections.
#[derive(Clone)]
pub(crate) struct OwnerStore {
    owner: Owner,
    writer: Arc<Mutex<Connection>>,
    readers: Readers,
    work_readers: Readers,
    clock: Arc<dyn Clock>,
    write_turn: Arc<Mutex<()>>,
    wakes: Wakes,
}

impl OwnerStore {
    /// Whose tables these are.
    pub(crate) fn owner(&self) -> Owner {
        self.owner
    }

    /// Runs `work` in one `BEGIN IMMEDIATE` transaction. When this answers `Ok`, the change is on disk; on `Err`
    /// nothing of it is.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&WriteTx<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let this = self.clone();
        tokio::task::spawn_blocking(move || this.write_blocking(operation, work))
            .await
            .map_err(|_| StoreError::Interrupted { operation })?
    }

    /// [`write`](Self::write) for callers outside the async runtime.
    pub(crate) fn write_blocking<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&WriteTx<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let failed = |source| StoreError::Write { owner: self.owner, operation, source };
        let _turn = lock(&self.write_turn);
        let mut connection = lock(&self.writer);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let tx = WriteTx {
            transaction,
            owner: self.owner,
            wall_ms: self.clock.wall_ms(),
            steady_ms: self.clock.steady_ms(),
            emitted: Cell::new(false),
            posted: Cell::new(false),
        };
        let value = work(&tx).map_err(failed)?;
        let (emitted, posted) = (tx.emitted.get(), tx.posted.get());
        // Kept as they are: stories of crashes find the places to kill at by these two lines.
        tracing::trace!("committing {operation}");
        tx.transaction.commit().map_err(failed)?;
        tracing::trace!("committed {operation}");
        for (moved, wake) in [(emitted, &self.wakes.events), (posted, &self.wakes.messages)] {
            if moved {
                wake.send_modify(|count| *count = count.wrapping_add(1));
            }
        }
        Ok(value)
    }

    /// Runs `work` on a read-only connection.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.readers.read(operation, work).await
    }

    /// [`read`](Self::read) for what keeps submissions going: it waits for no list that somebody looks at.
    pub(crate) async fn read_for_work<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.work_readers.read(operation, work).await
    }
}

#[cfg(test)]
impl OwnerStore {
    /// Keeps every reader of [`read_for_work`](Self::read_for_work) busy until `until` ends.
    pub(crate) fn occupy_for_tests(&self, until: std::sync::mpsc::Receiver<()>) -> tokio::task::JoinHandle<()> {
        let store = self.clone();
        tokio::spawn(async move {
            let wait = move |_: &Connection| {
                // Ends with the error of a dropped sender.
                let _ = until.recv();
                Ok(())
            };
            store.read_for_work("be busy", wait).await.expect("read");
        })
    }

    /// How long the writer waits for another process's lock.
    pub(crate) fn set_patience_for_tests(&self, patience: std::time::Duration) {
        lock(&self.writer).busy_timeout(patience).expect("a connection takes any patience");
    }

    /// Rows that the writer has changed so far: tells whether two ways cost the same writes.
    pub(crate) fn writes_for_tests(&self) -> u64 {
        lock(&self.writer).total_changes()
    }

    /// Runs `work` on the writer without its bounds, as no production code can.
    pub(crate) fn without_bounds_for_tests<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> T {
        let mut writer = lock(&self.writer);
        writer
            .authorizer(None::<fn(rusqlite::hooks::AuthContext<'_>) -> rusqlite::hooks::Authorization>)
            .expect("unset");
        let done = work(&writer);
        super::authorizer::confine(&mut writer, Access::Owner(self.owner)).expect("set");
        done.expect("valid")
    }

    /// Behaves as a disk that is full when the database has this many pages.
    pub(crate) fn limit_pages_for_tests(&self, pages: u32) {
        self.without_bounds_for_tests(|writer| {
            writer.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get::<_, u32>(0))
        });
    }
}

#[cfg(test)]
impl<'c> WriteTx<'c> {
    /// A transaction on a database without owners' bounds, which the caller rolls back.
    pub(crate) fn for_tests(transaction: Transaction<'c>, owner: Owner, wall_ms: i64) -> Self {
        Self { transaction, owner, wall_ms, steady_ms: wall_ms, emitted: Cell::new(false), posted: Cell::new(false) }
    }
}

/// A write transaction of one owner.
pub(crate) struct WriteTx<'c> {
    transaction: Transaction<'c>,
    owner: Owner,
    wall_ms: i64,
    steady_ms: i64,
    emitted: Cell<bool>,
    posted: Cell<bool>,
}

impl WriteTx<'_> {
    /// Wall time at which the transaction began; what its rows are stamped with.
    pub(crate) fn wall_ms(&self) -> i64 {
        self.wall_ms
    }

    /// Steady time at which the transaction began, after it had waited for its turn: no lease that it can see was made
    /// later. A moment taken before the wait is older than leases that were made meanwhile, and such leases look as if a
    /// clock had been set back.
    pub(crate) fn steady_ms(&self) -> i64 {
        self.steady_ms
    }

    /// Whose transaction this is.
    pub(crate) fn owner(&self) -> Owner {
        self.owner
    }

    /// The commit will wake whoever carries messages.
    pub(crate) fn note_message(&self) {
        self.posted.set(true);
    }

    /// Runs `work` so that a refusal (an inner `Err`) undoes what it wrote; the transaction itself goes on.
    pub(crate) fn undone_if_refused<T, E>(
        &self,
        work: impl FnOnce() -> rusqlite::Result<Result<T, E>>,
    ) -> rusqlite::Result<Result<T, E>> {
        self.execute_batch("SAVEPOINT refusable")?;
        let answer = work()?;
        self.execute_batch(if answer.is_ok() {
            "RELEASE refusable"
        } else {
            "ROLLBACK TO refusable; RELEASE refusable"
        })?;
        Ok(answer)
    }

    /// Adds an event that becomes visible with this transaction.
    pub(crate) fn emit(&self, event: &NewEvent<'_>) -> rusqlite::Result<()> {
        event.insert(self.owner.name(), self.wall_ms, &self.transaction)?;
        self.emitted.set(true);
        Ok(())
    }
}

impl Deref for WriteTx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.transaction
    }
}

/// A few read-only connections.
#[derive(Clone)]
pub(crate) struct Readers {
    owner: Owner,
    free: Arc<Mutex<Vec<Connection>>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    fn open(path: &Path, access: Access, count: usize) -> Result<Self, StoreError> {
        let connections = (0..count).map(|_| open_reader(path, access)).collect::<Result<Vec<_>, _>>()?;
        let owner = match access {
            Access::Owner(owner) => owner,
            Access::EventReader | Access::EventKeeper => Owner::Admin,
        };
        Ok(Self { owner, free: Arc::new(Mutex::new(connections)), permits: Arc::new(Semaphore::new(count)) })
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Interrupted { operation })?;
        let this = self.clone();
        tokio::task::spawn_blocking(move || {
            let taken = lock(&this.free).pop();
            let connection = Returned { home: &this.free, connection: taken };
            let result = work(connection.get());
            drop(connection);
            drop(permit);
            result.map_err(|source| StoreError::Read { owner: this.owner, operation, source })
        })
        .await
        .map_err(|_| StoreError::Interrupted { operation })?
    }
}

/// Gives a reader back even when the work panics.
struct Returned<'h> {
    home: &'h Mutex<Vec<Connection>>,
    connection: Option<Connection>,
}

impl Returned<'_> {
    fn get(&self) -> &Connection {
        self.connection.as_ref().expect("there is a connection for each permit")
    }
}

impl Drop for Returned<'_> {
    fn drop(&mut self) {
        lock(self.home).extend(self.connection.take());
    }
}

/// A panic while holding the lock rolled its transaction back: the connection is as good as before.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
