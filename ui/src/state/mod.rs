//! What every screen shares: the session, the languages, the wake-ups and the preferences.

pub mod action;
pub mod app;
pub mod browser;
pub mod live;
pub mod pace;
pub mod preferences;
pub mod query;
pub mod wake;

pub use app::{App, use_app};
pub use query::{loaded, query};
pub use wake::Topic;
