// Enhancements only: every page reads and plays without this file.
(() => {
  document.documentElement.classList.add("js");
  const language = document.documentElement.lang || undefined;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // One thing plays at a time.
  document.addEventListener("play", ({ target }) => {
    for (const media of all("audio, video")) if (media !== target) media.pause();
  }, true);

  for (const button of all("[data-copy]")) {
    const label = button.textContent;
    const address = new URL(button.dataset.copy, location.href).href;
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
  }

  // In the language of the page: its skip link carries them.
  const words = document.querySelector(".skip")?.dataset ?? {};
  for (const box of all(".prose li input[type=checkbox]:not([aria-label])")) {
    box.setAttribute("aria-label", words[box.checked ? "done" : "toDo"]);
  }

  // What scrolls sideways must be reachable with the keyboard, and nothing else stops on the way.
  for (const table of all(".prose table")) {
    if (table.parentElement.matches(".table")) continue;
    const scroller = document.createElement("div");
    scroller.className = "scroller";
    table.replaceWith(scroller);
    scroller.append(table);
  }
  const reach = () => {
    for (const box of all(".prose pre, .prose .scroller, .prose .table")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reach();
  addEventListener("resize", reach);

  const player = document.getElementById("theme-player");
  if (!player) return;

  const seek = (seconds) => {
    const go = () => (player.currentTime = Math.max(0, seconds));
    if (player.readyState > 0) return go();
    player.addEventListener("loadedmetadata", go, { once: true });
    if (player.preload !== "metadata" || player.networkState < 2) player.load();
  };

  // Chapters and highlights seek the player; "#t=90" in the address does too.
  const marks = all("[data-start]").map((link) => ({
    link,
    start: Number(link.dataset.start),
    length: Number(link.dataset.duration) || 0,
  }));
  let stopAt = Infinity;
  for (const { link, start, length } of marks) {
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      history.replaceState(null, "", "#t=" + start);
      seek(start);
      stopAt = length ? start + length : Infinity;
      player.play().catch(() => {});
    });
  }
  const chapters = marks.filter((mark) => !mark.length);
  const showChapter = () => {
    const now = chapters.findLast(({ start }) => start <= player.currentTime + 0.2);
    for (const { link } of chapters) {
      if (now && link === now.link) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };

  // The place where listening stopped is kept in this browser, by the item's address.
  const key = "at:" + location.pathname;
  const keep = (value) => {
    try {
      if (value) localStorage.setItem(key, value);
      else localStorage.removeItem(key);
    } catch {}
  };
  let kept = 0;
  try {
    kept = Number(localStorage.getItem(key));
  } catch {}
  const asked = /^#t=(\d+(?:\.\d+)?)/.exec(location.hash);
  if (asked) seek(Number(asked[1]));
  else if (kept) seek(kept);

  let saved = 0;
  player.addEventListener("timeupdate", () => {
    const at = player.currentTime;
    if (at >= stopAt) {
      stopAt = Infinity;
      player.pause();
    }
    showChapter();
    if (!player.paused && Math.abs(at - saved) > 5) {
      saved = at;
      keep(at > 15 ? Math.floor(at) : 0);
    }
  });
  player.addEventListener("ended", () => keep(0));

  // Skip and speed.
  const rates = [1, 1.25, 1.5, 1.75, 2, 0.75];
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-player-tools] button");
    if (!button) return;
    if (button.dataset.skip) return seek(player.currentTime + Number(button.dataset.skip));
    player.playbackRate = rates[(rates.indexOf(player.playbackRate) + 1) % rates.length];
    showRate(button);
  });
  const showRate = (button) => (button.textContent = button.dataset.rate.replace("{n}", player.playbackRate.toLocaleString(language)));
  all("[data-rate]").forEach(showRate);

  if ("mediaSession" in navigator) {
    const cover = document.querySelector(".player > img");
    player.addEventListener("play", () => {
      navigator.mediaSession.metadata = new MediaMetadata({
        title: document.querySelector("h1").textContent.trim(),
        artist: document.querySelector(".brand").textContent.trim(),
        artwork: cover ? [{ src: cover.src }] : [],
      });
    });
  }
})();
