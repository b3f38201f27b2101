//! One rejudging: how far it is, old and new verdicts side by side, and the decision.

use agon_contract::command::{ApplyChangeSet, DiscardChangeSet, GetChangeSet};
use agon_contract::ids::ChangeSetId;
use agon_contract::rejudge::{ChangeSetCounts, ChangeSetView, RejudgeBasis, RejudgeMode};
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::items::Items;
use super::left::NotTakenOver;
use super::summary::{Progress, Readiness, StateTag, readiness, selection_text, titles};
use crate::i18n::hall;
use crate::parts::{Confirm, Moment, Question};
use crate::screens::hall::people::people;
use crate::state::action::{Action, action};
use crate::state::browser::set_title;
use crate::state::pace::measured;
use crate::state::query::Query;
use crate::state::{Topic, loaded, use_app};

/// Submissions of a page.
pub(super) const PAGE: u32 = 100;

/// The screen of `/hall/rejudge/:id`. The page and the filter live in the address.
#[component]
pub fn Review() -> impl IntoView {
    let params = use_params_map();
    let address = use_query_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    let after = Memo::new(move |_| {
        address.with(|address| address.get("after")).and_then(|text| text.parse::<u32>().ok()).unwrap_or(0)
    });
    let only_changed = Memo::new(move |_| address.with(|address| address.get("changed")).is_some());
    let set = measured(
        move || {
            Some(GetChangeSet {
                change_set_id: ChangeSetId(id.get()),
                after_ordinal: after.get(),
                limit: PAGE,
                only_changed: only_changed.get(),
            })
        },
        &[Topic::Submissions, Topic::Progress],
    );
    set_title(hall().rejudging);
    view! {
        <section class="screen hall">
            {move || (!set.is_ready()).then(|| view! { <h1 class="visually-hidden">{hall().rejudging}</h1> })}
            {loaded(set, move |view| view! { <Whole view set after only_changed /> })}
        </section>
    }
}

#[component]
fn Whole(
    view: Signal<ChangeSetView>,
    set: Query<ChangeSetView>,
    after: Memo<u32>,
    only_changed: Memo<bool>,
) -> impl IntoView {
    let counts = Memo::new(move |_| view.with(|view| view.counts.clone()));
    view! {
        <Head view set />
        <Facts view />
        <div class="set-line">
            {move || view! { <Progress counts=counts.get() /> }}
            {move || view! { <Counts counts=counts.get() /> }}
        </div>
        <Items view after only_changed />
        <NotTakenOver view />
    }
}

/// What a person is asked before deciding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Apply,
    Discard,
}

#[component]
fn Head(view: Signal<ChangeSetView>, set: Query<ChangeSetView>) -> impl IntoView {
    let number = view.with_untracked(|view| view.number.to_string());
    let title = hall().change_set.fill([&number]);
    set_title(&title);
    let asked = RwSignal::new(None::<Asked>);
    let deciding = action();
    let standing = Memo::new(move |_| view.with(readiness));
    let is_open = move || standing.get() != Readiness::Closed;
    let state = Memo::new(move |_| view.with(|view| ChangeSetView { items: Vec::new(), ..view.clone() }));
    view! {
        <header class="screen-head">
            <A href="/hall/rejudge" attr:class="crumb">{hall().rejudging}</A>
            <h1>{title}</h1>
            {move || view! { <StateTag set=state.get() /> }}
            <span class="head-gap"></span>
            {move || is_open().then(|| {
                let note = match standing.get() {
                    Readiness::Waits => hall().apply_waits,
                    Readiness::NeedsAttention => hall().apply_attention,
                    Readiness::Ready | Readiness::Closed => "",
                };
                view! {
                    <span class="hint">{note}</span>
                    <button class="button" type="button" data-testid="discard" on:click=move |_| asked.set(Some(Asked::Discard))>
                        {hall().discard}
                    </button>
                    <button
                        class="button button-primary" type="button" data-testid="apply"
                        disabled=standing.get() != Readiness::Ready
                        on:click=move |_| asked.set(Some(Asked::Apply))
                    >{hall().apply}</button>
                }
            })}
        </header>
        {move || asked.get().map(|what| view! { <Decide what view set deciding on_close=move || asked.set(None) /> })}
    }
}

#[component]
fn Decide(
    what: Asked,
    view: Signal<ChangeSetView>,
    set: Query<ChangeSetView>,
    deciding: Action,
    on_close: impl Fn() + Clone + Send + Sync + 'static,
) -> impl IntoView {
    let (id, counts) = view.with_untracked(|view| (view.id.clone(), view.counts.clone()));
    let done = on_close.clone();
    let decided = move |_: ChangeSetView| {
        set.retry();
        done();
    };
    let yes = move || match what {
        Asked::Apply => deciding.send(ApplyChangeSet { change_set_id: id.clone() }, decided.clone()),
        Asked::Discard => deciding.send(DiscardChangeSet { change_set_id: id.clone() }, decided.clone()),
    };
    deciding.failure.set(None);
    view! { <Confirm question=question(what, &counts) action=deciding on_yes=yes on_close /> }
}

fn question(what: Asked, counts: &ChangeSetCounts) -> Question {
    let t = hall();
    match what {
        Asked::Apply => Question {
            title: t.apply_title.to_owned(),
            says: t.apply_says.fill([
                &counts.judged.to_string(),
                &counts.changed.to_string(),
                &counts.people_affected.to_string(),
            ]),
            do_it: t.apply_now,
            doing: t.applying,
            is_harmful: false,
        },
        Asked::Discard => Question {
            title: t.discard_title.to_owned(),
            says: t.discard_says.fill([&(counts.waiting + counts.judging + counts.needs_attention).to_string()]),
            do_it: t.discard_now,
            doing: t.discarding,
            is_harmful: true,
        },
    }
}

/// What was taken, how it is judged, who asked and who decided.
#[component]
fn Facts(view: Signal<ChangeSetView>) -> impl IntoView {
    let app = use_app();
    let people = people();
    let problems = titles();
    let what = move || {
        let number = view.with(|view| view.items.first().map(|item| item.number));
        view.with(|view| selection_text(&view.selection, &app, &problems.ready().unwrap_or_default(), number))
    };
    let ways = view.with_untracked(|view| {
        let mode = match view.mode {
            RejudgeMode::Direct => hall().set_direct,
            RejudgeMode::Reviewed | RejudgeMode::Unknown(_) => hall().mode_reviewed,
        };
        let basis = match view.basis {
            RejudgeBasis::AsHandedIn => hall().basis_as_handed_in,
            RejudgeBasis::Newest | RejudgeBasis::Unknown(_) => hall().basis_newest,
        };
        format!("{mode} · {basis}")
    });
    let (made_by, made_at) = view.with_untracked(|view| (view.made_by.clone(), view.made_at_ms));
    let decided = Memo::new(move |_| view.with(|view| view.decided_by.clone().zip(view.decided_at_ms)));
    view! {
        <p class="set-facts">
            <strong>{what}</strong>
            <span class="muted">{ways}</span>
            <span class="muted">{move || hall().made_by.fill([&people.name(&made_by)])}" "<Moment at_ms=made_at /></span>
            {move || decided.get().map(|(by, at_ms)| view! {
                <span class="muted">{move || hall().decided.fill([&people.name(&by)])}" "<Moment at_ms /></span>
            })}
        </p>
    }
}

/// The counts that say something, in words; a screen reader hears them change.
#[component]
fn Counts(counts: ChangeSetCounts) -> impl IntoView {
    view! {
        <span class="set-counts" role="status" data-testid="set-counts">
            {counts_shown(&counts).into_iter().map(|(count, text, class)| view! {
                <span class=format!("count {class}")><b>{count}</b>" "{text}</span>
            }).collect_view()}
        </span>
    }
}

fn counts_shown(counts: &ChangeSetCounts) -> Vec<(u32, &'static str, &'static str)> {
    let t = hall();
    let mut shown = vec![
        (counts.changed, t.count_changed, if counts.changed > 0 { "is-changed" } else { "" }),
        (counts.people_affected, t.count_people, ""),
    ];
    let others = [
        (counts.waiting, t.count_waiting, ""),
        (counts.judging, t.count_judging, "is-busy"),
        (counts.needs_attention, t.count_attention, "is-bad"),
        (counts.left_out, t.count_left_out, ""),
        (counts.applied, t.count_applied, ""),
        (counts.refused, t.count_refused, "is-bad"),
        (counts.ended, t.count_ended, ""),
    ];
    shown.extend(others.into_iter().filter(|(count, _, _)| *count > 0));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_says_how_much_changes_and_for_how_many() {
        let counts = ChangeSetCounts { judged: 9, changed: 3, people_affected: 2, ..ChangeSetCounts::default() };
        let asked = question(Asked::Apply, &counts);
        assert_eq!(
            asked.says,
            "Submissions that take their new verdict: 9. Verdicts that change: 3. People affected: 2."
        );
        assert!(!asked.is_harmful);
        assert!(question(Asked::Discard, &counts).is_harmful);
    }

    #[test]
    fn changes_are_counted_even_when_there_are_none_and_other_zeros_are_not_said() {
        let texts: Vec<&str> = counts_shown(&ChangeSetCounts::default()).iter().map(|(_, text, _)| *text).collect();
        assert_eq!(texts, ["verdict(s) change", "person(s) affected"]);
        let counts = ChangeSetCounts { refused: 1, ..ChangeSetCounts::default() };
        assert_eq!(counts_shown(&counts).last(), Some(&(1, "refused", "is-bad")));
    }
}
