// The dock: what plays stays at the bottom of the window while the visitor goes on to other pages. On the page of the
// item that plays, that page's player has it, and the dock shows while that player is scrolled out of the window. The
// element that sounds is one, and is handed over.
import { canPlay, controls, draw, fileLink, keep, keys, onFailure, placeOf, play, read, refusal, remember, seek, sourcesOf, stopInTime, tellSystem, teller, toggle } from "./sound.js";

// What plays: the path of its page, its title, address and cover, and its length in seconds.
let track;
let media;
let dock;
let leaving = new AbortController();
let pages;
// What follows links is loaded when something plays.
const load = async (page) => (await (pages ??= loadPages())).load(page);
const loadPages = async () => {
  const found = await import("./pages.js");
  found.followLinks(() => Boolean(track && dock) && !(isOnPage() && media.ended), carry);
  return found;
};

const pathOf = (address) => new URL(address, location.href).pathname;
const ownPlayer = (of = document) => of.querySelector("#theme-player");
const isVideo = (element) => element?.localName === "video";
const isOnPage = () => media && document.getElementById("theme-main").contains(media);
const forget = () => keep("dock", "", "sessionStorage");
// A film is not offered after a load anew: what was in its element is lost.
const save = () => (isVideo(media) ? forget() : keep("dock", JSON.stringify(track), "sessionStorage"));
const part = (name) => dock.querySelector(`[data-${name}]`);

// The item whose own page a document is.
const trackOf = (of, page) => {
  const player = ownPlayer(of);
  const cover = of.querySelector("[data-player] > img");
  return player && {
    page,
    title: of.querySelector("h1").textContent.trim(),
    src: player.getAttribute("src") ?? sourcesOf(player).find(({ type }) => canPlay(type))?.getAttribute("src"),
    // A chapter's picture may stand there for a while.
    cover: cover?.dataset.src ?? cover?.getAttribute("src") ?? player.getAttribute("poster") ?? undefined,
    length: Number(of.querySelector("[data-player] [data-seek]")?.max) || undefined,
    wave: of.querySelector("[data-player] [data-wave]")?.dataset.wave,
  };
};

// The template is part of each page that has something to play.
const template = async (page) => document.getElementById("theme-dock") ?? (await load(page).catch(() => {}))?.found.getElementById("theme-dock");

// A film stands above the dock.
const size = new ResizeObserver(() => {
  const isShown = dock.isConnected;
  const film = dock.querySelector("video")?.offsetHeight ?? 0;
  document.documentElement.classList.toggle("has-dock", isShown);
  document.documentElement.style.setProperty("--dock", `${isShown ? dock.offsetHeight + film + (film && 8) : 0}px`);
});

// Whether the page's own player is in the window.
let isSeen = true;
const sight = new IntersectionObserver((entries) => {
  isSeen = entries.at(-1).isIntersecting;
  stand(isWanted());
});
const isWanted = () => !isOnPage() || !isSeen || !part("next").hidden;
const watchOwn = () => {
  sight.disconnect();
  isSeen = true;
  const own = isOnPage() && document.querySelector("[data-controls]");
  if (own) sight.observe(isVideo(media) ? media : own);
};

// Puts the dock at the end of the document, or takes it away.
const stand = (isShown) => {
  if (!isOnPage()) dock.classList.remove("is-over");
  if (isShown && !dock.isConnected) document.body.append(dock);
  else if (!isShown) {
    const hadFocus = dock.contains(document.activeElement);
    dock.remove();
    if (hadFocus && isOnPage()) document.querySelector("[data-controls] [data-do=toggle]")?.focus({ preventScroll: true });
  }
};

const make = async (page) => {
  if (dock) return true;
  const found = await template(page);
  if (!found) return false;
  dock ??= document.importNode(found.content, true).querySelector("[data-dock]");
  pages ??= loadPages();
  for (const name of ["lang", "dir"]) dock.setAttribute(name, document.documentElement.getAttribute(name) ?? "");
  dock.addEventListener("click", ({ target }) => {
    const { skip: by, do: deed } = target.closest("button")?.dataset ?? {};
    if (by) moves.skip(Number(by));
    else deeds[deed]?.();
  });
  part("play-on").checked = read("play-on") === "yes";
  part("play-on").addEventListener("change", ({ target }) => {
    keep("play-on", target.checked && "yes");
    clearTimeout(soon);
  });
  size.observe(dock);
  return true;
};

const refuse = (at) => refusal(media, dock.dataset, tell)(at);
let tell = () => {};
const moves = {
  seek(to) {
    delete media.dataset.stopAt;
    // Before anything is loaded the bar stands where playing will start.
    if (!media.readyState && media.paused) keep(`at:${track.page}`, Math.max(1, Math.floor(to)));
    seek(media, to, refuse);
  },
  skip: (by) => moves.seek((media.readyState ? media.currentTime : placeOf(track.page)) + by),
};

// Shows in the dock what plays, or nothing where the page's own player does.
const bind = () => {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  media.addEventListener("ended", ended, { signal });
  for (const name of ["play", "pause", "ended"]) media.addEventListener(name, paint, { signal });
  media.addEventListener("play", () => {
    clearTimeout(soon);
    part("next").hidden = true;
    watchOwn();
    stand(isWanted());
  }, { signal });
  const told = () => {
    if (!Number.isFinite(media.duration)) return;
    track.length = media.duration;
    save();
  };
  media.addEventListener("durationchange", told, { signal });
  told();
  part("next").hidden = true;
  watchOwn();
  stand(isWanted());
  paint();
  dock.setAttribute("aria-label", `${(dock.dataset.name ??= dock.getAttribute("aria-label"))} · ${track.title}`);
  const link = part("title");
  link.href = track.page;
  link.textContent = track.title;
  const cover = dock.querySelector("img");
  // The show's cover is that of its sound.
  const picture = track.cover ?? (isVideo(media) ? "" : cover.dataset.icon);
  cover.hidden = !picture;
  if (picture) cover.src = picture;
  if (isVideo(media)) size.observe(media);
  tell = teller(dock, signal);
  part("seek").max = track.length ?? 0;
  part("wave").dataset.wave = track.wave ?? "";
  const { show } = controls(dock, media, signal, moves);
  if (isOnPage()) return;
  if (!media.readyState) show(placeOf(track.page));
  remember(media, track.page, signal);
  stopInTime(media, signal);
  tellSystem(media, track, moves, signal);
  keys(signal, { k: deeds.toggle, j: () => moves.skip(-15), l: () => moves.skip(30) }, () => !document.querySelector("[data-controls]"));
  onFailure(media, () => tell(dock.dataset.failed, fileLink(media, track.title)), signal);
};

// The buttons on cards say what they would do.
const paint = () => {
  for (const link of document.querySelectorAll("[data-play]")) {
    const isPlaying = Boolean(track && media && !media.paused && pathOf(link.href) === track.page);
    link.classList.toggle("is-playing", isPlaying);
    const word = link.querySelector("[data-word]");
    word.dataset.go ??= word.textContent;
    word.textContent = isPlaying ? word.dataset.pause : word.dataset.go;
  }
};

// Puts an item into the dock. The element that the visitor has started goes on sounding with another file.
const put = async (next) => {
  if (!(await make(next.page))) return false;
  if (!media || isOnPage() || isVideo(media)) {
    media?.pause();
    if (media && !isOnPage()) media.remove();
    media = document.createElement("audio");
    media.preload = "none";
    dock.append(media);
  }
  leaving.abort();
  media.pause();
  track = next;
  media.src = next.src;
  for (const name of ["stopAt", "sleepsAt"]) delete media.dataset[name];
  save();
  bind();
  return true;
};
const addWave = ({ page, wave }) => {
  if (track?.page !== page || !dock) return;
  track.wave = wave;
  save();
  part("wave").dataset.wave = wave;
  draw(part("wave"));
};
const start = async (next) => {
  if (track?.page === next.page && media) return deeds.toggle();
  if (!(await put(next))) return location.assign(next.page);
  deeds.toggle();
};

let coming;
let soon;
// The next one in time: of a serial the newer one, as a story goes on; else the older one, which stands below it in lists.
const findNext = async () => {
  const way = dock.dataset.type === "serial" ? "next" : "prev";
  let { page } = track;
  for (let n = 0; n < 11; n += 1) {
    const { found } = (await load(page)) ?? {};
    const item = n > 0 && found && !isVideo(ownPlayer(found)) && trackOf(found, page);
    const on = found?.querySelector(`link[rel=${way}]`)?.getAttribute("href");
    if (item || !on) return item;
    page = pathOf(on);
  }
};
const ended = async () => {
  const own = track;
  const sleeps = media.dataset.sleepsAt === "episode";
  delete media.dataset.sleepsAt;
  forget();
  coming = await findNext().catch(() => {});
  if (!coming || track !== own || !media.ended) return;
  const link = part("next-title");
  link.href = coming.page;
  link.textContent = coming.title;
  part("next").hidden = false;
  dock.classList.toggle("is-over", Boolean(isOnPage()));
  stand(true);
  part("announce").textContent = link.parentElement.textContent;
  clearTimeout(soon);
  if (read("play-on") === "yes" && !sleeps) soon = setTimeout(deeds.next, 5000);
};

const deeds = {
  toggle: () => {
    if (media.error) media.load();
    if (!media.readyState && media.paused && placeOf(track.page)) seek(media, placeOf(track.page), refuse);
    toggle(media);
  },
  next: () => {
    clearTimeout(soon);
    if (coming && media.ended) start(coming);
  },
  close: () => {
    clearTimeout(soon);
    forget();
    sight.disconnect();
    stand(false);
    if (isOnPage()) return;
    leaving.abort();
    media.pause();
    media.removeAttribute("src");
    media.load();
    media.remove();
    track = media = undefined;
    if (navigator.mediaSession) navigator.mediaSession.metadata = null;
    paint();
    document.getElementById("theme-main").focus({ preventScroll: true });
  },
};

// Between two pages: the element leaves the main part, or comes into the one of its own page.
let isMoved = false;
const carry = (old, fresh) => {
  const own = ownPlayer(fresh);
  const isOwn = own && pathOf(location.href) === track?.page;
  isMoved = Boolean(dock && media) && (isOwn || old.contains(media));
  if (!isMoved) return;
  // A film that was stopped is left.
  if (isVideo(media) && media.paused && !isOwn) {
    leaving.abort();
    track = media = undefined;
    isMoved = false;
    return;
  }
  clearTimeout(soon);
  leaving.abort();
  if (isOwn) {
    for (const name of ["id", "class", "aria-label"]) media.setAttribute(name, own.getAttribute(name) ?? "");
    if (!sourcesOf(media).length) media.append(...own.children);
    media.controls = true;
    own.replaceWith(media);
  } else {
    for (const name of ["id", "class", "aria-label", "controls"]) media.removeAttribute(name);
    dock.append(media);
    stand(true);
  }
};

// The page's player has started: it is what goes on.
const take = async (player) => {
  if (player === media) return;
  const page = pathOf(location.href);
  if (media) {
    leaving.abort();
    media.pause();
    media.remove();
  }
  media = player;
  track = trackOf(document, page);
  save();
  if (await make(page)) bind();
};

document.addEventListener("play", ({ target }) => target === ownPlayer() && take(target), true);
document.addEventListener("player-change", ({ detail }) => detail === media && take(ownPlayer()));
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-play]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  // Its page has other versions.
  if (!canPlay(link.dataset.type)) return;
  event.preventDefault();
  const page = pathOf(link.href);
  start({
    page,
    src: link.dataset.play,
    title: link.querySelector("[data-title]").textContent.trim(),
    cover: link.parentElement.querySelector("img")?.getAttribute("src"),
    length: Number(link.dataset.length) || undefined,
  });
  // A list leaves waveforms to the pages of its items.
  if ("waved" in link.dataset) load(page).then(({ found }) => addWave(trackOf(found, page))).catch(() => {});
});
// A link that acts as a button is pressed by the space bar too.
document.addEventListener("keydown", (event) => {
  const link = event.key === " " && event.target.closest?.("[data-play]");
  if (!link) return;
  event.preventDefault();
  link.click();
});
const setUp = () => {
  if (!track && ownPlayer()?.paused === false) take(ownPlayer());
  for (const link of document.querySelectorAll("[data-play]")) link.setAttribute("role", "button");
  if (isMoved) bind();
  paint();
};
document.addEventListener("page-enter", setUp);
setUp();
if (history.state?.page) pages ??= loadPages();

// After the page was loaded anew the dock offers to go on.
const kept = read("dock", "sessionStorage");
if (kept) {
  const before = JSON.parse(kept);
  if (before.page !== location.pathname) put(before).catch(forget);
}
