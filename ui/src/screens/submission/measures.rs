//! CPU, wall clock and memory of a run, each against its limit.

use agon_contract::problem::LimitsView;
use agon_contract::submission::RunView;
use leptos::prelude::*;

use crate::format::{bytes, duration, time_limit};
use crate::i18n::t;
use crate::parts::Meter;

/// Three meters in a row, for the narrow rows of the runs pane.
#[component]
pub(crate) fn Measures(run: RunView, limits: LimitsView) -> impl IntoView {
    view! {
        <span class="measures">
            <span class="measure"><span class="measure-name">{t().cpu}</span><CpuMeter run=run.clone() limits=limits.clone() /></span>
            <span class="measure"><span class="measure-name">{t().wall}</span><WallMeter run=run.clone() limits=limits.clone() /></span>
            <span class="measure"><span class="measure-name">{t().memory}</span><MemoryMeter run limits /></span>
        </span>
    }
}

#[component]
pub(super) fn CpuMeter(run: RunView, limits: LimitsView) -> impl IntoView {
    view! { <Meter value=run.cpu_ms limit=limits.time_limit_ms text=duration(run.cpu_ms) limit_text=time_limit(limits.time_limit_ms) /> }
}

#[component]
pub(super) fn WallMeter(run: RunView, limits: LimitsView) -> impl IntoView {
    view! {
        <span title=t().wall_hint>
            <Meter value=run.wall_ms limit=limits.wall_limit_ms text=duration(run.wall_ms) limit_text=time_limit(limits.wall_limit_ms) />
        </span>
    }
}

#[component]
pub(super) fn MemoryMeter(run: RunView, limits: LimitsView) -> impl IntoView {
    view! {
        <Meter
            value=run.peak_memory_bytes limit=limits.memory_limit_bytes
            text=bytes(run.peak_memory_bytes) limit_text=bytes(limits.memory_limit_bytes)
        />
    }
}
