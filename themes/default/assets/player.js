// The player of an item's page, and the transcript that follows it. Without this file the browser's own player
// plays, and the transcript is read.
import { controls as setUpControls, fileLink, isPlain, keep, keys as listenToKeys, numerals, onFailure, placeOf, play, read, refusal, remember, seek as seekIn, stopInTime, tellSystem, teller, toggle } from "./sound.js";

// What the page that is shown has set up ends with it.
let leaving = new AbortController();

// Sets up the page, or again with another element that plays another version.
const setUp = (isAgain) => {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const on = (target, name, deed) => target.addEventListener(name, deed, { signal });
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const media = document.getElementById("theme-player");
  const controls = document.querySelector("[data-controls]");
  const part = (name) => controls?.querySelector(`[data-${name}]`);
  const tell = controls ? teller(controls, signal) : () => {};

  // A moment or a span of time in the address (Media Fragments URI 1.0): #t=83, #t=1:23, #t=83,95.
  const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const span = (hash) => {
    const found = /^#(?:.*&)?t=(?:npt:)?([\d:.]*)(?:,([\d:.]+))?(?:&|$)/.exec(hash);
    const [from, to] = [seconds(found?.[1] ?? ""), found?.[2] ? seconds(found[2]) : Infinity];
    return found && from >= 0 && to > from ? { from, to } : undefined;
  };

  const refuse = media && refusal(media, controls?.dataset ?? {}, tell);
  const seek = (to) => {
    delete media.dataset.stopAt;
    seekIn(media, to, refuse);
  };
  const put = ({ from, to }) => {
    seek(from);
    if (to < Infinity) media.dataset.stopAt = to;
  };
  const playAt = (from, to = Infinity) => {
    if (!media) return;
    put({ from, to });
    play(media);
  };
  const skip = (by) => seek(media.currentTime + by);

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
  let spoken = box?.querySelector("[aria-current]") ?? undefined;
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
    // Search engines link to moments with a query.
    const asked = span(location.hash || location.search.replace("?", "#"));
    if (!asked) return false;
    if (media) put(asked);
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
        if (node.parentElement.closest(".at, .speaker")) continue;
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
      count.textContent = places.length ? tools.dataset.place.replace("{n}", numerals(at + 1)).replace("{total}", numerals(places.length)) : find.value.trim() && tools.dataset.none;
      highlight("said-found", places);
      highlight("said-at", at < 0 ? [] : [places[at]]);
      if (at < 0) return;
      follow(false);
      within(places[at].getBoundingClientRect(), "instant");
    };
    on(find, "input", () => {
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
    on(find, "keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      show(at + (event.shiftKey ? -1 : 1));
    });
    const deeds = {
      next: () => show(at + 1),
      previous: () => show(at - 1),
      follow: () => follow(true),
      toggle: () => media && toggle(media),
      full: () => (document.fullscreenElement ? document.exitFullscreen() : said.requestFullscreen().catch(() => {})),
    };
    on(tools, "click", ({ target }) => deeds[target.closest("[data-do]")?.dataset.do]?.());
    const full = tools.querySelector("[data-do=full]");
    full.hidden = !document.fullscreenEnabled;
    const fullWord = full.textContent;
    on(document, "fullscreenchange", () => (full.textContent = document.fullscreenElement === said ? full.dataset.close : fullWord));
    const button = tools.querySelector("[data-do=toggle]");
    const playWord = button && (button.dataset.go ??= button.getAttribute("aria-label"));
    const drawn = () => {
      button.setAttribute("aria-label", media.paused ? playWord : button.dataset.pause);
      tools.classList.toggle("is-playing", !media.paused);
    };
    if (button && media) {
      for (const name of ["play", "pause", "ended"]) on(media, name, drawn);
      drawn();
    }
    const scrolls = ({ key }) => !key || /^(Arrow|Page|Home|End| )/.test(key);
    for (const name of ["wheel", "touchmove", "keydown"]) {
      box.addEventListener(name, (event) => media && spoken && scrolls(event) && follow(false), { passive: true, signal });
    }
    on(box, "click", (event) => {
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
    on(globalThis, "beforeprint", () => (said.querySelector("details").open = true));
  }

  on(globalThis, "hashchange", hear);
  if (!media) return void hear();

  for (const { link, start, end } of marks) {
    on(link, "click", (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      history.replaceState(null, "", end < Infinity ? `#t=${start},${end}` : `#t=${start}`);
      playAt(start, end);
    });
  }

  // What goes on playing from the page before stays where it is.
  const isUnderWay = !media.paused || media.currentTime > 0;
  // Without a separate recording, a clip is a passage of a longer one.
  const passage = media.src && span(new URL(media.src).hash);
  if (!isAgain && !hear()) {
    if (passage) media.paused && put(passage);
    else if (!isUnderWay && placeOf(location.pathname)) seek(placeOf(location.pathname));
  }
  remember(media, location.pathname, signal);

  // What is shown of the time.
  const cover = document.querySelector("[data-player] > img");
  let chapter;
  // A chapter with a picture shows it instead of the cover. No chapter is marked before playback starts.
  const show = () => {
    const now = media.currentTime;
    const isBegun = now > 0 || !media.paused;
    const next = isBegun ? chapterAt(now) : undefined;
    if (isBegun) speak(now);
    if (next === chapter) return;
    chapter = next;
    current(chapters.map(({ link }) => link), chapter?.link);
    if (!controls) return;
    part("now").textContent = titleOf(chapter);
    if (cover) cover.src = chapter?.link.querySelector("img")?.src ?? (cover.dataset.src ??= cover.src);
    const list = chapter?.link.closest(".chapters");
    if (list && !list.matches(":hover, :focus-within")) list.scrollTo({ top: chapter.link.parentElement.offsetTop - list.clientHeight / 3, behavior: smooth() });
  };
  const slept = () => {
    if (part("sleep")) part("sleep").value = media.dataset.sleepsAt ? part("sleep").value : "";
  };
  stopInTime(media, signal, slept);
  // The end of a chapter is at another moment after each seek.
  let sleepsIn;
  const heardTo = () => {
    if (sleepsIn && sleepsIn !== chapterAt(media.currentTime) && !media.seeking) {
      sleepsIn = undefined;
      media.pause();
      slept();
    }
    show();
  };
  on(media, "timeupdate", heardTo);
  on(media, "play", show);
  on(media, "seeking", show);
  on(media, "seeked", () => sleepsIn && (sleepsIn = chapterAt(media.currentTime)));
  const leave = () => {
    const end = chapters[chapters.indexOf(sleepsIn) + 1]?.start;
    if (sleepsIn && end) media.dataset.stopAt = end;
    leaving.abort();
  };
  on(document, "page-leave", leave);

  // What has started goes on when the visitor goes on.
  media.addEventListener("play", () => import("./dock.js").catch(() => {}), { once: true, signal });

  const step = (by) => () => {
    const at = chapters.indexOf(chapterAt(media.currentTime)) + by;
    if (chapters[at]) seek(chapters[at].start);
  };
  const moves = { seek, skip, ...(chapters.length && { previous: step(-1), next: step(1) }) };
  tellSystem(media, { title: document.querySelector("h1").textContent.trim(), cover: cover?.src }, moves, signal);

  if (!controls) return;

  // The player of our own takes the place of the browser's.
  const isFilm = media.localName === "video";
  const player = document.querySelector("[data-player]");
  player.classList.add("is-own");
  if (player.classList.contains("is-film") !== isFilm) {
    player.classList.toggle("is-film", isFilm);
    player.closest(".item").classList.toggle("with-cover", Boolean(cover) && !isFilm);
  }
  media.controls = isFilm;
  const { length } = setUpControls(controls, media, signal, moves, (now) => titleOf(chapterAt(now)));
  onFailure(media, () => tell(controls.dataset.failed, fileLink(media, document.querySelector("h1").textContent.trim())), signal);
  const replaced = () => {
    document.dispatchEvent(new CustomEvent("player-change", { detail: media }));
    setUp(true);
  };
  if (part("switch")) import("./versions.js").then(({ offer }) => offer(part("switch"), media, signal, { leave, replaced }));
  const measure = () => {
    if (!length()) return;
    const marksOf = chapters.filter(({ start }) => start > 0 && start < length()).map(({ start }) => {
      const mark = document.createElement("i");
      mark.style.insetInlineStart = `${(start / length()) * 100}%`;
      return mark;
    });
    controls.querySelector(".seek-marks").replaceChildren(...marksOf);
    show();
  };
  on(media, "loadedmetadata", measure);
  on(media, "durationchange", measure);
  measure();

  const sleep = part("sleep");
  sleep.value = media.dataset.sleepsAt === "episode" ? "episode" : "";
  on(sleep, "change", () => {
    const { value } = sleep;
    sleepsIn = value === "chapter" ? chapterAt(media.currentTime) ?? chapters[0] : undefined;
    delete media.dataset.sleepsAt;
    if (value && value !== "chapter") media.dataset.sleepsAt = Number(value) ? Date.now() + Number(value) * 60000 : value;
  });
  part("volume").value = media.volume;
  on(part("volume"), "input", ({ target }) => (media.volume = Number(target.value)));

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
  document.querySelector("[data-share]")?.addEventListener("click", () => share(""));
  const keys = controls.querySelector("dialog");
  const usesKeys = part("keys");
  usesKeys.checked = read("keys") !== "off";
  on(usesKeys, "change", () => keep("keys", usesKeys.checked ? "" : "off"));
  const deeds = {
    toggle: () => toggle(media),
    share: () => share(""),
    "share-moment": () => share(`#t=${Math.floor(media.currentTime)}`),
    keys: () => keys.showModal(),
  };
  on(controls, "click", ({ target }) => {
    const { skip: by, do: deed } = target.closest("button")?.dataset ?? {};
    if (by) skip(Number(by));
    else deeds[deed]?.();
  });
  const pressed = { k: deeds.toggle, j: () => skip(-15), l: () => skip(30), ArrowLeft: () => skip(-15), ArrowRight: () => skip(30), "?": deeds.keys, " ": deeds.toggle };
  // Space presses what has the focus, and scrolls until something was played, or is about to be. The browser's player
  // of a film handles its other keys.
  listenToKeys(signal, pressed, ({ key, target }) => (target === media ? /^[jkl?]$/.test(key) : key !== " ") || (!target.closest("button, a, summary, video, .said-text") && (!media.paused || media.played.length > 0)));
};
setUp();
// Another page has come into this document.
document.addEventListener("page-enter", () => setUp());
