// The keys of the judging page. Each stands once in the table; most of them press what can also be clicked.

import { grade, hasSettled, isBusy, judging, say } from "./judging_page.js";

export const KEYS = [
  { keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: grades, words: "grade, save, next (row and number pad)", run: gradeBy },
  { keys: ["Enter"], words: "confirm; after a reveal: keep", run: confirm },
  { keys: ["u"], words: "reopen my last judgment", press: "[data-press=earlier]" },
  { keys: ["s"], words: "skip: it comes back at the end of my queue", press: "[data-press=skip]" },
  { keys: ["n"], words: "cannot judge, with a reason", run: openReasons },
  { keys: ["f"], words: "“not sure” on or off, before grading", press: "[name=is_unsure]" },
  { keys: ["c"], words: "to the comment; Esc leaves it, Ctrl+Enter saves from it", run: () => part("[name=comment]")?.focus() },
  { keys: ["b"], words: "fold the backstory", press: "[data-fold=backstory] > summary" },
  { keys: ["g"], words: "fold the guidelines", press: "[data-fold=guidelines] > summary" },
  { keys: ["m"], words: "show the whole passage", press: "[name=shows_whole]" },
  { keys: ["ArrowLeft"], shown: "←", words: "back through my own history", press: "[data-press=earlier]" },
  { keys: ["ArrowRight"], shown: "→", words: "forward again", press: "[data-press=later]" },
  { keys: ["?"], words: "all keys", press: "[data-press=keys]" },
];

const part = (selector) => judging().querySelector(selector);

// Those of the card: of its scale, or of the reveal.
function grades() {
  return [...new Set([...judging().querySelectorAll("[name=grade]")].map(({ value }) => value))].sort().join(" ");
}

function gradeBy(key) {
  const choice = part(`[type=radio][name=grade][value="${key}"], button[name=grade][value="${key}"]`);
  if (choice) grade(choice);
}

function confirm() {
  const keep = part("[data-press=keep]");
  if (keep) return keep.click();
  if (part("[name=grade]:checked")) part(".save").click();
  else if (part(".save")) say("Choose a grade first.");
}

function openReasons() {
  const reasons = part("[data-press=cannot]");
  if (!reasons) return;
  reasons.open = true;
  reasons.querySelector("button").focus();
}

// The digits of the row have other characters on some keyboards; the place of the key tells the digit then.
function keyOf(event) {
  if (event.key.length !== 1) return event.key;
  if (/^Digit\d$/.test(event.code) && !event.shiftKey && !/\d/.test(event.key)) return event.code.at(-1);
  return event.key.toLowerCase();
}

const isWriting = (element) =>
  element.isContentEditable || element.matches("textarea, select, input:not([type=radio], [type=checkbox])");

function isDead(event) {
  return event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.isComposing
    || isWriting(event.target) || isBusy() || !hasSettled() || "unsaved" in judging().dataset || document.querySelector("dialog[open]");
}

// What the element under the focus does with a key by itself.
function isNative(event, key) {
  if (key === "Enter") return event.target.matches("a, button, summary");
  return key.startsWith("Arrow") && event.target.matches("[type=radio]");
}

function isSwitchedOff(event, key) {
  const isCharacter = key.length === 1;
  const isDigitOnGrade = /\d/.test(key) && event.target.matches("[name=grade]");
  return isCharacter && judging().dataset.shortcuts === "off" && !isDigitOnGrade;
}

function leave(event) {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  event.target.closest("details.cannot")?.removeAttribute("open");
  part("[data-takes-focus]")?.focus({ preventScroll: true });
}

function saveFromText(event) {
  if (event.key !== "Enter" || event.isComposing || event.repeat || isBusy()) return;
  const isComment = event.target.matches("[name=comment]") && event.ctrlKey;
  const isReason = event.target.matches("[name=other_reason]");
  if (!isComment && !isReason) return;
  event.preventDefault();
  part(isReason ? "[name=reason][value=OTHER]" : ".save").click();
}

document.addEventListener("keydown", (event) => {
  if (!judging() || !(event.target === document.body || event.target.closest("#judging, #main"))) return;
  leave(event);
  saveFromText(event);
  const key = keyOf(event);
  const entry = KEYS.find(({ keys }) => keys.includes(key));
  if (!entry || isDead(event) || isNative(event, key) || isSwitchedOff(event, key)) return;
  event.preventDefault();
  if (entry.run) entry.run(key);
  else part(entry.press)?.click();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-press=keys]")) return;
  const list = document.getElementById("key-list");
  list.querySelector("tbody").replaceChildren(...KEYS.filter(({ shown }) => shown !== grades || grades()).map(row));
  list.showModal();
});

function row({ keys, shown, words }) {
  const tr = document.createElement("tr");
  const th = Object.assign(document.createElement("th"), { scope: "row" });
  const marks = (shown instanceof Function ? shown() : shown ?? keys[0]).split(" ").map((key) => Object.assign(document.createElement("kbd"), { textContent: key }));
  th.append(...marks.flatMap((mark) => [mark, " "]));
  tr.append(th, Object.assign(document.createElement("td"), { textContent: words }));
  return tr;
}
