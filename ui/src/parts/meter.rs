//! A measured value beside a thin bar that shows how much of the limit it used.

use leptos::prelude::*;

use crate::format::percent_of;
use crate::i18n::t;

/// `text` is the value as shown, `limit_text` the limit for the tooltip and the screen reader.
#[component]
pub fn Meter(value: u64, limit: u64, text: String, limit_text: String) -> impl IntoView {
    let percent = percent_of(value, limit);
    let class = match percent {
        0..=79 => "meter",
        80..=99 => "meter meter-near",
        _ => "meter meter-over",
    };
    let label = t().of_limit.fill([&text, &limit_text]);
    let title = label.clone();
    view! {
        <span class=class title=title>
            <span aria-hidden="true" class="meter-value">{text}</span>
            <span aria-hidden="true" class="meter-bar"><span class="meter-fill" style:width=format!("{percent}%")></span></span>
            <span class="visually-hidden">{label}</span>
        </span>
    }
}
