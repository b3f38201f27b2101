//! Two panes with a border that moves by pointer and by keyboard.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;

use crate::state::browser::{remember, remembered};

/// Keyboard step in percent.
const STEP: f64 = 2.0;

/// Whether the panes stand side by side or above each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Columns,
    Rows,
}

/// Bounds of the first pane's share, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub least: f64,
    pub most: f64,
}

impl Bounds {
    fn hold(&self, percent: f64) -> f64 {
        if percent.is_finite() { percent.clamp(self.least, self.most) } else { self.least }
    }
}

/// The share after a key, or `None` when the key does not move the border.
fn after_key(key: &str, axis: Axis, percent: f64, bounds: Bounds) -> Option<f64> {
    let moved = match (key, axis) {
        ("ArrowLeft", Axis::Columns) | ("ArrowUp", Axis::Rows) => percent - STEP,
        ("ArrowRight", Axis::Columns) | ("ArrowDown", Axis::Rows) => percent + STEP,
        ("Home", _) => bounds.least,
        ("End", _) => bounds.most,
        _ => return None,
    };
    Some(bounds.hold(moved))
}

/// The share of the first pane is remembered under `name` by this browser.
#[component]
pub fn Split(
    axis: Axis,
    name: &'static str,
    label: &'static str,
    initial: f64,
    bounds: Bounds,
    first: AnyView,
    second: AnyView,
) -> impl IntoView {
    let key = format!("agon.split.{name}");
    let start = remembered(&key).and_then(|text| text.parse().ok()).unwrap_or(initial);
    let percent = RwSignal::new(bounds.hold(start));
    let node = NodeRef::<html::Div>::new();
    let dragging = RwSignal::new(false);
    Effect::new(move |_| remember(&key, &format!("{:.1}", percent.get())));

    let on_down = move |event: PointerEvent| {
        event.prevent_default();
        let target = event_target::<leptos::web_sys::Element>(&event);
        dragging.set(target.set_pointer_capture(event.pointer_id()).is_ok());
    };
    let on_move = move |event: PointerEvent| {
        let Some(frame) = node.get_untracked().filter(|_| dragging.get_untracked()) else { return };
        let frame = frame.get_bounding_client_rect();
        let share = match axis {
            Axis::Columns => (f64::from(event.client_x()) - frame.left()) / frame.width(),
            Axis::Rows => (f64::from(event.client_y()) - frame.top()) / frame.height(),
        };
        percent.set(bounds.hold(share * 100.0));
    };
    let on_key = move |event: KeyboardEvent| {
        if let Some(moved) = after_key(&event.key(), axis, percent.get_untracked(), bounds) {
            event.prevent_default();
            percent.set(moved);
        }
    };
    let (class, orientation) = match axis {
        Axis::Columns => ("split split-columns", "vertical"),
        Axis::Rows => ("split split-rows", "horizontal"),
    };
    view! {
        <div class=class node_ref=node style=("--share", move || format!("{:.2}%", percent.get()))>
            <div class="split-pane">{first}</div>
            <div
                class="split-handle"
                class:is-dragging=dragging
                role="separator"
                tabindex="0"
                aria-label=label
                aria-orientation=orientation
                aria-valuemin=bounds.least.to_string()
                aria-valuemax=bounds.most.to_string()
                aria-valuenow=move || format!("{:.0}", percent.get())
                data-testid=format!("split-{name}")
                on:pointerdown=on_down
                on:pointermove=on_move
                on:pointerup=move |_| dragging.set(false)
                on:pointercancel=move |_| dragging.set(false)
                on:dblclick=move |_| percent.set(bounds.hold(initial))
                on:keydown=on_key
            ></div>
            <div class="split-pane">{second}</div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { least: 20.0, most: 80.0 };

    #[test]
    fn keys_move_along_the_axis_only() {
        assert_eq!(after_key("ArrowLeft", Axis::Columns, 50.0, BOUNDS), Some(48.0));
        assert_eq!(after_key("ArrowDown", Axis::Rows, 50.0, BOUNDS), Some(52.0));
        assert_eq!(after_key("ArrowDown", Axis::Columns, 50.0, BOUNDS), None);
        assert_eq!(after_key("a", Axis::Rows, 50.0, BOUNDS), None);
    }

    #[test]
    fn the_border_stays_inside_its_bounds() {
        assert_eq!(after_key("ArrowLeft", Axis::Columns, 20.5, BOUNDS), Some(20.0));
        assert_eq!(after_key("End", Axis::Rows, 50.0, BOUNDS), Some(80.0));
        assert_eq!(BOUNDS.hold(f64::NAN), 20.0);
    }
}
