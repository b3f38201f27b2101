//! Placeholder until the room is built.
fn main() {
    tauri::Builder::default().plugin(tauri_plugin_dialog::init()).run(tauri::generate_context!()).expect("runs");
}
