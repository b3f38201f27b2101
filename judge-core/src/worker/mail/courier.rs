//! The courier: claims messages of an outbox, puts them into the inboxes, says what became of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{AWAY_PAUSE, Mail, TICK};
use crate::delivery::consumer::Consumer;
use crate::delivery::inbox;
use crate::delivery::outbox::{self, Carrier, Message, Topic};
use crate::store::authorizer::Owner;
use crate::store::{OwnerStore, StoreError, chain};

pub(super) async fn run(mail: Mail, stop: CancellationToken) {
    let carrier = mail.carrier();
    let mut sent = mail.sent.clone();
    loop {
        sent.mark_unchanged();
        let pause = match carry_all(&mail, &carrier).await {
            Ok(_) => TICK,
            Err(error) => {
                tracing::error!(error = %chain(&error), "messages could not be carried");
                AWAY_PAUSE
            }
        };
        tokio::select! {
            () = stop.cancelled() => return,
            Ok(()) = sent.changed() => {}
            () = mail.clock.sleep(pause) => {}
        }
    }
}

/// Carries whatever is due; answers how many messages were claimed.
pub(super) async fn carry_all(mail: &Mail, carrier: &Carrier) -> Result<usize, StoreError> {
    let mut carried = 0;
    for source in mail.sources.iter() {
        let owner = source.owner();
        if source.read("look for messages", move |connection| outbox::is_idle(connection, owner)).await? {
            continue;
        }
        let boot_id = Arc::clone(&mail.boot_id);
        source.write("take stale claims back", move |tx| outbox::reclaim(tx, &boot_id, tx.steady_ms())).await?;
        loop {
            let batch = carry_batch(mail, source, carrier).await?;
            if batch == 0 {
                break;
            }
            carried += batch;
        }
    }
    Ok(carried)
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Delivered,
    /// No later attempt could go better.
    Hopeless(String),
    Failed(String),
    /// The consumer's store cannot be written by anybody now.
    Away(String),
}

async fn carry_batch(mail: &Mail, source: &OwnerStore, carrier: &Carrier) -> Result<usize, StoreError> {
    let by = carrier.clone();
    let batch = source.write("claim messages", move |tx| outbox::claim(tx, &by, tx.steady_ms())).await?;
    if batch.is_empty() {
        return Ok(0);
    }
    let mut outcomes: BTreeMap<i64, Outcome> = batch.iter().map(|message| (message.id, known_topic(message))).collect();
    for consumer in mail.consumers.iter() {
        let wanted = batch.iter().filter(|message| is_subscribed(&**consumer, message));
        for (id, outcome) in hand_over(&**consumer, source.owner(), wanted.cloned().collect()).await {
            if outcome != Outcome::Delivered {
                outcomes.insert(id, outcome);
            }
        }
    }
    mail.arrived.send_modify(|count| *count = count.wrapping_add(1));
    let (by, count) = (carrier.clone(), batch.len());
    source
        .write("say what became of messages", move |tx| {
            let now = tx.steady_ms();
            for message in &batch {
                let retry_ms = now + i64::try_from(AWAY_PAUSE.as_millis()).unwrap_or(i64::MAX);
                match outcomes.get(&message.id).unwrap_or(&Outcome::Delivered) {
                    Outcome::Delivered => outbox::deliver(tx, message.id, &by)?,
                    Outcome::Hopeless(reason) => outbox::refuse(tx, message.id, &by, reason)?,
                    Outcome::Failed(reason) => outbox::fail(tx, message, &by, reason, now)?,
                    Outcome::Away(reason) => outbox::put_back(tx, message.id, &by, reason, retry_ms)?,
                };
            }
            Ok(())
        })
        .await?;
    Ok(count)
}

fn known_topic(message: &Message) -> Outcome {
    if Topic::ALL.iter().any(|topic| topic.as_str() == message.topic) {
        Outcome::Delivered
    } else {
        Outcome::Hopeless(format!("this program knows no topic `{}`", message.topic))
    }
}

fn is_subscribed(consumer: &dyn Consumer, message: &Message) -> bool {
    consumer.topics().iter().any(|topic| topic.as_str() == message.topic)
}

/// Puts messages into a consumer's inbox: all at once, or, where that fails, one by one, so that only the guilty wait.
async fn hand_over(consumer: &dyn Consumer, source: Owner, messages: Vec<Message>) -> Vec<(i64, Outcome)> {
    if messages.is_empty() {
        return Vec::new();
    }
    match receive(consumer, source, messages.clone()).await {
        Ok(()) => messages.iter().map(|message| (message.id, Outcome::Delivered)).collect(),
        Err(error) if error.is_away() => {
            let reason = chain(&error);
            messages.iter().map(|message| (message.id, Outcome::Away(reason.clone()))).collect()
        }
        Err(_) => {
            let mut outcomes = Vec::with_capacity(messages.len());
            for message in messages {
                let id = message.id;
                outcomes.push((id, outcome_of(receive(consumer, source, vec![message]).await)));
            }
            outcomes
        }
    }
}

async fn receive(consumer: &dyn Consumer, source: Owner, messages: Vec<Message>) -> Result<(), StoreError> {
    let name = consumer.name();
    let insert = move |tx: &crate::store::WriteTx<'_>| {
        for message in &messages {
            inbox::insert(tx, name, source, message)?;
        }
        Ok(())
    };
    consumer.store().write("receive messages", insert).await
}

fn outcome_of(received: Result<(), StoreError>) -> Outcome {
    match received {
        Ok(()) => Outcome::Delivered,
        Err(error) if error.is_away() => Outcome::Away(chain(&error)),
        Err(error) => Outcome::Failed(chain(&error)),
    }
}
