// After each swap the passage's heading takes the focus and a listener is told what happened; a new card stands at its top.

export const judging = () => document.getElementById("judging");

export const isBusy = () => judging()?.classList.contains("htmx-request") ?? false;

// A key or a click in the first moment after a pair appeared was meant for the pair before it.
const SETTLING_MS = 250;
let appearedAt = -SETTLING_MS;
export const hasSettled = () => performance.now() - appearedAt > SETTLING_MS;

export function say(words) {
  document.getElementById("said").textContent = words;
}

// `choice` is a radio button of the card, or a button of the reveal. Buttons are clicked, never passed by: htmx takes
// the button that was clicked or focused last for the one that sends.
export function grade(choice) {
  if (choice.type !== "radio") return choice.click();
  choice.checked = true;
  if (judging().dataset.confirms === "yes") choice.focus();
  else choice.form.querySelector(".save").click();
}

// One click on a grade saves it. Arrow keys move among the radio buttons as everywhere and save nothing (detail is 0).
document.addEventListener("click", (event) => {
  const label = event.target.closest("#judging label.grade-choice");
  if (!label || event.detail === 0) return;
  event.preventDefault();
  if (event.detail === 1 && hasSettled() && !isBusy()) grade(label.querySelector("input"));
});

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target === judging()) {
    appearedAt = performance.now();
    window.scrollTo(0, 0);
  }
  judging()?.querySelector("[data-takes-focus]")?.focus({ preventScroll: true });
  say(target.dataset.said);
});

judging()?.querySelector("[data-takes-focus]")?.focus({ preventScroll: true });
