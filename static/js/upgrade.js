// A page that was open while Lacuna was upgraded has old scripts: it says so and shows nothing of the newer server.

const HEADER = "X-Lacuna-Version";

// Of an answer to XMLHttpRequest or fetch; one that never came tells nothing.
export function isNewer(answer) {
  const version = answer.headers ? answer.headers.get(HEADER) : answer.getResponseHeader(HEADER);
  return Boolean(version) && version !== document.documentElement.dataset.version;
}

export function compare(answer) {
  if (isNewer(answer)) tell();
}

function tell() {
  if (document.getElementById("upgraded")) return;
  document.getElementById("main").prepend(document.getElementById("upgraded-words").content.cloneNode(true));
  document.dispatchEvent(new Event("lacuna:upgraded"));
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (isNewer(detail.xhr)) detail.shouldSwap = false;
  compare(detail.xhr);
});
document.addEventListener("click", ({ target }) => { if (target.closest("[data-reload]")) location.reload(); });
