// Moves each footnote next to its first reference, if the style sheet puts footnotes into the margin. Their order in the
// document stays the same for screen readers and on paper.
const GAP = 12;
const WIDE = ".rail, .wide, .prose :is(pre, figure, img, table, video, iframe, .gallery, .table)";

const place = (notes) => {
  notes.classList.remove("at-end");
  if (getComputedStyle(notes).position !== "absolute") return;
  const items = [...notes.querySelectorAll(":scope > ol > li")];
  for (const item of items) item.style.removeProperty("--move");
  const column = notes.getBoundingClientRect();
  // Code, tables and pictures that extend into the margin are not covered.
  const taken = [...document.querySelectorAll(WIDE)]
    .filter((one) => !notes.contains(one))
    .map((one) => one.getBoundingClientRect())
    .filter(({ left, right }) => left < column.right && right > column.left)
    .sort((one, other) => one.top - other.top);
  const boxes = items.map((item) => item.getBoundingClientRect());
  const meets = (at, height) => ({ top, bottom }) => at < bottom + GAP && at + height + GAP > top;

  // Places the notes from the first to the last, then moves notes up if they end below the page.
  const start = notes.parentElement.getBoundingClientRect().top;
  let free = start;
  const places = items.map((item, index) => {
    const { top, height } = boxes[index];
    const reference = document.querySelector(`.footnote-ref a[href="#${CSS.escape(item.id)}"]`);
    let at = Math.max(free, reference?.getBoundingClientRect().top ?? top);
    for (const box of taken) if (meets(at, height)(box)) at = box.bottom + GAP;
    free = at + height + GAP;
    return at;
  });
  let end = document.querySelector("body > .footer")?.getBoundingClientRect().top ?? Infinity;
  for (let index = items.length; index--; ) {
    const { height } = boxes[index];
    let at = Math.min(places[index], end - GAP - height);
    if (at < places[index]) for (const box of [...taken].reverse()) if (meets(at, height)(box)) at = box.top - GAP - height;
    places[index] = end = at;
  }
  const fits = end >= start && column.left >= 0 && column.right <= document.documentElement.clientWidth;
  notes.classList.toggle("at-end", !fits);
  if (fits) items.forEach((item, index) => item.style.setProperty("--move", `${places[index] - boxes[index].top}px`));
};

const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) place(target.querySelector(":scope > .footnotes"));
});
const start = () => {
  observer.disconnect();
  for (const notes of document.querySelectorAll(".prose > .footnotes")) observer.observe(notes.parentElement);
};
start();
document.addEventListener("page-enter", start);
