//! The submission screen: live state, verdict, every test against its limits, the source, the judgement history.

mod compiler;
mod difference;
mod history;
mod measures;
mod pick;
mod runs;
mod score;
mod source;
mod staff;
mod state_line;

use agon_contract::command::GetSubmission;
use agon_contract::ids::SubmissionId;
use agon_contract::submission::SubmissionDetail;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;

pub(crate) use self::compiler::CompilerText;
pub(crate) use self::measures::Measures;
pub(crate) use self::state_line::{StateLine, StateWord};

use self::difference::WhyDifferent;
use self::history::{History, Manifest};
use self::pick::shown_judgement;
use self::runs::RunTable;
pub(crate) use self::score::Points;
use self::score::ScoreBoard;
use self::source::Sources;
use self::staff::StaffActions;
use crate::i18n::{locale, reason_text, t};
use crate::parts::{Moment, Notice, Tone};
use crate::state::browser::set_title;
use crate::state::preferences::best_text;
use crate::state::{Topic, loaded, query, use_app};

const LIVE: &[Topic] = &[Topic::Submissions, Topic::Progress];

/// The screen of `/submissions/:id`.
#[component]
pub fn Submission() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    let detail = query(move || Some(GetSubmission { submission_id: SubmissionId(id.get()) }), LIVE);
    view! { <section class="screen">{move || (!detail.is_ready()).then(|| view! { <h1 class="visually-hidden">{t().tab_submission}</h1> })}
    {loaded(detail, |detail| view! { <Whole detail /> })}</section> }
}

/// The short form inside the problem screen: state, verdict, first failing test, and the link to everything.
#[component]
pub(crate) fn FollowedSubmission(id: SubmissionId) -> impl IntoView {
    let href = format!("/submissions/{id}");
    let detail = query(move || Some(GetSubmission { submission_id: id.clone() }), LIVE);
    view! {
        <div class="followed">
            {loaded(detail, move |detail| view! {
                <StateLine detail />
                <ScoreBoard detail />
                <FirstFailing detail />
                <Compiler detail />
                <p><A href=href.clone() attr:data-testid="submission-link">{t().open_submission}</A></p>
            })}
        </div>
    }
}

#[component]
fn Whole(detail: Signal<SubmissionDetail>) -> impl IntoView {
    view! {
        <Head detail />
        <StateLine detail />
        <ScoreBoard detail />
        <FirstFailing detail />
        <Compiler detail />
        <RunTable detail />
        <Sources detail />
        <History detail />
        <WhyDifferent detail />
        <Manifest detail />
    }
}

#[component]
fn Head(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let app = use_app();
    let summary = Memo::new(move |_| detail.with(|detail| detail.summary.clone()));
    Effect::new(move |_| summary.with(|summary| set_title(&format!("#{} {}", summary.number, summary.problem_slug))));
    let line = move || {
        let summary = summary.get();
        view! {
                <A href="/submissions" attr:class="crumb">{t().nav_submissions}</A>
                <h1>"#"{summary.number}</h1>
                <A href=format!("/problems/{}", summary.problem_id)>{best_text(&summary.problem_titles, locale()).to_owned()}</A>
                <span class="muted">{app.language_name(&summary.language_id)}</span>
                <span>{summary.user_name}</span>
                <Moment at_ms=summary.submitted_at_ms />
        }
    };
    view! {
        <header class="screen-head">
            {line}
            <span class="head-gap"></span>
            <StaffActions detail />
        </header>
    }
}

/// The first failing test in words, with what the comparer or the sandbox said about it.
#[component]
fn FirstFailing(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let failing = Memo::new(move |_| {
        detail.with(|detail| {
            let judgement = shown_judgement(detail)?;
            let name = judgement.first_failing.clone()?;
            let run = judgement.runs.iter().find(|run| run.case_name == name);
            let said = run.map(|run| reason_text(if run.message.is_empty() { &run.outcome } else { &run.message }));
            Some((name, said.unwrap_or_default()))
        })
    });
    move || {
        failing.get().map(|(name, said)| {
            view! {
                <Notice tone=Tone::Warning testid="first-failing">
                    {t().first_failing}" "<code>{name}</code>
                    {(!said.is_empty()).then(|| view! { <pre class="difference">{said.clone()}</pre> })}
                </Notice>
            }
        })
    }
}

#[component]
fn Compiler(detail: Signal<SubmissionDetail>) -> impl IntoView {
    let compiler = Memo::new(move |_| {
        detail.with(|detail| {
            let judgement = shown_judgement(detail)?;
            let failed = judgement.verdict == Some(agon_contract::verdict::Verdict::CompileError);
            (failed || !judgement.compiler_text.is_empty()).then(|| (judgement.compiler_text.clone(), failed))
        })
    });
    move || compiler.get().map(|(text, failed)| view! { <CompilerText text failed /> })
}
