//! The bell: how much is unread, and the newest notices.

use agon_contract::command::{ListNotices, MarkNoticesRead};
use agon_contract::ids::NoticeId;
use agon_contract::notice::{NoticePage, NoticeView};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;

use super::text::{sentence, target};
use crate::backend::call;
use crate::i18n::t;
use crate::parts::popover::Popover;
use crate::parts::{Empty, Glyph, Icon, Moment};
use crate::state::{App, Topic, loaded, query, use_app};

/// Rows of the list; older ones are not worth a bell.
const SHOWN: u32 = 30;

/// In the top bar.
#[component]
pub fn Bell() -> impl IntoView {
    let page = query(|| Some(ListNotices { before_id: None, limit: SHOWN }), &[Topic::Notices]);
    let unread = Memo::new(move |_| page.ready().map_or(0, |page| page.unread));
    let label = Signal::derive(move || match unread.get() {
        0 => t().notices.to_owned(),
        count => format!("{}, {}", t().notices, t().notices_unread.fill([&count.to_string()])),
    });
    let face = move || {
        let count = unread.get();
        view! {
            <Icon glyph=Glyph::Bell />
            {(count > 0).then(|| view! {
                <span class="bell-count" aria-hidden="true" data-testid="notices-unread">{capped(count)}</span>
            })}
        }
    };
    view! {
        <Popover id="notices" title=t().notices label face=ViewFn::from(move || face)>
            {loaded(page, |page| view! { <NoticeList page /> })}
        </Popover>
        // Says that something arrived, without the panel being open.
        <span class="visually-hidden" role="status">
            {move || (unread.get() > 0).then(|| label.get())}
        </span>
    }
}

/// Three places are enough to know that it is a lot.
fn capped(count: u32) -> String {
    if count > 99 { "99+".to_owned() } else { count.to_string() }
}

#[component]
fn NoticeList(#[prop(into)] page: Signal<NoticePage>) -> impl IntoView {
    let app = use_app();
    let has_unread = Memo::new(move |_| page.with(|page| page.unread > 0));
    let mark_all = move |_| {
        let newest = page.with_untracked(|page| page.rows.first().map(|row| row.id.clone()));
        mark_read(app, MarkNoticesRead { ids: Vec::new(), up_to_id: newest });
    };
    view! {
        <header class="notices-head">
            <h2>{t().notices}</h2>
            {move || has_unread.get().then(|| view! {
                <button class="button button-small" type="button" data-testid="notices-mark-all" on:click=mark_all>
                    {t().notices_mark_all}
                </button>
            })}
        </header>
        {move || page.with(|page| page.rows.is_empty()).then(|| view! {
            <Empty title=t().notices_none hint=t().notices_none_hint />
        })}
        <ul class="notices">
            <For
                each=move || page.with(|page| page.rows.clone())
                key=|row| (row.id.clone(), row.is_read)
                children=move |row| view! { <NoticeRow row app /> }
            />
        </ul>
    }
}

#[component]
fn NoticeRow(row: NoticeView, app: App) -> impl IntoView {
    let text = sentence(&row);
    let class = if row.is_read { "notice-row" } else { "notice-row is-unread" };
    let id = row.id.clone();
    let read = move |_| mark_one(app, &id);
    let body = match target(&row) {
        Some(href) => view! { <A href=href on:click=read>{text}</A> }.into_any(),
        None => view! { <button class="link-button" type="button" on:click=read>{text}</button> }.into_any(),
    };
    view! {
        <li class=class data-testid="notice" data-kind=row.kind.as_str().to_owned()>
            {(!row.is_read).then(|| view! { <span class="visually-hidden">{t().notices_unread_mark}" "</span> })}
            <span class="notice-row-text">{body}</span>
            <Moment at_ms=row.happened_at_ms />
        </li>
    }
}

fn mark_one(app: App, id: &NoticeId) {
    mark_read(app, MarkNoticesRead { ids: vec![id.clone()], up_to_id: None });
}

/// The list is read again by the event of this change; a failure leaves it as it is.
fn mark_read(app: App, request: MarkNoticesRead) {
    spawn_local(async move {
        match call(request).await {
            Ok(_) => app.wake(Topic::Notices),
            Err(error) => leptos::logging::warn!("notices were not marked as read: {error}"),
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_count_takes_three_places() {
        assert_eq!([capped(1), capped(99), capped(100)], ["1", "99", "99+"]);
    }
}
