// Goes to other pages of the site without leaving the document, so that what plays goes on. What is unusual is left to
// the browser: other sites, files, new windows, pages of another layout.
import { isPlain } from "./sound.js";

const all = (selector, of = document) => [...of.querySelectorAll(selector)];
const SHEETS = "link[rel=stylesheet]";
const MAIN = "theme-main";
const ownStyle = document.head.querySelector(SHEETS).href;
const root = new URL(document.querySelector(".brand").href).pathname;
const withoutHash = ({ href }) => href.replace(/#.*/, "");

// The document at an address of this site; nothing where it is none of this theme's.
export const load = async (address, signal) => {
  const response = await fetch(address, { signal });
  if (!response.ok || !/^text\/html\b/.test(response.headers.get("content-type"))) return;
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  // After a new theme was published its style sheet has another address.
  if (!all(SHEETS, found).some(({ href }) => href === ownStyle) || !found.getElementById(MAIN)) return;
  // Here scripts run.
  for (const one of all("noscript", found)) one.remove();
  return { found, address: response.redirected ? response.url : address };
};

// Style sheets that a page alone has come before it.
const addStyles = (found) => {
  const known = all(SHEETS).map(({ href }) => href);
  const missing = all(`head > ${SHEETS}`, found).filter(({ href }) => !known.includes(href));
  return Promise.all(missing.map((one) => new Promise((done) => {
    const link = document.importNode(one);
    link.onload = link.onerror = done;
    document.head.append(link);
  })));
};

// What a link leads to, if it is a page of the site.
const pageOf = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || !isPlain(event)) return;
  if ((link.target && link.target !== "_self") || link.hasAttribute("download") || !/^https?:$/.test(link.protocol)) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || !to.pathname.startsWith(root) || !/(\/|\.html)$/.test(to.pathname)) return;
  if (to.hash && withoutHash(to) === withoutHash(location)) return;
  return to;
};

const exchangeHead = (found) => {
  const fresh = [...found.head.children];
  const stays = `script[src], style, ${SHEETS}`;
  for (const old of [...document.head.children]) {
    const same = fresh.findIndex((one) => one.isEqualNode(old));
    if (same >= 0) fresh.splice(same, 1);
    else if (!old.matches(stays)) old.remove();
  }
  for (const one of fresh) {
    if (one.localName !== "script" || !one.src) {
      document.head.append(one);
      continue;
    }
    // What a parser of its own has read does not run.
    const script = document.createElement("script");
    for (const { name, value } of one.attributes) script.setAttribute(name, value);
    document.head.append(script);
  }
  for (const name of ["lang", "dir", "data-numerals", "data-words-lang"]) {
    if (found.documentElement.hasAttribute(name)) document.documentElement.setAttribute(name, found.documentElement.getAttribute(name));
    else document.documentElement.removeAttribute(name);
  }
};

// What stands around the main part changes with the language and with the page that is current.
const exchangeFrame = (found) => {
  for (const name of [".skip", ".masthead", ".side", ".footer"]) {
    const [old, fresh] = [document, found].map((of) => of.querySelector(`body > ${name}`));
    if (old && fresh && !old.isEqualNode(fresh)) old.replaceWith(fresh);
  }
};

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {}
};

// Follows links while `isWanted`. `carry` is given the old and the new main part and the new address between the pages.
export const followLinks = (isWanted, carry) => {
  let shown = location.pathname;
  let pending;
  const places = new Map();
  const announcer = document.createElement("p");
  announcer.className = "vh";
  announcer.setAttribute("role", "status");
  document.body.append(announcer);

  const settle = (y) => {
    const id = location.hash.slice(1);
    const target = id && (document.getElementById(id) ?? document.getElementById(decoded(id)));
    if (y === undefined && target) target.scrollIntoView({ behavior: "instant" });
    else scrollTo({ top: y ?? 0, behavior: "instant" });
  };

  const stop = () => {
    pending?.abort();
    document.documentElement.removeAttribute("aria-busy");
  };
  const visit = async (to, isBack) => {
    stop();
    const own = (pending = new AbortController());
    document.documentElement.setAttribute("aria-busy", "true");
    const loaded = await load(to.href, own.signal).catch(() => {});
    if (loaded && !own.signal.aborted) await addStyles(loaded.found);
    if (own.signal.aborted) return;
    stop();
    if (!loaded) return isBack ? location.reload() : location.assign(to);
    const { found, address } = loaded;
    document.querySelector("dialog[open]")?.close();
    document.dispatchEvent(new Event("page-leave"));
    const at = new URL(address);
    at.hash ||= to.hash;
    if (!isBack) {
      const page = history.state?.page ?? Math.random();
      places.set(page, scrollY);
      history.replaceState({ page }, "");
      history.scrollRestoration = "manual";
      history[withoutHash(at) === withoutHash(location) ? "replaceState" : "pushState"]({ page: Math.random() }, "", at);
    }
    shown = location.pathname;
    entry = history.state?.page;
    const [old, fresh] = [document, found].map((of) => of.getElementById(MAIN));
    // Before what sounds comes into it: an element that changes its document starts anew.
    document.adoptNode(fresh);
    carry(old, fresh);
    exchangeHead(found);
    old.replaceWith(fresh);
    exchangeFrame(found);
    settle(isBack ? places.get(history.state?.page) ?? 0 : undefined);
    fresh.focus({ preventScroll: true });
    announcer.textContent = document.title;
    document.dispatchEvent(new Event("page-enter"));
  };

  let entry = history.state?.page;
  addEventListener("click", (event) => {
    const to = isWanted() && pageOf(event);
    if (!to) return;
    event.preventDefault();
    visit(to, false);
  });
  addEventListener("popstate", ({ state }) => {
    places.set(entry, scrollY);
    entry = state?.page;
    // Places and queries on one page are its own, but for the scrolling that was taken from the browser.
    if (location.pathname !== shown) return visit(new URL(location.href), true);
    stop();
    if (history.scrollRestoration === "manual" && state?.page) settle(places.get(entry));
  });
  // A page that is loaded anew scrolls by itself.
  addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
};
