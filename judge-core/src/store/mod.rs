//! One SQLite file: who may touch what in it, how its schema moves, and how a change becomes durable.
//!
//! Every owner has its own connections, one writer and a few readers, whose SQLite authorizer refuses everything
//! outside the owner's tables when a statement is prepared ([`authorizer`]). The schema belongs to [`migrate`], which
//! uses a connection of its own. A write runs in `BEGIN IMMEDIATE` and is durable when it returns (WAL, FULL).

pub(crate) mod authorizer;
pub(crate) mod backup;
pub(crate) mod blobs;
pub(crate) mod connection;
mod error;
pub(crate) mod event;
pub(crate) mod folder;
pub(crate) mod journal;
pub(crate) mod lock;
pub(crate) mod migrate;
pub(crate) mod owner_socket;
mod owner_store;
mod row;

pub(crate) use error::{FolderError, StoreError, chain};
pub(crate) use event::{EventLog, NewEvent};
pub(crate) use owner_store::{EventKeeper, OwnerStore, Store, WriteTx};
pub(crate) use row::{decode, json, text};
