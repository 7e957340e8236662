// Enhancements only: every page reads and plays without this file.
(() => {
  document.documentElement.classList.add("js");
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const own = document.currentScript.src;

  // One thing plays at a time.
  document.addEventListener("play", ({ target }) => {
    for (const media of all("audio, video")) if (media !== target) media.pause();
  }, true);

  // What has no place on the page is read aloud from here.
  const status = document.createElement("p");
  status.className = "vh";
  status.setAttribute("role", "status");
  document.body.append(status);

  const addressOf = ({ dataset }) => dataset.copyText ?? new URL(dataset.copy, location.href).href;
  const copyButton = (button, text = () => addressOf(button)) => {
    const label = button.textContent;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text());
        status.textContent = button.textContent = button.dataset.copied ?? "✓";
      } catch {
        // No clipboard outside a secure context: hand the text over to be copied by hand.
        prompt(label, text());
      }
      setTimeout(() => (status.textContent = "", button.textContent = label), 2000);
    });
  };

  // The bar above code without a file name; a figure has its caption.
  const addBar = (pre) => {
    const box = document.createElement("div");
    const bar = document.createElement("div");
    box.className = "code";
    bar.className = "code-bar";
    Object.assign(bar.dataset, pre.dataset);
    pre.replaceWith(box);
    box.append(bar, pre);
    return bar;
  };
  // Line numbers are attributes, and are not copied.
  const copyCode = (pre, words) => {
    const bar = pre.closest("figure.code")?.querySelector("figcaption") ?? addBar(pre);
    const button = document.createElement("button");
    button.className = "code-copy";
    button.type = "button";
    button.textContent = words.copyCode;
    button.dataset.copied = words.copied;
    bar.append(button);
    copyButton(button, () => pre.textContent);
  };

  // Boxes that scroll sideways get a tab stop. The name of a table is its caption or its first row.
  const reach = () => {
    for (const box of all(".prose pre, .prose .scroller, .prose .table, .prose .math")) {
      const scrolls = box.scrollWidth > box.clientWidth;
      const caption = box.querySelector("caption");
      const cells = caption ? [caption] : [...(box.querySelector("tr")?.children ?? [])];
      const name = cells.map((cell) => cell.textContent.trim()).filter(Boolean).join(" ");
      for (const [key, value] of [["tabindex", 0], ["role", name && "group"], ["aria-label", name]]) {
        if (scrolls && value !== "") box.setAttribute(key, value);
        else box.removeAttribute(key);
      }
    }
  };
  addEventListener("resize", reach);

  // How long until a live show begins, and whether it is on, by the visitor's clock. Of some it is told (data-told).
  const units = [["day", 864e5], ["hour", 36e5], ["minute", 6e4], ["second", 1e3]];
  const countDown = () => {
    const now = Date.now();
    for (const show of all("[data-begins]")) {
      const begins = Number(show.dataset.begins);
      const ends = Number(show.dataset.ends ?? begins + 4 * 36e5);
      const isOn = begins <= now && now < ends;
      if (!("told" in show.dataset)) for (const part of all("[data-while-on]", show)) part.hidden = !isOn;
      const left = begins - now;
      // What rounds up to 24 hours is a day.
      const [unit, size] = units.find(([, size], at) => left >= size - (units[at + 1]?.[1] ?? 0) / 2) ?? ["second", 1e3];
      const count = new Intl.RelativeTimeFormat(document.documentElement.dataset.wordsLang || document.documentElement.lang || "en");
      const text = left > 0 ? count.format(Math.round(left / size), unit) : "";
      const place = show.querySelector("[data-countdown]");
      if (place && place.textContent !== text) place.textContent = text;
      if (now < ends) continue;
      show.hidden = true;
      const list = show.closest("section");
      if (list && !list.querySelector("li:not([hidden])")) list.hidden = true;
    }
  };
  let ticking;
  const startCounting = () => {
    countDown();
    if (document.querySelector("[data-begins]")) ticking ??= setInterval(countDown, 1000);
  };

  // The words of the last part of an address that has letters.
  const wordsOf = (path) => {
    const parts = path.split("/").map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return "";
      }
    });
    const words = parts.map((part) => part.replace(/\.\w{1,5}$/, "").replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim());
    return words.findLast((part) => /\p{L}{2}/u.test(part))?.slice(0, 200) ?? "";
  };

  // Each thing once, however often the page changes.
  const known = new WeakSet();
  const fresh = (element) => !known.has(element) && known.add(element);
  const setUp = () => {
    all("[data-copy], [data-copy-text]").filter(fresh).forEach((button) => copyButton(button));

    // In the language of the page: its skip link carries them.
    const words = document.querySelector(".skip")?.dataset ?? {};
    for (const box of all(".prose li input[type=checkbox]:not([aria-label])")) {
      box.setAttribute("aria-label", words[box.checked ? "done" : "toDo"]);
    }

    // An unknown address says in words what is looked for.
    const lost = document.querySelector("[data-lost]");
    if (lost && fresh(lost)) lost.value ||= wordsOf(location.pathname);

    if (words.copyCode) for (const pre of all(".prose pre").filter(fresh)) copyCode(pre, words);

    // What scrolls sideways must be reachable with the keyboard, and nothing else stops on the way.
    for (const table of all(".prose table").filter(fresh)) {
      if (table.parentElement.matches(".table")) continue;
      const scroller = document.createElement("div");
      scroller.className = "scroller";
      table.replaceWith(scroller);
      scroller.append(table);
    }
    reach();
    startCounting();
    if (document.querySelector("[data-view], .prose img, .item .frame")) import(new URL("viewer.js", own));
    if (document.querySelector(".footnotes")) import(new URL("footnotes.js", own));
    if (document.querySelector("[data-frame]")) import(new URL("video.js", own));
  };
  setUp();
  // The dock has brought another page into this document.
  document.addEventListener("page-enter", setUp);

  // What was in the dock when the page was left is offered on every page, and pages that it has exchanged need it.
  try {
    if (sessionStorage.getItem("dock") || history.state?.page) import(new URL("dock.js", own));
  } catch {}
})();
