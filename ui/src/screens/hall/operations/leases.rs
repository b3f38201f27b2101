//! Who holds what, since when and until when.

use agon_contract::operations::LeaseView;
use agon_contract::operations::OperationsView;
use leptos::prelude::*;
use leptos_router::components::A;

use super::concern::{is_over, lease_title};
use super::{Unseen, list_of};
use crate::i18n::{hall, t};
use crate::parts::Moment;

/// A lease with the moment it ends, so that a row changes only when it is renewed and not at each measuring.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    lease: LeaseView,
    until_ms: Option<i64>,
}

/// The machine's clock and the measuring differ by some milliseconds each time.
fn held(view: &OperationsView) -> Option<Vec<Held>> {
    let row = |lease: &LeaseView| {
        let until = lease.ends_in_ms.filter(|ends_in_ms| *ends_in_ms > 0).and_then(|ends| i64::try_from(ends).ok());
        let until_ms = until.map(|ends_in_ms| (view.looked_at_ms + ends_in_ms + 500) / 1_000 * 1_000);
        Held { lease: LeaseView { ends_in_ms: lease.ends_in_ms.map(|ends| ends.min(1)), ..lease.clone() }, until_ms }
    };
    Some(view.leases.as_ref()?.iter().map(row).collect())
}

/// The section.
#[component]
pub(super) fn Leases(view: Signal<OperationsView>) -> impl IntoView {
    let rows = Memo::new(move |_| view.with(|view| list_of(view, "leases", held)));
    view! {
        <h2 id="leases">{hall().leases}</h2>
        {move || match rows.get() {
            Err(reason) => view! { <Unseen reason /> }.into_any(),
            Ok(rows) if rows.is_empty() => view! { <p class="hint">{hall().no_leases}</p> }.into_any(),
            Ok(rows) => view! {
                <table class="table" data-testid="leases">
                    <thead><tr>
                        <th scope="col">{hall().column_work}</th>
                        <th scope="col" class="cell-narrow">{hall().column_owner}</th>
                        <th scope="col">{hall().column_holder}</th>
                        <th scope="col" class="number">{hall().column_since}</th>
                        <th scope="col" class="number">{hall().column_until}</th>
                    </tr></thead>
                    <tbody>{rows.into_iter().map(|held| view! { <Row held /> }).collect_view()}</tbody>
                </table>
            }.into_any(),
        }}
    }
}

#[component]
fn Row(held: Held) -> impl IntoView {
    let Held { lease, until_ms } = held;
    let title = lease_title(&lease);
    let holder = match lease.fence_token {
        Some(token) => hall().lease_fence.fill([&lease.holder, &token.to_string()]),
        None => lease.holder.clone(),
    };
    let work = match &lease.submission_id {
        Some(id) => view! { <A href=format!("/submissions/{id}")>{title}</A> }.into_any(),
        None => title.into_any(),
    };
    let is_foreign = lease.is_foreign_boot == Some(true);
    let until = match until_ms {
        Some(at_ms) if !is_over(&lease) => view! { <Moment at_ms /> }.into_any(),
        _ if is_over(&lease) => view! { <span class="state-warning">{hall().lease_over}</span> }.into_any(),
        _ => t().health_unknown.into_any(),
    };
    view! {
        <tr>
            <td>{work}</td>
            <td class="mono">{lease.owner}</td>
            <td class="wrap mono">{holder}{is_foreign.then(|| view! { " "<span class="tag">{hall().foreign_boot}</span> })}</td>
            <td class="number">{lease.since_ms.map(|at_ms| view! { <Moment at_ms /> })}</td>
            <td class="number">{until}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::quiet;
    use super::*;

    fn lease(ends_in_ms: u64) -> LeaseView {
        LeaseView {
            name: "judgement".into(),
            owner: "submission".into(),
            holder: "a1".into(),
            boot_id: None,
            is_foreign_boot: Some(false),
            since_ms: Some(0),
            ends_in_ms: Some(ends_in_ms),
            judgement_id: None,
            submission_id: None,
            submission_number: Some(7),
            generation: Some(2),
            fence_token: None,
        }
    }

    #[test]
    fn a_row_stands_still_until_the_lease_is_renewed() {
        let mut view = quiet();
        view.leases = Some(vec![lease(40_000)]);
        let first = held(&view);
        view.looked_at_ms += 3_000;
        view.leases = Some(vec![lease(37_004)]);
        assert_eq!(held(&view), first);
        view.leases = Some(vec![lease(60_000)]);
        assert_ne!(held(&view), first);
    }

    #[test]
    fn a_lease_that_is_over_has_no_end_ahead() {
        let mut view = quiet();
        view.leases = Some(vec![lease(0)]);
        let rows = held(&view).expect("known");
        assert_eq!(rows[0].until_ms, None);
        assert!(is_over(&rows[0].lease));
    }
}
