// A request of a script that failed is reported on every page: a page that asks again and again would stand still
// without a message. The judging page has words of its own, where an answer may wait.

const WHY = {
  0: "The server does not answer.",
  401: "Your session has ended.",
  403: "You may not do this, or your session has changed.",
  404: "This is not there any more.",
  409: "This was changed meanwhile.",
  413: "What was sent is too large.",
  429: "Too many requests came at once.",
  503: "The server cannot do this now.",
};
const NEEDS_SIGN_IN = [401, 403];
const words = () => document.getElementById("request-failed");

function tell(status) {
  if (!words()) document.getElementById("main").prepend(document.getElementById("request-failed-words").content.cloneNode(true));
  words().querySelector("[data-why]").textContent = WHY[status] ?? `The server answered with a fault (${status}).`;
  const link = words().querySelector("[data-sign-in-again]");
  link.hidden = !NEEDS_SIGN_IN.includes(status);
  link.href = `${link.dataset.signInAgain}?next=${encodeURIComponent(location.pathname + location.search)}`;
}

document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
  if (document.getElementById("judging")?.contains(requestConfig.target)) return;
  if ((xhr.status >= 200 && xhr.status < 400) || xhr.status === 422) words()?.remove();
  else tell(xhr.status);
});
