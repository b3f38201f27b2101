//! What the hall's pages share: who may enter, and the links between them.

use agon_contract::permission::Permission;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::i18n::{accounts, hall};
use crate::state::browser::set_title;
use crate::state::{App, use_app};

/// A page of the hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HallPage {
    Operations,
    Rejudging,
    Accounts,
    Audit,
    Backups,
}

impl HallPage {
    const ALL: &'static [HallPage] =
        &[HallPage::Operations, HallPage::Rejudging, HallPage::Accounts, HallPage::Audit, HallPage::Backups];

    fn address(self) -> &'static str {
        match self {
            HallPage::Operations => "/hall",
            HallPage::Rejudging => "/hall/rejudge",
            HallPage::Accounts => "/hall/accounts",
            HallPage::Audit => "/hall/audit",
            HallPage::Backups => "/hall/backups",
        }
    }

    fn title(self) -> &'static str {
        match self {
            HallPage::Operations => hall().operations,
            HallPage::Rejudging => hall().rejudging,
            HallPage::Accounts => accounts().accounts,
            HallPage::Audit => hall().audit_log,
            HallPage::Backups => hall().backups,
        }
    }

    fn testid(self) -> &'static str {
        match self {
            HallPage::Operations => "hall-operations",
            HallPage::Rejudging => "hall-rejudging",
            HallPage::Accounts => "hall-accounts",
            HallPage::Audit => "hall-audit",
            HallPage::Backups => "hall-backups",
        }
    }

    /// What it needs.
    fn permission(self) -> Permission {
        match self {
            HallPage::Operations => Permission::ReadOperations,
            HallPage::Rejudging => Permission::Rejudge,
            HallPage::Accounts => Permission::ManageAccounts,
            HallPage::Audit => Permission::ReadAudit,
            HallPage::Backups => Permission::ManageBackups,
        }
    }
}

/// Where the rail's link leads: the first page that the session permits.
#[must_use]
pub fn may_enter(app: &App) -> Option<&'static str> {
    HallPage::ALL.iter().find(|page| app.may(&page.permission())).map(|page| page.address())
}

/// A page with its heading, the links to the others, and what stands beside the heading.
#[component]
pub(super) fn HallScreen(page: HallPage, #[prop(optional, into)] aside: ViewFn, children: Children) -> impl IntoView {
    let app = use_app();
    set_title(page.title());
    view! {
        <section class="screen hall">
            <header class="screen-head">
                <h1>{page.title()}</h1>
                {aside.run()}
            </header>
            <nav class="sections" aria-label=hall().sections>
                {move || HallPage::ALL.iter().filter(|page| app.may(&page.permission())).map(|page| view! {
                    <A href=page.address() exact=true attr:data-testid=page.testid()>{page.title()}</A>
                }).collect_view()}
            </nav>
            {children()}
        </section>
    }
}
