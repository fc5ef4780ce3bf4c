// Paper has no folds: what is folded is open while the page is printed.

let opened = [];

addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details.open-in-print:not([open])")];
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
  opened = [];
});
