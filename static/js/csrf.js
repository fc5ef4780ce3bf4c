// The CSRF token is read when a request is sent: signing in again elsewhere changes it under an open page.

export function token() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  return cookie ? decodeURIComponent(cookie.slice("csrftoken=".length)) : "";
}

document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb === "get" || !token()) return;
  event.detail.headers["X-CSRFToken"] = token();
  delete event.detail.parameters.csrfmiddlewaretoken;
});
