// Swagger UI is dark by a class: it follows the theme of the page, and of the system where the page leaves it to that.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  const theme = root.dataset.theme;
  root.classList.toggle("dark-mode", theme === "dark" || (theme === "system" && system.matches));
}

system.addEventListener("change", follow);
new MutationObserver(follow).observe(root, { attributeFilter: ["data-theme"] });
follow();
