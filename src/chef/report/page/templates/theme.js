// Dark or light: as the system has it, or as the reader chose. Runs before anything is drawn.

const THEMES = ["automatic", "light", "dark"];
const THEME_KEY = "chef-theme";

/** Browsers may keep no storage for pages on disk; the choice then lasts as long as the page. */
function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function storeTheme(theme) {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // nothing is lost but the choice
  }
}

function setTheme(theme) {
  const known = THEMES.includes(theme) ? theme : "automatic";
  document.documentElement.dataset.theme = known;
  return known;
}

function wireTheme() {
  const button = document.getElementById("theme");
  const name = button.querySelector("span");
  name.textContent = setTheme(storedTheme());
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    name.textContent = setTheme(next);
    storeTheme(next);
  });
}

setTheme(storedTheme());
