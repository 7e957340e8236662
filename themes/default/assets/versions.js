// The versions of a recording: sound and film, languages, qualities. The element that plays is replaced by one with the
// same place, speed and state, whose first source is the chosen version. What a browser cannot play, it skips.
import { canPlay, play, sourcesOf } from "./sound.js";

const isFilm = (source) => "film" in source.dataset;

export const offer = (group, media, signal, { leave, replaced }) => {
  if (signal.aborted) return;
  const choices = [...group.querySelectorAll("input")].map((input) => ({ input, source: sourcesOf(media).find((one) => one.getAttribute("src") === input.value) }));
  for (const { input, source } of choices) input.parentElement.hidden = !source || !canPlay(source.type);
  // Its room is kept.
  group.classList.toggle("is-offered", choices.filter(({ input }) => !input.parentElement.hidden).length > 1);

  const change = (source) => {
    const fresh = document.createElement(isFilm(source) ? "video" : "audio");
    leave();
    const { currentTime, ended, paused, playbackRate, volume, muted } = media;
    for (const { name, value } of media.attributes) if (name !== "src") fresh.setAttribute(name, value);
    fresh.append(source, ...sourcesOf(media).filter((one) => one !== source));
    // Captions that were loaded for one element are not shown in another.
    for (const old of media.querySelectorAll("track")) {
      const track = old.cloneNode();
      track.default = isFilm(source) && (media.localName === "audio" || old.track.mode === "showing");
      fresh.append(track);
    }
    const cover = document.querySelector("[data-player] > img");
    if (cover && !fresh.hasAttribute("poster")) fresh.setAttribute("poster", cover.dataset.src ?? cover.src);
    fresh.setAttribute("playsinline", "");
    Object.assign(fresh, { volume, muted, playbackRate, defaultPlaybackRate: playbackRate, currentTime: ended ? 0 : currentTime });
    media.pause();
    media.removeAttribute("src");
    media.load();
    media.replaceWith(fresh);
    replaced();
    if (!paused) play(fresh);
  };
  const show = () => {
    const now = choices.find(({ source }) => source?.src === media.currentSrc);
    if (!now) return;
    now.input.checked = true;
    // The browser has gone on to a version of the other kind.
    if (isFilm(now.source) !== (media.localName === "video")) change(now.source);
  };
  media.addEventListener("loadedmetadata", show, { signal });
  if (media.readyState > 0) show();
  group.addEventListener("change", ({ target }) => change(choices.find(({ input }) => input === target).source), { signal });
};
