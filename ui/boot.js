// Loads the interface's module. The theme is set first, so that the first paint is the right one.
import init from "/agon_ui.js";

let chosen = null;
try {
  chosen = localStorage.getItem("agon.theme");
} catch {
  // A browser that forbids storage follows the system.
}
const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
const isDark = chosen === "dark" || (chosen !== "light" && systemIsDark);
document.documentElement.dataset.theme = isDark ? "dark" : "light";

init({ module_or_path: "/agon_ui_bg.wasm" }).catch((error) => {
  const splash = document.getElementById("splash");
  if (splash) {
    splash.className = "splash-failed";
    splash.textContent = `Agon could not start: ${error}`;
  }
  console.error(error);
});
