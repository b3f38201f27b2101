//! The reader of one consumer's inbox: takes a message, keeps its lease while it is handled, commits effect and mark.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{AWAY_PAUSE, Mail, TICK};
use crate::delivery::consumer::{Applied, Consumer};
use crate::delivery::inbox::{self, Received};
use crate::delivery::outbox::Carrier;
use crate::store::{StoreError, WriteTx, chain};

/// Between two renewals of a lease: a third of it.
const HEARTBEAT: Duration = Duration::from_secs(10);

pub(super) async fn run(mail: Mail, consumer: Arc<dyn Consumer>, stop: CancellationToken) {
    let taker = mail.carrier();
    let mut arrived = mail.arrived.subscribe();
    loop {
        arrived.mark_unchanged();
        let worked = tokio::select! {
            () = stop.cancelled() => return,
            worked = work_off(&mail, &consumer, &taker) => worked,
        };
        let pause = match worked {
            Ok(()) => TICK,
            Err(error) => {
                tracing::error!(consumer = consumer.name(), error = %chain(&error), "an inbox could not be read");
                AWAY_PAUSE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            Ok(()) = arrived.changed() => {}
            () = mail.clock.sleep(pause) => {}
        }
    }
}

/// Handles whatever is due.
pub(super) async fn work_off(mail: &Mail, consumer: &Arc<dyn Consumer>, taker: &Carrier) -> Result<(), StoreError> {
    let (store, name) = (consumer.store(), consumer.name());
    let owner = store.owner();
    if store.read("look into an inbox", move |connection| inbox::is_idle(connection, owner, name)).await? {
        return Ok(());
    }
    let boot_id = Arc::clone(&mail.boot_id);
    store.write("take lost messages back", move |tx| inbox::recover(tx, &boot_id, tx.steady_ms())).await?;
    loop {
        let by = taker.clone();
        let taken = store.write("take a message", move |tx| inbox::take(tx, name, &by, tx.steady_ms())).await?;
        let Some(message) = taken else { return Ok(()) };
        handle(mail, consumer, taker, message).await?;
    }
}

async fn handle(
    mail: &Mail,
    consumer: &Arc<dyn Consumer>,
    taker: &Carrier,
    message: Received,
) -> Result<(), StoreError> {
    let failure = match prepare(mail, consumer, taker, &message).await? {
        Prepared::Ready => match apply(consumer, taker, message.clone()).await {
            Ok(()) => return Ok(()),
            Err(error) if is_lease_lost(&error) => return lost(consumer.name(), &message),
            Err(error) => error,
        },
        Prepared::LeaseLost => return lost(consumer.name(), &message),
        Prepared::Failed(reason) => return fail(consumer, taker, message, reason).await,
    };
    if !failure.is_away() {
        return fail(consumer, taker, message, chain(&failure)).await;
    }
    let (by, reason) = (taker.clone(), chain(&failure));
    let put_back = move |tx: &WriteTx<'_>| {
        let retry_ms = tx.steady_ms() + i64::try_from(AWAY_PAUSE.as_millis()).unwrap_or(i64::MAX);
        inbox::put_back(tx, message.id, &by, &reason, retry_ms)
    };
    // Where even that cannot be written, the lease ends by itself.
    let _ = consumer.store().write("put a message back", put_back).await;
    Err(failure)
}

enum Prepared {
    Ready,
    LeaseLost,
    Failed(String),
}

/// The consumer's long work, with a heartbeat beside it.
async fn prepare(
    mail: &Mail,
    consumer: &Arc<dyn Consumer>,
    taker: &Carrier,
    message: &Received,
) -> Result<Prepared, StoreError> {
    let mut work = consumer.prepare(message);
    loop {
        tokio::select! {
            done = &mut work => return Ok(done.map_or_else(Prepared::Failed, |()| Prepared::Ready)),
            () = mail.clock.sleep(HEARTBEAT) => {}
        }
        let (by, id) = (taker.clone(), message.id);
        if !consumer.store().write("keep a message", move |tx| inbox::renew(tx, id, &by, tx.steady_ms())).await? {
            return Ok(Prepared::LeaseLost);
        }
    }
}

/// Effect and mark in one commit; without the lease, neither.
async fn apply(consumer: &Arc<dyn Consumer>, taker: &Carrier, message: Received) -> Result<(), StoreError> {
    let (handler, by) = (Arc::clone(consumer), taker.clone());
    let work = move |tx: &WriteTx<'_>| {
        let ended = match handler.apply(tx, &message)? {
            Applied::Done => inbox::complete(tx, message.id, &by, tx.steady_ms())?,
            Applied::NotUnderstood { reason } => {
                tracing::error!(consumer = handler.name(), event.id = %message.event_id, %reason, "a message was set aside");
                inbox::park(tx, message.id, &by, &reason)?
            }
        };
        if ended { Ok(()) } else { Err(LEASE_LOST) }
    };
    consumer.store().write("handle a message", work).await
}

/// Gives the transaction up: the row of the lease was not there.
const LEASE_LOST: rusqlite::Error = rusqlite::Error::StatementChangedRows(0);

fn is_lease_lost(error: &StoreError) -> bool {
    matches!(error, StoreError::Write { source: rusqlite::Error::StatementChangedRows(0), .. })
}

/// Somebody else has the message, so nothing is wrong with it.
#[expect(clippy::unnecessary_wraps, reason = "an arm that ends the handling well")]
fn lost(consumer: &str, message: &Received) -> Result<(), StoreError> {
    tracing::warn!(consumer, event.id = %message.event_id, "the lease on a message was lost; somebody else handles it");
    Ok(())
}

async fn fail(
    consumer: &Arc<dyn Consumer>,
    taker: &Carrier,
    message: Received,
    reason: String,
) -> Result<(), StoreError> {
    tracing::warn!(consumer = consumer.name(), event.id = %message.event_id, %reason, "a message could not be handled");
    let by = taker.clone();
    let failed = move |tx: &WriteTx<'_>| inbox::fail(tx, &message, &by, &reason, tx.steady_ms());
    consumer.store().write("note a failure", failed).await.map(drop)
}
