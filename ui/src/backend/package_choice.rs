//! How a package is named in the desktop window: by the system's file dialog or by files dropped on the window.

use std::cell::RefCell;

use agon_contract::ApiError;
use agon_contract::package::PackageSource;
use js_sys::{JSON, Reflect};
use leptos::task::spawn_local;
use leptos::wasm_bindgen::{JsCast, JsValue, closure::Closure};
use serde::Deserialize;

use super::{http::describe, tauri, unreachable};

/// The window event that the desktop host emits for dropped files.
const DROPPED: &str = "agon://package-dropped";

#[derive(Deserialize)]
struct Dropped {
    paths: Vec<String>,
}

type DropListener = Box<dyn Fn(Vec<PackageSource>)>;

thread_local! {
    static LISTENER: RefCell<Option<DropListener>> = const { RefCell::new(None) };
    static REGISTERED: RefCell<bool> = const { RefCell::new(false) };
}

/// Opens the system's dialog; `None` when the person closed it.
///
/// # Errors
/// When the window cannot open one.
pub async fn pick_package() -> Result<Option<PackageSource>, ApiError> {
    Ok(pick_path("pick_package").await?.map(|path| PackageSource::Path { path }))
}

/// Opens the system's dialog for a folder; `None` when the person closed it.
///
/// # Errors
/// When the window cannot open one.
pub async fn pick_folder() -> Result<Option<String>, ApiError> {
    pick_path("pick_folder").await
}

/// Opens the system's dialog for a source file; `None` when the person closed it.
///
/// # Errors
/// When the window cannot open one.
pub async fn pick_source() -> Result<Option<String>, ApiError> {
    pick_path("pick_source").await
}

async fn pick_path(command: &str) -> Result<Option<String>, ApiError> {
    let failed = |error: JsValue| unreachable(command, &describe(&error));
    let arguments = tauri::object(&[]).map_err(failed)?;
    Ok(tauri::invoke_raw(command, &arguments).await.map_err(failed)?.as_string())
}

/// Hands files dropped on the desktop window to `listener`, in place of an earlier one.
pub fn on_dropped_packages(listener: impl Fn(Vec<PackageSource>) + 'static) {
    LISTENER.with_borrow_mut(|slot| *slot = Some(Box::new(listener)));
    let registered = REGISTERED.with_borrow_mut(|done| std::mem::replace(done, true));
    if tauri::is_window() && !registered {
        spawn_local(async {
            if let Err(error) = register().await {
                leptos::logging::warn!("dropped files will not arrive: {}", describe(&error));
            }
        });
    }
}

/// Stops handing dropped files on.
pub fn forget_dropped_packages() {
    LISTENER.with_borrow_mut(|slot| *slot = None);
}

/// The bridge keeps one registration for the life of the page; only the Rust side of it changes.
async fn register() -> Result<(), JsValue> {
    let callback = Closure::<dyn Fn(JsValue)>::new(|event: JsValue| {
        let sources = dropped_sources(&event);
        LISTENER.with_borrow(|slot| {
            if let Some(listener) = slot.as_ref().filter(|_| !sources.is_empty()) {
                listener(sources);
            }
        });
    });
    let handler = tauri::transform_callback(callback.as_ref().unchecked_ref())?;
    callback.forget();
    let target = tauri::object(&[("kind", "Any".into())])?;
    let arguments = tauri::object(&[("event", DROPPED.into()), ("target", target), ("handler", handler)])?;
    tauri::invoke_raw("plugin:event|listen", &arguments).await.map(|_| ())
}

fn dropped_sources(event: &JsValue) -> Vec<PackageSource> {
    let payload = Reflect::get(event, &"payload".into()).and_then(|payload| JSON::stringify(&payload));
    let Ok(text) = payload else { return Vec::new() };
    match serde_json::from_str::<Dropped>(&String::from(text)) {
        Ok(dropped) => dropped.paths.into_iter().map(|path| PackageSource::Path { path }).collect(),
        Err(error) => {
            leptos::logging::warn!("a drop event could not be read: {error}");
            Vec::new()
        }
    }
}
