// Answers that the server has not confirmed, kept in this browser under the person who gave them. Never a passage's text.

const place = ({ person, collection }, id) => `lacuna-unsaved:${person}:${collection}:${id}`;

export function put(owner, entry) {
  localStorage.setItem(place(owner, entry.id), JSON.stringify(entry));
}

export function drop(owner, id) {
  localStorage.removeItem(place(owner, id));
}

// What waits of this person in this collection, oldest first; another person's answers are not even read.
export function all(owner) {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(place(owner, "")))
    .map((key) => JSON.parse(localStorage.getItem(key)))
    .sort((a, b) => a.at - b.at);
}
