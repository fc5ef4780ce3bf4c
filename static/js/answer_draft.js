// What was typed and not saved comes back when the same card shows again: in this browser, for the same person.

import { judging } from "./judging_page.js";

const MOST_DAYS = 30;
const PREFIX = "lacuna-draft:";

const place = (id) => `${PREFIX}${judging().dataset.person}:${judging().dataset.collection}:${id}`;
const form = () => judging()?.querySelector("form:has(textarea[name=comment], textarea[name=reason])");

// The claim of a new pair; of a reopened one the address of its change, which names the version that it is based on.
const idOf = (values, action) => values.get("token") ?? action;

function typed() {
  return [...form().querySelectorAll("textarea, [name=other_reason], [name=is_unsure]")];
}

const isChanged = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;

function keep() {
  const id = idOf(new FormData(form()), form().getAttribute("action"));
  const changed = typed().filter(isChanged).map(({ name, value, checked }) => [name, { value, checked }]);
  if (changed.length === 0) return localStorage.removeItem(place(id));
  localStorage.setItem(place(id), JSON.stringify({ at: Date.now(), fields: Object.fromEntries(changed) }));
}

function bringBack() {
  if (!form()) return;
  const kept = localStorage.getItem(place(idOf(new FormData(form()), form().getAttribute("action"))));
  if (!kept) return;
  const { fields } = JSON.parse(kept);
  for (const field of typed()) if (field.name in fields && !isChanged(field)) Object.assign(field, fields[field.name]);
}

function forgetOld() {
  for (const key of Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) {
    if (Date.now() - JSON.parse(localStorage.getItem(key)).at > MOST_DAYS * 86_400_000) localStorage.removeItem(key);
  }
}

for (const sign of ["input", "change"]) {
  document.addEventListener(sign, (event) => { if (form()?.contains(event.target)) keep(); });
}
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig: { formData, path, verb }, xhr: { status } } }) => {
  if (judging() && verb === "post" && status >= 200 && status < 300) localStorage.removeItem(place(idOf(formData, path)));
});
document.addEventListener("htmx:afterSwap", bringBack);
forgetOld();
bringBack();
