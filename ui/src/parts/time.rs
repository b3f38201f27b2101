//! A moment in local time, with the full date in the tooltip.

use leptos::prelude::*;

use crate::state::browser::{local_time, now_ms};

/// The clock for today, the date and the clock for other days.
#[must_use]
pub fn moment_text(at_ms: i64) -> String {
    local_time(at_ms).relative_to(&local_time(now_ms()))
}

/// Shows the clock for today and the date for other days.
#[component]
pub fn Moment(at_ms: i64) -> impl IntoView {
    let at = local_time(at_ms);
    let text = moment_text(at_ms);
    view! { <time class="moment" title=at.full() datetime=at.full()>{text}</time> }
}
