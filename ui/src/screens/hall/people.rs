//! What people are called, as far as this session may know.

use agon_contract::ids::UserId;
use leptos::prelude::*;

use crate::state::App;

/// Characters of an id whose name is not known: enough to tell two people apart.
const SHORT: usize = 13;

/// The name of the acting person, else the beginning of the id.
#[must_use]
pub(super) fn person_name(app: &App, id: &UserId) -> String {
    let own = app.session.with(|session| {
        session.as_ref().filter(|session| session.user_id == *id).map(|session| session.display_name.clone())
    });
    own.unwrap_or_else(|| id.as_str().chars().take(SHORT).collect())
}
