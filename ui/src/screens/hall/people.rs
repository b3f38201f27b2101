//! What people are called, as far as this session may know.

use agon_contract::account::AccountPage;
use agon_contract::command::ListAccounts;
use agon_contract::ids::UserId;
use agon_contract::permission::Permission;
use leptos::prelude::*;

use crate::state::query::Query;
use crate::state::{App, query, use_app};

/// Characters of an id whose name is not known: enough to tell two people apart.
const SHORT: usize = 13;
/// The largest page of accounts that the host gives; people beyond it are shown by their ids.
const ACCOUNTS: u32 = 500;

/// The names of accounts, where this session may list them.
#[derive(Clone, Copy)]
pub(super) struct People {
    app: App,
    accounts: Query<AccountPage>,
}

/// Reads the names once.
pub(super) fn people() -> People {
    let app = use_app();
    let list = || ListAccounts { name: None, after_name: None, limit: ACCOUNTS };
    let accounts = query(move || app.may(&Permission::ManageAccounts).then(list), &[]);
    People { app, accounts }
}

impl People {
    /// A person's name, else the beginning of the id.
    pub(super) fn name(&self, id: &UserId) -> String {
        let of_account = |page: AccountPage| page.rows.into_iter().find(|account| account.user_id == *id);
        own_name(&self.app, id)
            .or_else(|| self.accounts.ready().and_then(of_account).map(|account| account.display_name))
            .unwrap_or_else(|| short_id(id))
    }
}

/// The acting person's own name.
pub(super) fn own_name(app: &App, id: &UserId) -> Option<String> {
    app.session.with(|session| {
        session.as_ref().filter(|session| session.user_id == *id).map(|session| session.display_name.clone())
    })
}

/// The beginning of an id.
pub(super) fn short_id(id: &UserId) -> String {
    id.as_str().chars().take(SHORT).collect()
}
