// The player of an item's page, and the transcript that follows it. Without this file the browser's own player
// plays, and the transcript is read.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const media = document.getElementById("theme-player");
  const controls = document.querySelector("[data-controls]");
  const part = (name) => controls?.querySelector(`[data-${name}]`);

  // What is remembered in this browser: the speed, whether keys are used, and where listening to an item stopped.
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {}
  };
  const keep = (key, value) => {
    try {
      if (value === "") localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {}
  };

  const clock = (seconds) => {
    const whole = Math.max(0, Math.floor(seconds));
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  };

  let told;
  const tell = (text) => {
    const status = part("tell");
    if (!status) return;
    status.textContent = text;
    clearTimeout(told);
    told = setTimeout(() => (status.textContent = ""), 12000);
  };

  // A moment or a span of time in the address (Media Fragments URI 1.0): #t=83, #t=1:23, #t=83,95.
  const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const span = (hash) => {
    const found = /^#(?:.*&)?t=(?:npt:)?([\d:.]*)(?:,([\d:.]+))?(?:&|$)/.exec(hash);
    const [from, to] = [seconds(found?.[1] ?? ""), found?.[2] ? seconds(found[2]) : Infinity];
    return found && from >= 0 && to > from ? { from, to } : undefined;
  };

  let stopAt = Infinity;
  const go = (to) => {
    const end = Number.isFinite(media.duration) ? media.duration : to;
    const at = Math.min(Math.max(0, to), end);
    const { seekable } = media;
    // Without ranges of bytes a browser would start anew.
    const reach = seekable.length ? seekable.end(seekable.length - 1) : 0;
    if (at > 1 && at > reach + 1) return tell(controls?.dataset.noSeek ?? "");
    media.currentTime = at;
  };
  const seek = (to) => {
    if (media.readyState > 0) return go(to);
    media.addEventListener("loadedmetadata", () => go(to), { once: true });
    if (media.preload !== "metadata" || media.networkState < 2) media.load();
  };
  // What a browser refuses to play stands at that moment.
  const play = () => media.play().catch(() => {});
  const playAt = (from, to = Infinity) => {
    if (!media) return;
    seek(from);
    stopAt = to;
    play();
  };
  const skip = (by) => seek(media.currentTime + by);
  const isPlain = (event) => !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

  // Chapters and highlights.
  const marks = all(".chapters [data-start]").map((link) => {
    const start = Number(link.dataset.start);
    return { link, start, end: link.dataset.duration ? start + Number(link.dataset.duration) : Infinity };
  });
  const chapters = marks.filter(({ link }) => !link.dataset.duration).sort((one, other) => one.start - other.start);
  const titleOf = (chapter) => chapter?.link.querySelector(".chapter-title").textContent.trim() ?? "";
  const chapterAt = (time) => chapters.findLast(({ start }) => start <= time + 0.2);
  const current = (list, now) => {
    for (const element of list) {
      if (element === now) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
  };

  // The transcript.
  const said = document.querySelector("[data-said]");
  const box = said?.querySelector(".said-text");
  const lines = said ? all("[data-start]", box).map((line) => ({ line, start: Number(line.dataset.start) })) : [];
  lines.sort((one, other) => one.start - other.start);
  const lineAt = (time) => lines[lines.findLastIndex(({ start }) => start <= time)]?.line;
  const smooth = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");
  const within = (rect, behavior = smooth()) => {
    const { top, height } = box.getBoundingClientRect();
    if (rect.top < top + 8 || rect.bottom > top + height * 0.7) box.scrollTo({ top: box.scrollTop + rect.top - top - height / 3, behavior });
  };
  let spoken;
  let follows = true;
  const follow = (on) => {
    follows = on;
    said.querySelector("[data-do=follow]").hidden = on || !spoken;
    if (on && spoken) within(spoken.getBoundingClientRect());
  };
  const speak = (time) => {
    const now = lineAt(time);
    if (now === spoken) return;
    current([spoken, now].filter(Boolean), now);
    spoken = now;
    if (now && follows && said.querySelector("details").open) within(now.getBoundingClientRect());
  };
  // Whole seconds stand in addresses: the line that starts within that second is meant.
  const land = (from) => {
    if (!lineAt(from + 0.999)) return;
    said.querySelector("details").open = true;
    speak(from + 0.999);
    within(spoken.getBoundingClientRect(), "instant");
    said.scrollIntoView({ block: "nearest", behavior: "instant" });
  };

  const hear = () => {
    const asked = span(location.hash);
    if (!asked) return false;
    if (media) {
      seek(asked.from);
      stopAt = asked.to;
    }
    land(asked.from);
    return true;
  };

  if (said) {
    const tools = said.querySelector(".said-tools");
    const count = tools.querySelector("[data-count]");
    const find = tools.querySelector("[data-find]");
    tools.hidden = false;
    const fold = (text) => text.split("").map((unit) => unit.normalize("NFD")[0].toLowerCase()[0]).join("");
    let paragraphs;
    let places = [];
    let at = -1;
    // Each paragraph's text, and its pieces: places go over the borders of lines.
    const pieces = () => all("p", box).map((paragraph) => {
      const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
      const nodes = [];
      let text = "";
      for (let node; (node = walker.nextNode()); ) {
        if (node.parentElement.matches(".at, .speaker")) continue;
        nodes.push({ node, from: text.length });
        text += node.data;
      }
      return { nodes, text: fold(text) };
    });
    const rangeOf = ({ nodes }, from, to) => {
      const range = new Range();
      const piece = (offset) => nodes.findLast((piece) => piece.from <= offset);
      const [first, last] = [piece(from), piece(to - 1)];
      range.setStart(first.node, from - first.from);
      range.setEnd(last.node, to - last.from);
      return range;
    };
    const highlight = (name, ranges) => globalThis.Highlight && CSS.highlights.set(name, new Highlight(...ranges));
    const show = (to) => {
      at = places.length ? (to + places.length) % places.length : -1;
      count.textContent = places.length ? tools.dataset.place.replace("{n}", at + 1).replace("{total}", places.length) : find.value.trim() && tools.dataset.none;
      highlight("said-found", places);
      highlight("said-at", at < 0 ? [] : [places[at]]);
      if (at < 0) return;
      follow(false);
      within(places[at].getBoundingClientRect(), "instant");
    };
    find.addEventListener("input", () => {
      const wanted = fold(find.value.trim().replace(/\s+/g, " "));
      places = [];
      if (wanted) {
        paragraphs ??= pieces();
        for (const paragraph of paragraphs) {
          for (let from = 0; (from = paragraph.text.indexOf(wanted, from)) >= 0 && places.length < 1000; from += wanted.length) {
            places.push(rangeOf(paragraph, from, from + wanted.length));
          }
        }
      }
      show(0);
    });
    find.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      show(at + (event.shiftKey ? -1 : 1));
    });
    const deeds = {
      next: () => show(at + 1),
      previous: () => show(at - 1),
      follow: () => follow(true),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : said.requestFullscreen().catch(() => {})),
    };
    tools.addEventListener("click", ({ target }) => deeds[target.closest("[data-do]")?.dataset.do]?.());
    const full = tools.querySelector("[data-do=full]");
    full.hidden = !document.fullscreenEnabled;
    document.addEventListener("fullscreenchange", () => full.setAttribute("aria-pressed", String(document.fullscreenElement === said)));
    const scrolls = ({ key }) => !key || /^(Arrow|Page|Home|End| )/.test(key);
    for (const name of ["wheel", "touchmove", "keydown"]) {
      box.addEventListener(name, (event) => media && spoken && scrolls(event) && follow(false), { passive: true });
    }
    box.addEventListener("click", (event) => {
      if (!isPlain(event) || !getSelection().isCollapsed) return;
      const line = event.target.closest("[data-start]");
      const link = event.target.closest("a.at");
      if (!line && !link) return;
      event.preventDefault();
      const start = line ? Number(line.dataset.start) : span(link.hash).from;
      if (link) history.replaceState(null, "", link.hash);
      follow(true);
      playAt(start);
      if (!media) land(start);
    });
    addEventListener("beforeprint", () => (said.querySelector("details").open = true));
  }

  addEventListener("hashchange", hear);
  if (!media) return void hear();

  for (const { link, start, end } of marks) {
    link.addEventListener("click", (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      history.replaceState(null, "", end < Infinity ? `#t=${start},${end}` : `#t=${start}`);
      playAt(start, end);
    });
  }

  const place = `at:${location.pathname}`;
  if (!hear()) {
    const kept = Number(read(place));
    if (kept) seek(kept);
  }

  const rate = Number(read("rate"));
  if (rate >= 0.25 && rate <= 4) media.defaultPlaybackRate = media.playbackRate = rate;

  // What is shown of the time.
  const bar = part("seek");
  let sleepsAt = "";
  let chapter;
  let isHeld = false;
  const length = () => (Number.isFinite(media.duration) ? media.duration : Number(bar?.max) || 0);
  const show = () => {
    const now = media.currentTime;
    const next = chapterAt(now);
    speak(now);
    if (next !== chapter) {
      chapter = next;
      current(chapters.map(({ link }) => link), chapter?.link);
      if (controls) {
        part("now").textContent = titleOf(chapter);
        const cover = document.querySelector("[data-player] > img");
        const picture = chapter?.link.querySelector("img");
        if (cover) cover.src = picture?.src ?? (cover.dataset.src ??= cover.src);
      }
    }
    if (!bar || isHeld) return;
    bar.value = now;
    label(now);
  };
  const label = (now) => {
    part("elapsed").textContent = clock(now);
    part("left").textContent = length() ? `−${clock(length() - now)}` : "";
    const title = titleOf(chapterAt(now));
    bar.setAttribute("aria-valuetext", `${clock(now)} / ${clock(length())}${title && `, ${title}`}`);
  };
  const session = navigator.mediaSession;
  const tellPosition = () => {
    if (!session?.setPositionState || !Number.isFinite(media.duration)) return;
    session.setPositionState({ duration: media.duration, playbackRate: media.playbackRate, position: Math.min(media.currentTime, media.duration) });
  };

  let saved = 0;
  media.addEventListener("timeupdate", () => {
    const now = media.currentTime;
    const sleeps = sleepsAt === "chapter" ? false : sleepsAt && Date.now() >= sleepsAt;
    const ends = sleepsAt === "chapter" && chapter && chapterAt(now) !== chapter && !media.seeking;
    if (now >= stopAt || sleeps || ends) {
      stopAt = Infinity;
      media.pause();
      if (sleeps || ends) {
        sleepsAt = "";
        part("sleep").value = "";
      }
    }
    show();
    if (!media.paused && Math.abs(now - saved) > 5) {
      saved = now;
      keep(place, now > 15 ? Math.floor(now) : "");
    }
  });
  media.addEventListener("seeking", show);
  media.addEventListener("ended", () => keep(place, ""));
  for (const name of ["seeked", "ratechange", "loadedmetadata", "play", "pause"]) media.addEventListener(name, tellPosition);
  media.addEventListener("ratechange", () => keep("rate", media.playbackRate === 1 ? "" : media.playbackRate));

  const toggle = () => (media.paused ? play() : media.pause());
  if (session) {
    const step = (by) => {
      const at = chapters.indexOf(chapterAt(media.currentTime)) + by;
      if (chapters[at]) seek(chapters[at].start);
    };
    const deeds = {
      play,
      pause: () => media.pause(),
      stop: () => media.pause(),
      seekbackward: ({ seekOffset }) => skip(-(seekOffset || 15)),
      seekforward: ({ seekOffset }) => skip(seekOffset || 30),
      seekto: ({ seekTime }) => seek(seekTime),
      previoustrack: chapters.length ? () => step(-1) : null,
      nexttrack: chapters.length ? () => step(1) : null,
    };
    media.addEventListener("play", () => {
      const cover = document.querySelector("[data-player] > img");
      session.metadata = new MediaMetadata({
        title: document.querySelector("h1").textContent.trim(),
        artist: document.querySelector(".brand").textContent.trim(),
        artwork: cover ? [{ src: cover.src }] : [],
      });
      for (const [name, deed] of Object.entries(deeds)) {
        try {
          session.setActionHandler(name, deed);
        } catch {}
      }
    });
  }

  if (!controls) return;

  // The player of our own takes the place of the browser's.
  document.querySelector("[data-player]").classList.add("is-own");
  media.controls = false;
  const button = part("do");
  const [playWord, pauseWord] = [button.getAttribute("aria-label"), button.dataset.pause];
  const drawn = () => {
    button.setAttribute("aria-label", media.paused ? playWord : pauseWord);
    controls.classList.toggle("is-playing", !media.paused);
  };
  for (const name of ["play", "pause", "ended"]) media.addEventListener(name, drawn);
  media.addEventListener("error", () => tell(controls.dataset.failed));
  const measure = () => {
    if (!length()) return;
    bar.max = length();
    const marksOf = chapters.filter(({ start }) => start > 0 && start < length()).map(({ start }) => {
      const mark = document.createElement("i");
      mark.style.insetInlineStart = `${(start / length()) * 100}%`;
      return mark;
    });
    controls.querySelector(".seek-marks").replaceChildren(...marksOf);
    show();
    label(media.currentTime);
  };
  media.addEventListener("loadedmetadata", measure);
  media.addEventListener("durationchange", measure);
  measure();

  bar.addEventListener("input", () => {
    isHeld = true;
    label(Number(bar.value));
  });
  bar.addEventListener("change", () => {
    isHeld = false;
    stopAt = Infinity;
    seek(Number(bar.value));
    show();
  });
  bar.addEventListener("keydown", (event) => {
    const by = { PageUp: 60, PageDown: -60 }[event.key];
    if (!by) return;
    event.preventDefault();
    skip(by);
  });

  const rates = part("rate");
  const rated = () => {
    if (![...rates.options].some(({ value }) => Number(value) === media.playbackRate)) rates.add(new Option(media.playbackRate));
    rates.value = String(media.playbackRate);
  };
  rates.addEventListener("change", () => (media.defaultPlaybackRate = media.playbackRate = Number(rates.value)));
  media.addEventListener("ratechange", rated);
  rated();
  part("sleep").addEventListener("change", ({ target }) => {
    sleepsAt = Number(target.value) ? Date.now() + Number(target.value) * 60000 : target.value;
  });
  part("volume").addEventListener("input", ({ target }) => (media.volume = Number(target.value)));

  const share = async (hash) => {
    const url = location.href.replace(/#.*/, "") + hash;
    try {
      if (navigator.share) return await navigator.share({ title: document.title, url });
      await navigator.clipboard.writeText(url);
      tell(controls.dataset.copied);
    } catch (error) {
      // No clipboard outside a secure context: hand the address over to be copied by hand.
      if (error.name !== "AbortError") prompt("", url);
    }
  };
  const keys = controls.querySelector("dialog");
  const usesKeys = part("keys");
  usesKeys.checked = read("keys") !== "off";
  usesKeys.addEventListener("change", () => keep("keys", usesKeys.checked ? "" : "off"));
  const deeds = {
    toggle,
    share: () => share(""),
    "share-moment": () => share(`#t=${Math.floor(media.currentTime)}`),
    keys: () => keys.showModal(),
  };
  controls.addEventListener("click", ({ target }) => {
    const { skip: by, do: deed } = target.closest("button")?.dataset ?? {};
    if (by) skip(Number(by));
    else deeds[deed]?.();
  });
  const pressed = { k: toggle, j: () => skip(-15), l: () => skip(30), ArrowLeft: () => skip(-15), ArrowRight: () => skip(30), "?": deeds.keys, " ": toggle };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isOwn = event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented;
    if (isOwn || !Object.hasOwn(pressed, key) || !usesKeys.checked || document.querySelector("dialog[open]")) return;
    if (target.closest("input, select, textarea, [contenteditable], pre, .scroller")) return;
    // Space presses what has the focus, and scrolls until something was played.
    if (key === " " && (target.closest("button, a, summary, .said-text") || !media.played.length)) return;
    event.preventDefault();
    pressed[key]();
  });
})();
