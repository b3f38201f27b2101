//! Accounts: who can log in, as what, and what staff do about it.

mod ask;
mod create;
mod row;

use agon_contract::account::{AccountPage, AccountView};
use agon_contract::command::ListAccounts;
use leptos::prelude::*;

use self::ask::Asking;
use self::create::Create;
use self::row::Row;
use super::frame::{HallPage, HallScreen};
use crate::i18n::{accounts, hall, t};
use crate::parts::{Empty, Notice, Tone};
use crate::state::query::Query;
use crate::state::{loaded, query};

/// Accounts of one page: a big hall fits on one.
const ROWS: u32 = 500;

/// What is asked about an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Roles,
    Password,
    Sessions,
    Disable,
}

/// What the parts of the screen share.
#[derive(Clone, Copy)]
struct Desk {
    list: Query<AccountPage>,
    asked: RwSignal<Option<(Asked, AccountView)>>,
    /// What was done last, in words.
    done: RwSignal<Option<String>>,
}

impl Desk {
    /// It is done: say so, close the question, show the list as it is now.
    fn finish(self, said: Option<String>) {
        self.asked.set(None);
        self.done.set(said);
        self.list.retry();
    }
}

/// The screen of `/hall/accounts`.
#[component]
pub fn Accounts() -> impl IntoView {
    let after = RwSignal::new(None::<String>);
    let list = query(move || Some(ListAccounts { name: None, after_name: after.get(), limit: ROWS }), &[]);
    let desk = Desk { list, asked: RwSignal::new(None), done: RwSignal::new(None) };
    let is_making = RwSignal::new(false);
    let button = move || {
        view! {
            <button class="button button-primary" type="button" data-testid="new-account" on:click=move |_| is_making.set(true)>
                {accounts().new_account}
            </button>
        }
    };
    view! {
        <HallScreen page=HallPage::Accounts aside=button>
            {move || desk.done.get().map(|said| view! { <Notice tone=Tone::Ok testid="account-done">{said}</Notice> })}
            {loaded(list, move |page| view! { <List page desk after /> })}
            {move || is_making.get().then(|| view! { <Create desk on_close=move || is_making.set(false) /> })}
            {move || desk.asked.get().map(|(asked, account)| view! { <Asking desk asked account /> })}
        </HallScreen>
    }
}

#[component]
fn List(page: Signal<AccountPage>, desk: Desk, after: RwSignal<Option<String>>) -> impl IntoView {
    let needle = RwSignal::new(String::new());
    let rows = Memo::new(move |_| needle.with(|needle| page.with(|page| fitting(&page.rows, needle))));
    let is_empty = Memo::new(move |_| page.with(|page| page.rows.is_empty()) && after.with(Option::is_none));
    let next = Memo::new(move |_| page.with(|page| page.next_after_name.clone()));
    view! {
        <p class="account-search">
            <label class="visually-hidden" for="account-search">{accounts().search}</label>
            <input id="account-search" class="field" type="search" data-testid="account-search" placeholder=accounts().search
                autocomplete="off" prop:value=needle on:input=move |event| needle.set(event_target_value(&event)) />
        </p>
        {move || if is_empty.get() {
            view! { <Empty title=accounts().none_yet hint=accounts().none_yet_hint /> }.into_any()
        } else if rows.with(Vec::is_empty) {
            view! { <Empty title=accounts().none_fit hint=accounts().none_fit_hint /> }.into_any()
        } else {
            view! { <Table rows desk /> }.into_any()
        }}
        {move || (next.with(Option::is_some) || after.with(Option::is_some)).then(|| view! {
            <nav class="pages" aria-label=t().pages>
                <button class="button" type="button" disabled=move || after.with(Option::is_none) on:click=move |_| after.set(None)>{hall().first_rows}</button>
                <button class="button" type="button" disabled=move || next.with(Option::is_none) on:click=move |_| after.set(next.get())>{hall().more_rows}</button>
            </nav>
        })}
    }
}

/// Those whose login name or shown name has the needle in it, any case.
fn fitting(rows: &[AccountView], needle: &str) -> Vec<AccountView> {
    let needle = needle.trim().to_lowercase();
    let fits = |row: &&AccountView| {
        row.name.to_lowercase().contains(&needle) || row.display_name.to_lowercase().contains(&needle)
    };
    rows.iter().filter(fits).cloned().collect()
}

#[component]
fn Table(rows: Memo<Vec<AccountView>>, desk: Desk) -> impl IntoView {
    view! {
        <table class="table" data-testid="accounts">
            <thead><tr>
                <th scope="col">{accounts().login_name}</th>
                <th scope="col">{accounts().shown_name}</th>
                <th scope="col">{accounts().column_roles}</th>
                <th scope="col" class="cell-narrow">{t().column_state}</th>
                <th scope="col" class="cell-narrow">{accounts().column_last_seen}</th>
                <th scope="col" class="number cell-narrow">{accounts().column_sessions}</th>
                <th scope="col"><span class="visually-hidden">{hall().column_action}</span></th>
            </tr></thead>
            <tbody>
                <For each=move || rows.get() key=|row| row.user_id.clone() let:first>
                    {
                        let id = first.user_id.clone();
                        let account = Memo::new(move |_| {
                            rows.with(|rows| rows.iter().find(|row| row.user_id == id).cloned()).unwrap_or_else(|| first.clone())
                        });
                        view! { <Row account desk /> }
                    }
                </For>
            </tbody>
        </table>
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use agon_contract::settings::Role;

    /// A contestant's account.
    pub(super) fn account(name: &str, display_name: &str) -> AccountView {
        AccountView {
            user_id: name.into(),
            name: name.into(),
            display_name: display_name.into(),
            roles: vec![Role::Contestant],
            is_disabled: false,
            created_at_ms: 0,
            last_seen_at_ms: None,
            open_sessions: 0,
        }
    }

    #[test]
    fn people_are_found_by_either_name_in_any_case() {
        let rows = [account("team01", "Ångström"), account("ann", "Ann of Team 01")];
        let names = |needle| fitting(&rows, needle).into_iter().map(|row| row.name).collect::<Vec<_>>();
        assert_eq!(names("TEAM"), ["team01", "ann"]);
        assert_eq!(names(" ångs "), ["team01"]);
        assert_eq!(names("").len(), 2);
        assert!(names("bob").is_empty());
    }
}
