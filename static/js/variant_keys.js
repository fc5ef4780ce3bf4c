// The keys of the page on which query variants are checked. Two keys answer: the meaning, and whom it was written for.

import { isBusy, judging, say } from "./judging_page.js";
import { listen, part } from "./key_table.js";

export const KEYS = [
  { keys: ["y"], words: "it asks for the same", run: () => choose("[name=meaning][value=yes]") },
  { keys: ["n"], words: "it asks for something else", run: () => choose("[name=meaning][value=no]") },
  { keys: ["1"], words: "written for the first", run: () => choose("[name=writer][value=FIRST]") },
  { keys: ["2"], words: "written for the second", run: () => choose("[name=writer][value=SECOND]") },
  { keys: ["e"], words: "equally likely", run: () => choose("[name=writer][value=EITHER]") },
  { keys: ["c"], words: "to the comment; Esc leaves it, Ctrl+Enter saves from it", run: () => part("[name=comment]")?.focus() },
  { keys: ["Enter"], words: "save, next", run: save },
  { keys: ["u"], words: "back to my last answer", press: "[data-press=earlier]" },
  { keys: ["?"], words: "all keys", press: "[data-press=keys]" },
];

const hasMeaning = () => Boolean(part("[name=meaning]:checked"));
const hasWriter = () => !part("[name=writer]") || Boolean(part("[name=writer]:checked"));

// With the other half there, the answer is saved, unless the person wants to confirm with Enter.
function choose(selector) {
  const choice = part(selector);
  if (!choice) return;
  choice.checked = true;
  if (judging().dataset.enter === "yes" || !hasMeaning() || !hasWriter()) return tell();
  part(".save").click();
}

function save() {
  if (!part(".save")) return;
  if (hasMeaning() && hasWriter()) part(".save").click();
  else tell();
}

function tell() {
  if (!hasMeaning()) say("Now the meaning.");
  else if (!hasWriter()) say("Now whom it was written for.");
  else say("Enter saves.");
}

listen(KEYS, (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    part("[data-takes-focus]")?.focus({ preventScroll: true });
  }
  if (event.key === "Enter" && event.ctrlKey && event.target.matches("[name=comment]") && !event.isComposing && !event.repeat && !isBusy()) {
    event.preventDefault();
    save();
  }
});
