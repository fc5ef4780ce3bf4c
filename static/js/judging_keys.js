// The keys of the judging page. Each stands once in the table; most of them press what can also be clicked.

import { grade, isBusy, say } from "./judging_page.js";
import { grades, listen, part } from "./key_table.js";

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

function leave(event) {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  event.target.closest("details.cannot, details.flag")?.removeAttribute("open");
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

listen(KEYS, (event) => {
  leave(event);
  saveFromText(event);
});
