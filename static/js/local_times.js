// Times are stored and sent in UTC; each <time datetime> is shown in the person's own zone, data-clock as hours and minutes.

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const FULL = { year: "numeric", month: "2-digit", day: "2-digit", ...CLOCK };

function localise(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const at = new Date(element.dateTime);
    const options = "clock" in element.dataset ? CLOCK : FULL;
    // Swedish writes dates as ISO 8601 does: 2031-05-07 14:05.
    if (!Number.isNaN(at.valueOf())) element.textContent = at.toLocaleString("sv-SE", options);
  }
}

localise(document);
document.addEventListener("htmx:afterSwap", () => localise(document));
