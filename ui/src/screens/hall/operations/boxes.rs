//! Outboxes and inboxes: how many messages are in each state, and how long the oldest waits.

use agon_contract::operations::{BoxView, OperationsView, StateCount};
use leptos::prelude::*;

use super::{Unseen, list_of};
use crate::format::age;
use crate::i18n::{hall, row_state_name, t};

/// Outboxes first; `None` when neither could be read.
fn boxes_of(view: &OperationsView) -> Option<Vec<(String, BoxView)>> {
    if view.outboxes.is_none() && view.inboxes.is_none() {
        return None;
    }
    let named = |list: &Option<Vec<BoxView>>, name: fn(&str) -> String| {
        list.iter().flatten().map(|found| (name(&found.name), found.clone())).collect::<Vec<_>>()
    };
    let mut boxes = named(&view.outboxes, |name| hall().box_outbox.fill([name]));
    boxes.extend(named(&view.inboxes, |name| hall().box_inbox.fill([name])));
    Some(boxes)
}

/// The section.
#[component]
pub(super) fn Boxes(view: Signal<OperationsView>) -> impl IntoView {
    let rows = Memo::new(move |_| view.with(|view| list_of(view, "outboxes", boxes_of)));
    view! {
        <h2 id="boxes">{hall().boxes}</h2>
        {move || match rows.get() {
            Err(reason) => view! { <Unseen reason /> }.into_any(),
            Ok(rows) if rows.is_empty() => view! { <p class="hint">{hall().no_boxes}</p> }.into_any(),
            Ok(rows) => view! {
                <table class="table" data-testid="boxes">
                    <thead><tr>
                        <th scope="col">{hall().column_box}</th>
                        <th scope="col">{t().column_state}</th>
                        <th scope="col" class="number">{hall().column_oldest}</th>
                    </tr></thead>
                    <tbody>{rows.into_iter().map(|(name, found)| view! {
                        <tr>
                            <th scope="row">{name}</th>
                            <td><Counts states=found.states /></td>
                            <td class="number">{found.oldest_waiting_ms.map(age)}</td>
                        </tr>
                    }).collect_view()}</tbody>
                </table>
            }.into_any(),
        }}
    }
}

/// Zeros are not told: there are many, and they hide what is there.
fn worth_telling(states: Vec<StateCount>) -> Vec<StateCount> {
    states.into_iter().filter(|state| state.count > 0).collect()
}

#[component]
fn Counts(states: Vec<StateCount>) -> impl IntoView {
    let states = worth_telling(states);
    if states.is_empty() {
        return view! { <span class="muted">{hall().box_empty}</span> }.into_any();
    }
    states.into_iter().map(|state| view! { <Count state /> }).collect_view().into_any()
}

#[component]
fn Count(state: StateCount) -> impl IntoView {
    let is_bad = state.count > 0 && state.state.eq_ignore_ascii_case("dead");
    view! { <span class="box-count" class:state-bad=is_bad><b>{state.count}</b>" "{row_state_name(&state.state)}</span> }
}

#[cfg(test)]
mod tests {
    use super::super::tests::quiet;
    use super::*;

    #[test]
    fn zeros_do_not_hide_what_is_there() {
        let count = |state: &str, count| StateCount { state: state.into(), count };
        let told = worth_telling(vec![count("pending", 0), count("dead", 2), count("sent", 0)]);
        assert_eq!(told, [count("dead", 2)]);
    }

    #[test]
    fn one_readable_side_is_shown_without_the_other() {
        let mut view = quiet();
        let found = BoxView { name: "judge".into(), states: Vec::new(), oldest_waiting_ms: None };
        view.outboxes = Some(vec![found]);
        view.inboxes = None;
        let names: Vec<String> = boxes_of(&view).expect("known").into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["outbox judge"]);
        view.outboxes = None;
        assert_eq!(boxes_of(&view), None);
    }
}
