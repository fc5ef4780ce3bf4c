// An answer stays until the server has said that it is stored: a failed save is shown, kept, and sent again.

import { isBusy, judging, say } from "./judging_page.js";
import * as store from "./unsaved_store.js";
import { isNewer } from "./upgrade.js";

const PAUSES = [5, 15, 30, 60]; // seconds before an answer is sent again by itself
const WHY = {
  0: "The server does not answer.",
  401: "Your session has ended.",
  403: "Your session has changed.",
  404: "You may not judge in this collection any more, or another person has signed in.",
  422: "Lacuna was upgraded: reload this page.",
  409: "Another person has signed in in this browser: sign out, and sign in as yourself.",
};
const NEEDS_SIGN_IN = [401, 403];

let unsaved = null; // the answer that this tab could not save
let attempts = 0;
let timer = null;
let mayLeave = false;

const trouble = () => document.getElementById("trouble");
const owner = () => judging().dataset; // holds person and collection
const idOf = (config) => config.formData.get("key") ?? config.path;
// A refused answer is dropped, since its card comes back with it; not so from a newer server, whose card is not shown.
const showsStored = (xhr) => xhr.status === 409 && xhr.getResponseHeader("X-Lacuna-Shows") === "stored";
const isSettled = (xhr) => (xhr.status >= 200 && xhr.status < 300) || (xhr.status === 422 && !isNewer(xhr)) || showsStored(xhr);
const isResent = (detail) => Boolean(detail.etc.values);

function isAnswer({ requestConfig: { elt, path } }) {
  return elt.matches("[data-kept-until-saved]") && elt.getAttribute("action") === path;
}

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (!isAnswer(detail)) return;
  const { formData, path } = detail.requestConfig;
  const values = Object.fromEntries(formData);
  store.put(owner(), { id: idOf(detail.requestConfig), path, values, at: Date.now() });
});

// The answer in force was changed elsewhere: it is shown, and what was sent is not tried again.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (showsStored(detail.xhr)) [detail.shouldSwap, detail.isError] = [true, false];
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { requestConfig: config, xhr } = detail;
  if (!isAnswer(detail) && !isResent(detail)) explain(config, xhr);
  else if (isSettled(xhr)) confirmed(idOf(config));
  else failed(idOf(config), xhr.status);
});

function confirmed(id) {
  store.drop(owner(), id);
  clearTimeout(timer);
  [unsaved, attempts] = [null, 0];
  trouble().replaceChildren();
  sendWaiting();
}

function failed(id, status) {
  unsaved = store.all(owner()).find((entry) => entry.id === id) ?? null;
  if (!unsaved) return;
  hold();
  showUnsaved(status);
  clearTimeout(timer);
  if (!NEEDS_SIGN_IN.includes(status)) timer = setTimeout(resend, 1000 * PAUSES[Math.min(attempts, PAUSES.length - 1)]);
  attempts += 1;
}

// While an answer waits the pair stays and cannot be answered otherwise: whether the server has stored it is not known.
function hold() {
  judging().dataset.unsaved = "";
  for (const form of judging().querySelectorAll("form")) form.inert = true;
}

function showUnsaved(status) {
  const isNew = !trouble().querySelector("[data-retry]");
  if (isNew) trouble().replaceChildren(document.getElementById("unsaved-words").content.cloneNode(true));
  const others = store.all(owner()).length - 1;
  trouble().querySelector("[data-what]").textContent = told(unsaved.values)
    + (others > 0 ? `, and ${others} more.` : ".");
  why(status);
  if (isNew) trouble().querySelector("[data-retry]").focus();
}

// A decision of an adjudicator comes with what was shown of the pair, a check of a query variant with its meaning.
function told({ grade, meaning, reason, shown }) {
  if (meaning) return `that it means ${meaning === "yes" ? "the same" : "something else"}`;
  if (shown) return grade === "none" ? "your decision that nobody can judge this" : `your decision for ${grade}`;
  return reason ? "cannot judge" : `your grade ${grade}`;
}

// A request that was no answer: nothing can be lost, but the person must know that nothing happened.
function explain(config, xhr) {
  if (!judging().contains(config.target)) return;
  if (isSettled(xhr)) return trouble().replaceChildren();
  trouble().replaceChildren(document.getElementById("failed-words").content.cloneNode(true));
  why(xhr.status);
}

function why(status) {
  trouble().querySelector("[data-why]").textContent = WHY[status] ?? `The server answered with a fault (${status}).`;
  trouble().querySelector("[data-sign-in]").hidden = !NEEDS_SIGN_IN.includes(status);
}

function resend() {
  if (unsaved && !isBusy()) send(unsaved);
}

function send({ path, values }) {
  clearTimeout(timer);
  judging().classList.add("htmx-request");
  const done = () => judging().classList.remove("htmx-request");
  htmx.ajax("POST", path, { target: "#judging", swap: "outerHTML", values }).then(done, done);
}

// Left by a tab that was closed, or by a session that ended: sent one after the other as soon as the page is back.
function sendWaiting() {
  const [next] = judging() ? store.all(owner()) : [];
  if (!next) return;
  say("Sending an answer that was not saved before.");
  send(next);
}

function discard() {
  store.drop(owner(), unsaved.id);
  mayLeave = true;
  location.reload();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-retry]")) resend();
  if (target.closest("[data-sign-in], [data-reload]")) mayLeave = true;
  if (target.closest("[data-discard]")) discard();
});
document.addEventListener("lacuna:upgraded", hold);
window.addEventListener("online", resend);
window.addEventListener("beforeunload", (event) => {
  if (!mayLeave && (unsaved || isBusy())) event.preventDefault();
});
sendWaiting();
