//! What was set aside, with its reason, and one click that sends it on its way again.

use agon_contract::ApiError;
use agon_contract::command::{ListDeadLetters, Revive};
use agon_contract::delivery::DeadLetter;
use agon_contract::permission::Permission;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;

use crate::backend::call;
use crate::i18n::{error_title, hall, place_name, reason_text, t};
use crate::parts::{Glyph, Icon, Moment, Notice, Tone};
use crate::state::pace::measured;
use crate::state::query::Query;
use crate::state::{Topic, loaded, use_app};

/// The largest list that the host gives.
const LISTED: u32 = 200;

/// What was last done here, for everybody to see and hear.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    Nothing,
    Reviving,
    Revived(Vec<u64>),
    Failed(ApiError),
}

/// The section; absent while nothing is set aside and nothing was just revived.
#[component]
pub(super) fn DeadLetters() -> impl IntoView {
    let letters = measured(|| Some(ListDeadLetters { limit: LISTED }), &[Topic::Submissions]);
    let said = RwSignal::new(Said::Nothing);
    view! {
        <h2 id="dead-letters">{hall().dead_letters}</h2>
        {move || word(&said.get())}
        {loaded(letters, move |rows| view! { <Table rows letters said /> })}
    }
}

fn word(said: &Said) -> AnyView {
    match said {
        Said::Nothing | Said::Reviving => ().into_any(),
        Said::Revived(numbers) => {
            let numbers = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", #");
            let text = hall().revived.fill([&numbers]);
            view! { <Notice tone=Tone::Ok testid="revived">{text}</Notice> }.into_any()
        }
        Said::Failed(error) => {
            let (title, message) = (error_title(&error.code), error.message.clone());
            view! { <Notice tone=Tone::Bad testid="refusal"><strong>{title}</strong>" "{message}</Notice> }.into_any()
        }
    }
}

/// One after the other; the first refusal ends it and is shown.
fn revive(wanted: Vec<DeadLetter>, letters: Query<Vec<DeadLetter>>, said: RwSignal<Said>) {
    if said.with_untracked(|said| *said == Said::Reviving) {
        return;
    }
    said.set(Said::Reviving);
    spawn_local(async move {
        let mut revived = Vec::new();
        for letter in wanted {
            let Some(submission_id) = letter.submission_id else { continue };
            match call(Revive { submission_id }).await {
                Ok(detail) => revived.push(detail.summary.number),
                Err(error) => {
                    said.try_set(Said::Failed(error));
                    return;
                }
            }
        }
        if said.try_set(Said::Revived(revived)).is_none() {
            letters.retry();
        }
    });
}

#[component]
fn Table(rows: Signal<Vec<DeadLetter>>, letters: Query<Vec<DeadLetter>>, said: RwSignal<Said>) -> impl IntoView {
    let app = use_app();
    let may_revive = Memo::new(move |_| app.may(&Permission::Rejudge));
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let can_revive =
        Memo::new(move |_| rows.with(|rows| rows.iter().filter(|row| row.submission_id.is_some()).count()));
    move || {
        if is_empty.get() {
            return view! { <p class="hint" data-testid="no-dead-letters">{hall().no_dead_letters}</p> }.into_any();
        }
        view! {
            {move || (may_revive.get() && can_revive.get() > 1).then(|| view! {
                <div class="row-actions">
                    <button class="button" type="button" data-testid="revive-all"
                        disabled=move || said.with(|said| *said == Said::Reviving)
                        on:click=move |_| revive(rows.get_untracked(), letters, said)>
                        <Icon glyph=Glyph::Again />{hall().revive_all.fill([&can_revive.get().to_string()])}
                    </button>
                </div>
            })}
            <table class="table" data-testid="dead-letters">
                <thead><tr>
                    <th scope="col" class="number cell-narrow">"#"</th>
                    <th scope="col">{t().column_problem}</th>
                    <th scope="col" class="cell-narrow">{hall().column_place}</th>
                    <th scope="col">{t().reason}</th>
                    <th scope="col" class="number">{hall().column_since}</th>
                    <th scope="col" class="cell-narrow"><span class="visually-hidden">{hall().revive}</span></th>
                </tr></thead>
                <tbody>
                    <For each=move || rows.get() key=row_key let:letter>
                        <Row letter letters said may_revive />
                    </For>
                </tbody>
            </table>
        }
        .into_any()
    }
}

fn row_key(letter: &DeadLetter) -> String {
    format!("{} {:?} {} {} {}", letter.place, letter.submission_id, letter.generation, letter.since_ms, letter.reason)
}

#[component]
fn Row(
    letter: DeadLetter,
    letters: Query<Vec<DeadLetter>>,
    said: RwSignal<Said>,
    may_revive: Memo<bool>,
) -> impl IntoView {
    let number = letter.number.map(|number| number.to_string()).unwrap_or_default();
    let link = letter.submission_id.as_ref().map(|id| format!("/submissions/{id}"));
    let label = hall().revive_label.fill([&number]);
    let testid = format!("revive-{number}");
    let (row_testid, shown) = (format!("dead-letter-{number}"), number);
    let wanted = letter.clone();
    view! {
        <tr data-testid=row_testid>
            <td class="number">{match link {
                Some(href) => view! { <A href attr:class="row-link">{shown}</A> }.into_any(),
                None => "–".into_any(),
            }}</td>
            <td class="mono">{letter.problem_slug}</td>
            <td>{place_name(&letter.place)}</td>
            <td class="wrap">
                {reason_text(&letter.reason)}
                {(!letter.payload_base64.is_empty()).then(|| view! { <code class="payload">{letter.payload_base64.clone()}</code> })}
            </td>
            <td class="number"><Moment at_ms=letter.since_ms /></td>
            <td>{move || (may_revive.get() && wanted.submission_id.is_some()).then(|| {
                let wanted = wanted.clone();
                view! {
                    <button class="button button-small" type="button" aria-label=label.clone() data-testid=testid.clone()
                        disabled=move || said.with(|said| *said == Said::Reviving)
                        on:click=move |_| revive(vec![wanted.clone()], letters, said)>
                        {hall().revive}
                    </button>
                }
            })}</td>
        </tr>
    }
}
