// While a title is typed, the short name follows it, until the person writes one.

const title = document.querySelector("#id_title");
const slug = document.querySelector("#id_slug");
let isFollowing = slug.value === "";

title.addEventListener("input", () => {
  if (!isFollowing) return;
  const plain = title.value.normalize("NFKD").replace(/[^\w\s-]/g, "").toLowerCase();
  slug.value = plain.trim().replace(/[\s_-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 80);
});
slug.addEventListener("input", () => { isFollowing = slug.value === ""; });
