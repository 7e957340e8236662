// Opens the search dialog, and loads the search script when search is used. Exports everything that
// both scripts need.
export const base = new URL("../", import.meta.url).href;
export const isSearchPage = () => new URL("search/", base).pathname === location.pathname;

// The page provides the texts in its language.
const dialog = document.querySelector("dialog.mf-public-search");
export const WORDS = JSON.parse(dialog.dataset.words);
export const namespaces = WORDS.namespaces ?? [dialog.id.replace("-search-dialog", "")];

// Hooks are attributes: data-search-open, or with a service's name, data-service-search-open.
const hooks = {};
const hooked = (hook) => (hooks[hook] ??= RegExp(`^data-([\\w-]+-)?search-${hook}$`));
export const isHook = (element, hook) => element.getAttributeNames().some((name) => hooked(hook).test(name));
export const within = (root, hook) => [...root.querySelectorAll("*")].find((element) => isHook(element, hook));
const around = (element, hook) => element && (isHook(element, hook) || around(element.parentElement, hook));
export const isInput = (element) => element.localName === "input" && (isHook(element, "input") || element.name === "q");

// Text typed before the search script loads stays in the inputs, where the script finds it. Errors
// are shown in the dialog and on the search page.
const tell = (text) => {
  const places = [...document.querySelectorAll("*")].filter((element) => isHook(element, "status"));
  for (const status of places) status.textContent = text;
};
const source = `${base}search/search.js`;
let isAsked = false;
let attempts = 0;
const load = async () => {
  if (isAsked) return;
  isAsked = true;
  if (attempts) tell("");
  try {
    // Some browsers remember a failed import, and would not request the same address again.
    await import(`${source}${attempts ? `?${attempts}` : ""}`);
    listen(false);
  } catch (error) {
    console.error(error);
    // A script that loaded but fails would fail again.
    const hasCome = await fetch(source).then(({ ok }) => ok, () => false);
    tell(hasCome ? WORDS.broken : WORDS.offline);
    if (hasCome) return listen(false);
    isAsked = false;
    attempts += 1;
  }
};
const ahead = ({ target }) => !isAsked && (isInput(target) || around(target, "open")) && load();
const listen = (isOn) => {
  for (const name of ["focusin", "input", "pointerover"]) document[`${isOn ? "add" : "remove"}EventListener`](name, ahead);
};
listen(true);
const atPage = () => isSearchPage() && load();
atPage();
// A theme's script may replace the page in the document, and reports it with this event.
document.addEventListener("page-enter", atPage);

// If the address ends in #t=83, the page's player starts at that second.
const play = () => {
  const time = /^#t=([\d.]+)$/.exec(location.hash)?.[1];
  const player = time && document.querySelector("main :is(audio, video), audio, video");
  if (!player) return;
  player.currentTime = time;
  // A browser may refuse to play. The player is then paused at that time.
  player.play().catch(() => {});
};
addEventListener("hashchange", play);
play();

const open = (event) => {
  event.preventDefault();
  if (!dialog.open) dialog.showModal();
  // Focusing the input loads the search script.
  within(dialog, "input").select();
};
document.addEventListener("click", (event) => {
  const { target } = event;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (isPlain && around(target, "open")) open(event);
  // A result may point to another time on the same page.
  const isHere = target.closest("dialog a")?.pathname === location.pathname;
  if (target === dialog || around(target, "close") || isHere) dialog.close();
});
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  // In a non-empty search field, Escape would otherwise only clear the field.
  if (key === "Escape" && !event.isComposing) dialog.close();
  const isTyping = target.isContentEditable || target.closest?.("input, textarea, select");
  const hasCommand = event.ctrlKey || event.metaKey;
  const isOpener = key === "Enter" && around(target, "open");
  if (hasCommand ? /^k$/i.test(key) : (key === "/" && !isTyping) || isOpener) open(event);
});
