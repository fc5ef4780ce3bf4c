// How long a pair was in front of the person: in all, and with the tab visible and the person not idle.

export class Clock {
  // Times are milliseconds of one clock that never goes back.
  constructor(idleMs, isVisible, now) {
    Object.assign(this, { idleMs, isVisible, startedAt: now, countedTo: now, activeAt: now, visibleMs: 0 });
  }

  count(now) {
    const until = Math.min(now, this.activeAt + this.idleMs);
    if (this.isVisible) this.visibleMs += Math.max(0, until - this.countedTo);
    this.countedTo = now;
  }

  act(now) {
    this.count(now);
    this.activeAt = now;
  }

  turn(isVisible, now) {
    this.count(now);
    this.isVisible = isVisible;
    if (isVisible) this.activeAt = now;
  }

  read(now) {
    this.count(now);
    return { visible_ms: Math.round(this.visibleMs), wall_ms: Math.round(now - this.startedAt) };
  }
}

let clock = null;
let card = null;

// A card that comes back with a fault is the same card: its time runs on.
function start() {
  const root = document.getElementById("judging");
  if (!root?.dataset.idleSeconds || root.dataset.card === card) return;
  card = root.dataset.card;
  clock = new Clock(1000 * root.dataset.idleSeconds, document.visibilityState === "visible", performance.now());
}

for (const sign of ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"]) {
  document.addEventListener(sign, () => clock?.act(performance.now()), { passive: true });
}
document.addEventListener("visibilitychange", () => clock?.turn(document.visibilityState === "visible", performance.now()));
document.addEventListener("htmx:afterSwap", start);
document.addEventListener("htmx:configRequest", (event) => {
  if (!clock || !event.detail.formData.has("visible_ms")) return;
  Object.assign(event.detail.parameters, clock.read(performance.now()));
});
start();
