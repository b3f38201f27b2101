//! The frame of every screen: the rail, the top bar, the banner and the routes.

use agon_contract::permission::Permission;
use leptos::prelude::*;
use leptos_router::components::{A, Redirect, Route, Routes};
use leptos_router::hooks::use_location;
use leptos_router::path;

use super::account::LogInScreen;
use super::hall::{self, may_enter};
use super::not_found::NotFound;
use super::practice::Practice;
use super::problem::Problem;
use super::self_test::SelfTest;
use super::settings::Settings;
use super::submission::Submission;
use super::submissions::Submissions;
use super::top_bar::TopBar;
use crate::i18n::{self, t};
use crate::parts::{Failure, Glyph, Icon, Loading};
use crate::state::browser::focus_if_lost;
use crate::state::use_app;

/// Rail, bar and content.
#[component]
pub fn Shell() -> impl IntoView {
    let path = use_location().pathname;
    Effect::new(move |_| {
        path.track();
        // After the new screen stands: a link that was followed and is gone must not leave the focus nowhere.
        request_animation_frame(|| focus_if_lost("content"));
    });
    let app = use_app();
    // Before the first log-in there is nothing to show; a session that ends later is covered, so that no work is lost.
    let needs_log_in = Memo::new(move |_| app.needs_log_in());
    let is_outside = Memo::new(move |_| needs_log_in.get() && app.host.with(Option::is_none));
    move || {
        if is_outside.get() {
            return view! { <LogInScreen /> }.into_any();
        }
        view! {
            <a class="skip-link" href="#content">{t().skip_to_content}</a>
            <div class="shell" prop:inert=needs_log_in>
                <Rail />
                <TopBar />
                <main class="content" id="content" tabindex="-1">
                    <Content />
                </main>
            </div>
            {move || needs_log_in.get().then(|| view! { <div class="log-in-cover"><LogInScreen /></div> })}
        }
        .into_any()
    }
}

/// Contest and Review get their place here when they exist; a link that leads nowhere is worse than none. The hall is
/// shown to whom a page of it is open.
#[component]
fn Rail() -> impl IntoView {
    let app = use_app();
    let hall = Memo::new(move |_| may_enter(&app));
    let may_test = Memo::new(move |_| app.may(&Permission::ReadOperations));
    view! {
        <nav class="rail" aria-label=t().nav_label>
            <span class="brand" aria-hidden="true">
                <svg viewBox="0 0 16 16" class="brand-mark"><path d="M2 14 8 2l6 12M5 9.500h6" /></svg>
                <span class="rail-text">"Agon"</span>
            </span>
            <RailLink href="/practice" glyph=Glyph::Practice text=t().nav_practice testid="nav-practice" />
            <RailLink href="/submissions" glyph=Glyph::Submissions text=t().nav_submissions testid="nav-submissions" />
            {move || hall.get().map(|href| view! {
                <RailLink href glyph=Glyph::Hall text=i18n::hall().nav_hall testid="nav-hall" />
            })}
            {move || may_test.get().then(|| view! {
                <RailLink href="/self-test" glyph=Glyph::SelfTest text=t().nav_self_test testid="nav-self-test" />
            })}
            <span class="rail-gap"></span>
            <RailLink href="/settings" glyph=Glyph::Settings text=t().nav_settings testid="nav-settings" />
        </nav>
    }
}

#[component]
fn RailLink(href: &'static str, glyph: Glyph, text: &'static str, testid: &'static str) -> impl IntoView {
    let path = use_location().pathname;
    // A problem is reached from the list, so that the list stays marked.
    let holds_problem = move || href == "/practice" && path.with(|path| path.starts_with("/problems/"));
    view! {
        <A href=href attr:class=move || if holds_problem() { "rail-link is-here" } else { "rail-link" } attr:title=text attr:data-testid=testid>
            <Icon glyph />
            <span class="rail-text">{text}</span>
        </A>
    }
}

/// Screens need the host's first answers: its languages, its session, whether it takes paths.
#[component]
fn Content() -> impl IntoView {
    let app = use_app();
    let is_ready = Memo::new(move |_| app.host.with(Option::is_some));
    move || {
        if is_ready.get() {
            return view! { <Screens /> }.into_any();
        }
        match app.start_failure.get() {
            Some(error) => view! {
                <section class="screen"><Failure error on_retry=move || app.start() /></section>
            }
            .into_any(),
            None => view! { <section class="screen"><Loading /></section> }.into_any(),
        }
    }
}

#[component]
fn Screens() -> impl IntoView {
    view! {
        <Routes fallback=|| view! { <NotFound /> }>
            <Route path=path!("/") view=|| view! { <Redirect path="/practice" /> } />
            <Route path=path!("/index.html") view=|| view! { <Redirect path="/practice" /> } />
            <Route path=path!("/practice") view=Practice />
            <Route path=path!("/problems/:id") view=Problem />
            <Route path=path!("/submissions") view=Submissions />
            <Route path=path!("/submissions/:id") view=Submission />
            <Route path=path!("/hall") view=hall::Operations />
            <Route path=path!("/hall/accounts") view=hall::Accounts />
            <Route path=path!("/hall/audit") view=hall::AuditLog />
            <Route path=path!("/hall/backups") view=hall::Backups />
            <Route path=path!("/hall/rejudge") view=hall::Rejudgings />
            <Route path=path!("/hall/rejudge/:id") view=hall::Review />
            <Route path=path!("/self-test") view=SelfTest />
            <Route path=path!("/settings") view=Settings />
        </Routes>
    }
}
