// Keys of a page with one pair: each stands once in its table, and most of them press what can also be clicked.
// `run` says what a key does, or `press` names what it clicks; `shown` is what the list of all keys shows for it.

import { hasSettled, isBusy, judging } from "./judging_page.js";

export const part = (selector) => judging().querySelector(selector);

// The grades of the card: of its scale, or of the reveal.
export function grades() {
  const values = [...judging().querySelectorAll("[name=grade]")].map(({ value }) => value);
  return [...new Set(values)].filter((value) => /^\d+$/.test(value)).sort().join(" ");
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

// `before` is asked about every key, in text fields too: to leave them and to save from them.
export function listen(table, before) {
  document.addEventListener("keydown", (event) => {
    if (!judging() || !(event.target === document.body || event.target.closest("#judging, #main"))) return;
    before(event);
    const key = keyOf(event);
    const entry = table.find(({ keys }) => keys.includes(key));
    if (!entry || isDead(event) || isNative(event, key) || isSwitchedOff(event, key)) return;
    event.preventDefault();
    if (entry.run) entry.run(key);
    else part(entry.press)?.click();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-press=keys]")) return;
    const list = document.getElementById("key-list");
    list.querySelector("tbody").replaceChildren(...table.filter(({ shown }) => shown !== grades || grades()).map(row));
    list.showModal();
  });
}

function row({ keys, shown, words }) {
  const tr = document.createElement("tr");
  const th = Object.assign(document.createElement("th"), { scope: "row" });
  const marks = (shown instanceof Function ? shown() : shown ?? keys[0]).split(" ").map((key) => Object.assign(document.createElement("kbd"), { textContent: key }));
  th.append(...marks.flatMap((mark) => [mark, " "]));
  tr.append(th, Object.assign(document.createElement("td"), { textContent: words }));
  return tr;
}
