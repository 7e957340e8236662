// Enhancements only: every page reads and plays without this file.
(() => {
  document.documentElement.classList.add("js");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // One thing plays at a time.
  document.addEventListener("play", ({ target }) => {
    for (const media of all("audio, video")) if (media !== target) media.pause();
  }, true);

  const copyButton = (button) => {
    const label = button.textContent;
    const address = button.dataset.copyText ?? new URL(button.dataset.copy, location.href).href;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(address);
        button.textContent = button.dataset.copied ?? "✓";
      } catch {
        // No clipboard outside a secure context: hand the address over to be copied by hand.
        prompt(label, address);
      }
      setTimeout(() => (button.textContent = label), 2000);
    });
  };

  const reach = () => {
    for (const box of all(".prose pre, .prose .scroller, .prose .table")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", reach);

  // Each thing once, however often the page changes.
  const known = new WeakSet();
  const fresh = (element) => !known.has(element) && known.add(element);
  const setUp = () => {
    all("[data-copy], [data-copy-text]").filter(fresh).forEach(copyButton);

    // In the language of the page: its skip link carries them.
    const words = document.querySelector(".skip")?.dataset ?? {};
    for (const box of all(".prose li input[type=checkbox]:not([aria-label])")) {
      box.setAttribute("aria-label", words[box.checked ? "done" : "toDo"]);
    }

    // What scrolls sideways must be reachable with the keyboard, and nothing else stops on the way.
    for (const table of all(".prose table").filter(fresh)) {
      if (table.parentElement.matches(".table")) continue;
      const scroller = document.createElement("div");
      scroller.className = "scroller";
      table.replaceWith(scroller);
      scroller.append(table);
    }
    reach();
  };
  setUp();
  // The dock has brought another page into this document.
  document.addEventListener("page-enter", setUp);

  // What was in the dock when the page was left is offered on every page, and pages that it has exchanged need it.
  try {
    if (sessionStorage.getItem("dock") || history.state?.page) import(new URL("dock.js", document.currentScript.src));
  } catch {}
})();
