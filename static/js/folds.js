// What the person folded stays folded on the next pair, in this browser.

const place = (name) => `lacuna-fold-${name}`;

function apply() {
  for (const fold of document.querySelectorAll("details[data-fold]")) {
    const kept = localStorage.getItem(place(fold.dataset.fold));
    if (kept) fold.open = kept === "open";
  }
}

document.addEventListener("toggle", (event) => {
  const { fold } = event.target.dataset ?? {};
  if (fold) localStorage.setItem(place(fold), event.target.open ? "open" : "closed");
}, true);
document.addEventListener("htmx:afterSwap", apply);
apply();
