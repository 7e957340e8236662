// The player of a frame on another site. Without this file the browser's own player is there.
// It is no module, and shares nothing with sound.js: a frame that is sandboxed has no origin, and may not load modules.
(() => {
  const player = document.querySelector("[data-embed]");
  const media = player.querySelector("audio");
  const controls = player.querySelector(".controls");
  const [play, seek, now, speed] = [".play", ".seek", "[data-now]", ".speed"].map((one) => controls.querySelector(one));
  const words = [play.getAttribute("aria-label"), play.dataset.pause];
  const speeds = [1, 1.25, 1.5, 1.75, 2, 0.75];
  const length = () => (Number.isFinite(media.duration) ? media.duration : Number(controls.dataset.length)) || 0;
  // Writes digits and the decimal sign as the language of the page does.
  const own = [...(document.documentElement.dataset.numerals ?? "0123456789.")];
  const numerals = (text) => String(text).replace(/[\d.]/g, (sign) => own["0123456789.".indexOf(sign)]);
  const clock = (seconds) => {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    const shown = parts[0] ? parts : parts.slice(1);
    return numerals(shown.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":"));
  };
  // A bar for each digit of base 36.
  const wave = controls.querySelector(".wave");
  const peaks = [...wave.dataset.wave];
  const side = (sign) => peaks.flatMap((peak, n) => {
    const [from, to] = [n, n + 0.65].map((at) => (at / (peaks.length - 0.35)) * 100);
    const end = 50 + sign * (1.5 + parseInt(peak, 36) * 1.385);
    return [`${from}% 50%`, `${from}% ${end}%`, `${to}% ${end}%`, `${to}% 50%`];
  });
  wave.style.clipPath = `polygon(${[...side(-1), ...side(1).reverse()]})`;
  let seeking = false;
  const show = () => {
    const at = seeking ? (seek.value / 1000) * length() : media.currentTime;
    now.textContent = clock(at);
    wave.style.setProperty("--at", `${(at / (length() || 1)) * 100}%`);
    if (!seeking) seek.value = length() ? (at / length()) * 1000 : 0;
    seek.setAttribute("aria-valuetext", clock(at));
    player.classList.toggle("is-playing", !media.paused);
    play.setAttribute("aria-label", words[media.paused ? 0 : 1]);
  };
  play.addEventListener("click", () => (media.paused ? media.play().catch(() => {}) : media.pause()));
  seek.addEventListener("input", () => {
    seeking = true;
    show();
  });
  seek.addEventListener("change", () => {
    seeking = false;
    const to = (seek.value / 1000) * length();
    // Before anything is loaded there is no place to go to.
    if (media.readyState) media.currentTime = to;
    else {
      media.addEventListener("loadedmetadata", () => (media.currentTime = to), { once: true });
      media.preload = "metadata";
    }
  });
  const say = () => {
    speed.textContent = `${numerals(media.playbackRate)}×`;
    speed.setAttribute("aria-label", `${speed.dataset.speed.trimEnd()} ${speed.textContent}`);
  };
  speed.addEventListener("click", () => {
    media.playbackRate = media.defaultPlaybackRate = speeds[(speeds.indexOf(media.playbackRate) + 1) % speeds.length];
    say();
  });
  for (const event of ["play", "pause", "timeupdate", "durationchange", "ended", "seeked"]) media.addEventListener(event, show);
  // What cannot be played shows the browser's own player, which says so.
  media.addEventListener("error", ({ target }) => {
    if (target !== media && target !== media.lastElementChild) return;
    media.hidden = false;
    controls.hidden = true;
  }, true);
  media.hidden = true;
  controls.hidden = false;
  say();
  show();
})();
