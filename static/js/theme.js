// The theme switch takes effect at once and is stored in the background; without this script its form reloads the page.

import { token } from "./csrf.js";

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-switch]");
  if (!form) return;
  event.preventDefault();
  const { value } = event.submitter;
  document.documentElement.dataset.theme = value.toLowerCase();
  for (const button of form.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === value));
  }
  fetch(form.action, { method: "POST", redirect: "manual", headers: { "X-CSRFToken": token() }, body: new URLSearchParams({ theme: value }) });
});
