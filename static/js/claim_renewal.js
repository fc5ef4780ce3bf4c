// A pair that is being looked at stays claimed: a small request every few minutes while the tab is visible.

import { token } from "./csrf.js";
import { compare } from "./upgrade.js";

const MOST_SECONDS = 300;
let renewedAt = performance.now();

function seconds({ claimMinutes }) {
  return Math.min(MOST_SECONDS, claimMinutes * 20);
}

function renew() {
  const root = document.getElementById("judging");
  if (!root?.dataset.renew || document.visibilityState !== "visible") return;
  if (performance.now() - renewedAt < 1000 * seconds(root.dataset)) return;
  renewedAt = performance.now();
  const headers = { "X-CSRFToken": token(), "HX-Request": "true" };
  fetch(root.dataset.renew, { method: "POST", headers, body: new URLSearchParams({ token: root.dataset.token }) })
    .then(compare)
    .catch(() => {}); // Nothing is lost: a grade that comes after the claim ran out is stored as well.
}

document.addEventListener("htmx:afterSwap", ({ target }) => { if (target.id === "judging") renewedAt = performance.now(); });
document.addEventListener("visibilitychange", renew);
setInterval(renew, 15_000);
