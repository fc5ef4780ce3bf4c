// Files can be dropped on the place where they are chosen; their names and sizes are shown, and too much is said before
// it is sent. Without this script the file input works alone.

const MB = 1024 * 1024;

function line(text, isTooMuch = false) {
  const item = document.createElement("li");
  item.textContent = text;
  item.classList.toggle("is-too-much", isTooMuch);
  return item;
}

function size(bytes) {
  return bytes < MB ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / MB).toFixed(1)} MB`;
}

function tell(place, input) {
  const limit = Number(place.dataset.limitMb);
  const total = [...input.files].reduce((sum, file) => sum + file.size, 0);
  const sentence = `${size(total)} together are more than ${limit} MB: choose fewer files.`;
  const isTooMuch = total > limit * MB;
  input.setCustomValidity(isTooMuch ? sentence : "");
  const lines = [...input.files].map((file) => line(`${file.name}, ${size(file.size)}`));
  place.querySelector("[data-chosen]").replaceChildren(...lines, ...(isTooMuch ? [line(sentence, true)] : []));
}

for (const place of document.querySelectorAll("[data-drop-files]")) {
  const input = place.querySelector("input[type=file]");
  input.addEventListener("change", () => tell(place, input));
  for (const kind of ["dragenter", "dragover"]) {
    place.addEventListener(kind, (event) => {
      event.preventDefault();
      place.classList.add("is-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) place.addEventListener(kind, () => place.classList.remove("is-over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    tell(place, input);
  });
}
