// What the player of an item's page and the dock share: how sound is moved in, shown and remembered.

// What is remembered in this browser: the speed, whether keys are used, and where listening to an item stopped.
export const read = (key, store = "localStorage") => {
  try {
    return globalThis[store].getItem(key);
  } catch {}
};
export const keep = (key, value, store = "localStorage") => {
  try {
    if (value) globalThis[store].setItem(key, value);
    else globalThis[store].removeItem(key);
  } catch {}
};

// Writes digits and the decimal sign as the language of the page does.
export const numerals = (text) => {
  const own = [...(document.documentElement.dataset.numerals ?? "0123456789.")];
  return String(text).replace(/[\d.]/g, (sign) => own["0123456789.".indexOf(sign)]);
};

export const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return numerals(hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`);
};

export const isPlain = (event) => !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

// What a browser refuses to play stands at that moment.
export const play = (media) => media.play().catch(() => {});
export const toggle = (media) => (media.paused ? play(media) : media.pause());

// Without ranges of bytes a browser reaches what it has loaded, or would start anew: then `refuse` tells of it.
const go = (media, to, refuse) => {
  const at = Math.min(Math.max(0, to), Number.isFinite(media.duration) ? media.duration : to);
  const { seekable } = media;
  const reach = seekable.length ? seekable.end(seekable.length - 1) : 0;
  if (at > 1 && at > reach + 1) return refuse?.(at);
  media.currentTime = at;
};
export const seek = (media, to, refuse) => {
  if (media.readyState > 0) return go(media, to, refuse);
  const src = media.getAttribute("src");
  media.addEventListener("loadedmetadata", () => media.getAttribute("src") === src && go(media, to, refuse), { once: true });
  if (media.preload !== "metadata" || media.networkState < 2) media.load();
};

// A server without ranges of bytes sends the whole file. Chromium finds ranges of what it has kept, if that
// came with Last-Modified; else it is played from memory, which a content security policy without "media-src blob:" forbids.
const isSeekable = (address, at) => new Promise((done) => {
  const probe = new Audio();
  probe.onloadedmetadata = () => done(probe.seekable.length > 0 && probe.seekable.end(0) >= at);
  probe.onerror = () => done(false);
  probe.src = address;
});
const loadWhole = async (media, at) => {
  const own = media.currentSrc;
  const response = await fetch(own);
  if (!response.ok) throw Error(response.status);
  const whole = await response.blob();
  const address = (await isSeekable(own, at)) ? own : URL.createObjectURL(whole);
  if (address !== own && !(await isSeekable(address, at))) throw Error("not seekable");
  // Meanwhile the visitor may have gone on to something else.
  if (media.currentSrc !== own) return;
  const isPlaying = !media.paused;
  media.src = address;
  media.currentTime = at;
  if (isPlaying) play(media);
};

// Where listening to the item of a page stopped, in seconds.
export const placeOf = (page) => Number(read(`at:${page}`)) || 0;

// Remembers that place and the speed, until `signal`.
export const remember = (media, page, signal) => {
  const place = `at:${page}`;
  const on = (name, deed) => media.addEventListener(name, deed, { signal });
  const rate = Number(read("rate"));
  if (rate >= 0.25 && rate <= 4) media.defaultPlaybackRate = media.playbackRate = rate;
  let saved = media.currentTime;
  const save = () => {
    saved = media.currentTime;
    keep(place, saved > 15 && Math.floor(saved));
  };
  on("timeupdate", () => !media.paused && Math.abs(media.currentTime - saved) > 5 && save());
  on("pause", () => !media.ended && media.readyState > 0 && save());
  on("ended", () => keep(place));
  on("ratechange", () => keep("rate", media.playbackRate !== 1 && media.playbackRate));
};

// Stops at the end of a span, or when it is time to sleep. Both go with the element from player to dock:
// data-stop-at in seconds of its own time, data-sleeps-at in milliseconds or "episode".
export const stopInTime = (media, signal, stopped) => {
  media.addEventListener("timeupdate", () => {
    const { stopAt = Infinity, sleepsAt = Infinity } = media.dataset;
    if (media.currentTime < stopAt && !(Date.now() >= sleepsAt)) return;
    delete media.dataset.stopAt;
    if (Date.now() >= sleepsAt) delete media.dataset.sleepsAt;
    media.pause();
    stopped?.();
  }, { signal });
};

// Tells the system what plays, and takes its keys.
export const tellSystem = (media, { title, cover }, moves, signal) => {
  const session = navigator.mediaSession;
  if (!session) return;
  const place = () => {
    if (!session.setPositionState || !Number.isFinite(media.duration)) return;
    session.setPositionState({ duration: media.duration, playbackRate: media.playbackRate, position: Math.min(media.currentTime, media.duration) });
  };
  const deeds = {
    play: () => play(media),
    pause: () => media.pause(),
    stop: () => media.pause(),
    seekbackward: ({ seekOffset }) => moves.skip(-(seekOffset || 15)),
    seekforward: ({ seekOffset }) => moves.skip(seekOffset || 30),
    seekto: ({ seekTime }) => moves.seek(seekTime),
    previoustrack: moves.previous ?? null,
    nexttrack: moves.next ?? null,
  };
  const tell = () => {
    session.metadata = new MediaMetadata({ title, artist: document.querySelector(".brand").textContent.trim(), artwork: cover ? [{ src: cover }] : [] });
    for (const [name, deed] of Object.entries(deeds)) {
      try {
        session.setActionHandler(name, deed);
      } catch {}
    }
  };
  for (const name of ["seeked", "ratechange", "loadedmetadata", "play", "pause"]) media.addEventListener(name, place, { signal });
  media.addEventListener("play", tell, { signal });
  if (!media.paused) tell();
};

// Draws a waveform: a bar for each digit of base 36.
export const draw = (wave) => {
  const peaks = [...wave.dataset.wave];
  wave.parentElement.classList.toggle("waved", peaks.length > 0);
  const side = (sign) => peaks.flatMap((peak, n) => {
    const [from, to] = [n, n + 0.65].map((at) => (at / (peaks.length - 0.35)) * 100);
    const end = 50 + sign * (1.5 + parseInt(peak, 36) * 1.385);
    return [`${from}% 50%`, `${from}% ${end}%`, `${to}% ${end}%`, `${to}% 50%`];
  });
  wave.style.clipPath = `polygon(${[...side(-1), ...side(1).reverse()]})`;
};

// The buttons and the bar that both have. `moves` seeks and skips; `titleAt` names the chapter at a moment.
export const controls = (root, media, signal, moves, titleAt = () => "") => {
  const part = (name) => root.querySelector(`[data-${name}]`);
  const on = (target, name, deed) => target.addEventListener(name, deed, { signal });
  const [button, bar, rates, wave] = ["do=toggle", "seek", "rate", "wave"].map(part);
  const playWord = (button.dataset.go ??= button.getAttribute("aria-label"));
  let isHeld = false;
  const length = () => (Number.isFinite(media.duration) ? media.duration : Number(bar.max) || 0);
  const label = (now) => {
    part("elapsed").textContent = clock(now);
    wave.style.setProperty("--at", `${(now / (length() || 1)) * 100}%`);
    part("left").textContent = length() ? `−${clock(length() - now)}` : "";
    const title = titleAt(now);
    bar.setAttribute("aria-valuetext", `${clock(now)} / ${clock(length())}${title && ` · ${title}`}`);
  };
  const show = (now = media.currentTime) => {
    if (isHeld) return;
    bar.value = now;
    label(now);
  };
  const measure = () => {
    if (length()) bar.max = length();
    show();
  };
  const drawn = () => {
    button.setAttribute("aria-label", media.paused ? playWord : button.dataset.pause);
    root.classList.toggle("is-playing", !media.paused);
  };
  for (const name of ["play", "pause", "ended"]) on(media, name, drawn);
  // While nothing is loaded the bar stands where playing will start: an element that is emptied tells of the time 0.
  for (const name of ["timeupdate", "seeking"]) on(media, name, () => media.readyState && show());
  for (const name of ["loadedmetadata", "durationchange"]) on(media, name, measure);
  on(bar, "input", () => {
    isHeld = true;
    label(Number(bar.value));
  });
  on(bar, "change", () => {
    isHeld = false;
    moves.seek(Number(bar.value));
    show();
  });
  on(bar, "keydown", (event) => {
    const by = { PageUp: 60, PageDown: -60 }[event.key];
    if (!by) return;
    event.preventDefault();
    moves.skip(by);
  });
  const rated = () => {
    if (![...rates.options].some(({ value }) => Number(value) === media.playbackRate)) rates.add(new Option(numerals(media.playbackRate), media.playbackRate));
    rates.value = String(media.playbackRate);
  };
  on(rates, "change", () => (media.defaultPlaybackRate = media.playbackRate = Number(rates.value)));
  on(media, "ratechange", rated);
  draw(wave);
  rated();
  drawn();
  measure();
  return { length, show };
};

// Says in words what does not go, with the file or with a way on.
export const teller = (root, signal) => {
  const status = root.querySelector("[data-tell]");
  let told;
  signal.addEventListener("abort", () => clearTimeout(told));
  return (text, ...ways) => {
    clearTimeout(told);
    status.replaceChildren(text, ...ways.flatMap((way) => [" ", way]));
    if (!ways.length) told = setTimeout(() => status.replaceChildren(), 12000);
  };
};
// The versions that a player lists, and whether a browser plays their type.
export const sourcesOf = (player) => [...player.querySelectorAll("source")];
export const canPlay = (type) => !type || document.createElement("video").canPlayType(type) !== "";
// Calls `deed` when a player fails, and when it fails with the last of its versions.
export const onFailure = (media, deed, signal) => media.addEventListener("error", ({ target }) => (target === media || target === sourcesOf(media).at(-1)) && deed(), { capture: true, signal });

// A link to the file that does not play. A playlist is a text, which apps open.
export const fileLink = (media, text) => {
  const link = document.createElement("a");
  const isFile = (address) => !/\.m3u8([?#]|$)/i.test(address);
  link.href = sourcesOf(media).map(({ src }) => src).find(isFile) ?? media.currentSrc;
  link.textContent = text;
  if (isFile(link.href)) link.download = "";
  return link;
};
// What a server without ranges is told of, with the way to load the whole file.
export const refusal = (media, { noSeek, loadAll, noLoad }, tell) => (at) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "chip";
  button.textContent = loadAll;
  button.addEventListener("click", async () => {
    button.disabled = true;
    await loadWhole(media, at).then(() => tell(""), () => tell(noLoad, fileLink(media, media.currentSrc.split("/").at(-1))));
  });
  tell(noSeek, button);
};

// k, j and l, where the visitor has not switched them off. More keys may be told.
export const keys = (signal, pressed, mayPress = () => true) => {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isOwn = event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented;
    if (isOwn || !Object.hasOwn(pressed, key) || read("keys") === "off" || document.querySelector("dialog[open]")) return;
    if (target.closest?.("input, select, textarea, [contenteditable], pre, .scroller") || !mayPress(event)) return;
    event.preventDefault();
    pressed[key]();
  }, { signal });
};
