// The keys of the adjudication page. A decision is two keys: a grade and a reason, in either order.

import { isBusy, judging, say } from "./judging_page.js";
import { grades, listen, part } from "./key_table.js";

export const KEYS = [
  { keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: grades, words: "decide for this grade (row and number pad)", run: gradeBy },
  { keys: ["n"], words: "nobody can judge this: it stays a hole", run: () => choose("[name=grade][value=none]") },
  { keys: ["q", "w", "e", "r"], shown: () => "q w e r", words: "the reasons in their order; with a grade chosen: save, next", run: (key) => choose(`[data-key=${key}]`) },
  { keys: ["c"], words: "to a reason in your words; Esc leaves it, Ctrl+Enter saves from it", run: () => part("[name=reason]")?.focus() },
  { keys: ["Enter"], words: "save, next", run: save },
  { keys: ["s"], words: "next, without deciding", press: "[data-press=skip]" },
  { keys: ["u"], words: "reopen my last decision", press: "[data-press=earlier]" },
  { keys: ["b"], words: "fold the backstory", press: "[data-fold=backstory] > summary" },
  { keys: ["g"], words: "fold the guidelines", press: "[data-fold=guidelines] > summary" },
  { keys: ["m"], words: "show the whole passage", press: "[name=shows_whole]" },
  { keys: ["?"], words: "all keys", press: "[data-press=keys]" },
];

const hasGrade = () => Boolean(part("[name=grade]:checked"));
const hasReason = () => Boolean(part("[name=preset]:checked")?.value || part("[name=reason]")?.value.trim());

function gradeBy(key) {
  choose(`[type=radio][name=grade][value="${key}"]`);
}

// With the other half there, the decision is saved, unless the person wants to confirm with Enter.
function choose(selector) {
  const choice = part(selector);
  if (!choice) return;
  choice.checked = true;
  if (judging().dataset.enter === "yes" || !hasGrade() || !hasReason()) return tell();
  part(".save").click();
}

function save() {
  if (!part(".save")) return;
  if (hasGrade() && hasReason()) part(".save").click();
  else tell();
}

function tell() {
  if (!hasGrade()) say("Now the grade.");
  else if (!hasReason()) say("Now the reason.");
  else say("Enter saves.");
}

listen(KEYS, (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    part("[data-takes-focus]")?.focus({ preventScroll: true });
  }
  if (event.key === "Enter" && event.ctrlKey && event.target.matches("[name=reason]") && !event.isComposing && !event.repeat && !isBusy()) {
    event.preventDefault();
    save();
  }
});
