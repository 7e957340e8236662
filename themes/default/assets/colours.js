// Applies the colour scheme: light, dark or the system's. This small script runs before the first paint.
(() => {
  const root = document.documentElement;
  const all = (selector) => document.querySelectorAll(selector);
  let chosen;
  const read = () => {
    try {
      chosen = localStorage.getItem("colours");
    } catch {}
  };
  const paint = () => {
    if (!/^(light|dark)$/.test(chosen)) chosen = "";
    if (chosen) root.dataset.theme = chosen;
    else root.removeAttribute("data-theme");
    for (const meta of all("meta[name=color-scheme]")) meta.content = chosen || "light dark";
    for (const meta of all("meta[name=theme-color]")) {
      const { scheme } = meta.dataset;
      meta.media = chosen ? (chosen === scheme ? "all" : "not all") : `(prefers-color-scheme: ${scheme})`;
    }
    for (const select of all("[data-colours]")) select.value = chosen;
  };
  const readAndPaint = () => {
    read();
    paint();
  };
  readAndPaint();
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-colours]")) return;
    chosen = target.value;
    try {
      localStorage.setItem("colours", chosen);
    } catch {}
    paint();
  });
  // The control is there; the dock has brought another page; the choice was made in another window, or on the page one comes back from.
  for (const name of ["DOMContentLoaded", "page-enter"]) document.addEventListener(name, paint);
  for (const name of ["storage", "pageshow"]) addEventListener(name, readAndPaint);
  // A busy Chromium skips the transition from the previous page and reports a rejection. This prevents the report,
  // unless it comes before this script runs.
  addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof DOMException && /^Transition was/.test(event.reason.message)) event.preventDefault();
  });
})();
