// Reloads this page when the content at its address changes, follows the page to a new address, and
// shows the site's errors.
(() => {
  "use strict";

  const own = document.currentScript;
  const { path, state, subject, marks, empty } = own.dataset;
  const events = new URL("events", own.src);
  events.searchParams.set("path", path);
  events.searchParams.set("state", state);
  if (subject) events.searchParams.set("subject", subject);

  // Session storage may be disabled. Then a reload starts at the top of the page.
  const memory = {
    get(key) {
      try {
        return sessionStorage.getItem(`feedwright-${key}`);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        sessionStorage.setItem(`feedwright-${key}`, value);
      } catch {}
    },
  };

  // Scrolling

  const restore = () => {
    const [href, x, y] = JSON.parse(memory.get("scroll") ?? "[]");
    memory.set("scroll", "[]");
    if (href !== location.href) return;
    const before = history.scrollRestoration;
    history.scrollRestoration = "manual";
    const scroll = () => scrollTo({ left: x, top: y, behavior: "instant" });
    const scrolled = () => {
      scroll();
      history.scrollRestoration = before;
    };
    scroll();
    // Pictures that load late make the page longer.
    if (document.readyState === "complete") scrolled();
    else addEventListener("load", scrolled, { once: true });
  };

  const reload = () => {
    memory.set("scroll", JSON.stringify([location.href, scrollX, scrollY]));
    location.reload();
  };

  // The page has a new address, which also replaces the old one in the history.
  const follow = (path) => {
    const { href } = new URL(path, location);
    memory.set("scroll", JSON.stringify([href, scrollX, scrollY]));
    location.replace(href);
  };

  // The preview draws into shadow trees, which the theme's styles do not affect.

  const draw = (name, css, ...children) => {
    const host = document.createElement(name);
    const root = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    root.append(...children);
    return host;
  };

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // Faults

  const overlay = `
    :host { all: initial; color-scheme: light dark; }
    section { position: fixed; z-index: 2147483647; inset: auto 0 0 0; max-height: 70vh; overflow: auto;
      box-sizing: border-box; padding: 1rem 1.25rem 1.25rem; border-top: 4px solid #c62828;
      background: light-dark(#fff, #16191d); color: light-dark(#1b1b1b, #e9e9e9);
      box-shadow: 0 -8px 40px #0006; font: 15px/1.5 system-ui, sans-serif; }
    header { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; }
    h2 { margin: 0; font-size: 17px; color: light-dark(#b01818, #ff8a80); }
    p { margin: .15rem 0 .75rem; color: light-dark(#555, #aaa); }
    pre { margin: 0 0 .75rem; padding: .75rem 1rem; border-radius: 6px; overflow-x: auto;
      background: light-dark(#f4f4f4, #0c0e10); font: 13.5px/1.5 ui-monospace, monospace; }
    button { font: inherit; padding: .2rem .8rem; border-radius: 6px; cursor: pointer;
      border: 1px solid #8888; background: none; color: inherit; }
    button:focus-visible { outline: 2px solid #4c8dff; }
  `;

  let shown = null;

  const close = () => {
    shown?.remove();
    shown = null;
  };

  const show = (errors) => {
    close();
    const text = errors.join("\n");
    if (errors.length === 0) memory.set("closed", "");
    if (errors.length === 0 || memory.get("closed") === text) return;
    const title = errors.length === 1 ? "The site has an error" : `The site has ${errors.length} errors`;
    const dismiss = () => {
      memory.set("closed", text);
      close();
    };
    const button = element("button", "Close", { type: "button", title: "Escape" });
    button.addEventListener("click", dismiss);
    const header = element("header", "");
    header.append(element("h2", title), button);
    const section = element("section", "", { role: "alert", "aria-label": title });
    section.append(header, element("p", "The page behind this message is the last version without errors."));
    section.append(...errors.map((error) => element("pre", error)));
    shown = draw("feedwright-faults", overlay, section);
    shown.dismiss = dismiss;
    document.documentElement.append(shown);
  };

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && shown) {
      event.stopPropagation();
      shown.dismiss();
    }
  }, true);

  // Marks for content that is not public

  const badge = `
    :host { all: initial; }
    span { font: 600 12px/1.4 system-ui, sans-serif; padding: .1em .6em; border-radius: 1em;
      background: #ffd54f; color: #222; white-space: nowrap; }
    span.page { position: fixed; z-index: 2147483646; top: .75rem; right: .75rem; font-size: 14px;
      padding: .25em .9em; box-shadow: 0 2px 10px #0005; }
    span.link { margin-inline-start: .5em; vertical-align: middle; }
  `;

  const mark = () => {
    const all = new Map(JSON.parse(marks ?? "[]"));
    const own = all.get(location.pathname);
    if (own) {
      document.documentElement.append(draw("feedwright-mark", badge, element("span", own, { class: "page" })));
      all.delete(location.pathname);
    }
    for (const [path, word] of all) {
      const link = title([...document.links].filter((link) => link.pathname === path));
      if (!link) continue;
      const text = element("span", word.split(/,| for/)[0], { class: "link", title: word });
      link.after(draw("feedwright-mark", badge, text));
    }
  };

  // Returns the link that is most likely the item's title, among several links to the item.
  const title = (links) => {
    const length = (link) => (link.closest("h1, h2, h3, h4, h5, h6") ? 1e6 : 0) + link.textContent.trim().length;
    const own = links.filter((link) => link.origin === location.origin && length(link) > 0);
    return own.sort((a, b) => length(b) - length(a))[0];
  };

  // How to create the first item, on the home page of a site without items

  const welcome = `
    :host { all: initial; color-scheme: light dark; }
    p { box-sizing: border-box; max-width: 40rem; margin: 2rem auto; padding: 1rem 1.25rem; border: 2px dashed #8888; border-radius: 12px; background: light-dark(#fff, #16191d);
      font: 16px/1.6 system-ui, sans-serif; color: light-dark(#1b1b1b, #e9e9e9); }
    code { font: 14px ui-monospace, monospace; background: #8883; padding: .2em .45em; border-radius: 5px; }
  `;

  const invite = () => {
    const isHome = location.pathname === new URL("../", own.src).pathname;
    if (empty === undefined || !isHome) return;
    const text = element("p", "This site has no items. Only this preview shows this note. To create the first item, run ");
    text.append(element("code", 'feedwright new item "First post"'), " in the site’s folder.");
    (document.querySelector("main") ?? document.body).append(draw("feedwright-first", welcome, text));
  };

  // The event stream. A hidden tab has none, because browsers open at most six connections to one
  // host. A tab that is shown again checks whether its page is still current.

  let stream = null;
  let again = 0;

  const listen = () => {
    clearTimeout(again);
    if (stream || document.hidden) return;
    stream = new EventSource(events);
    stream.addEventListener("reload", reload);
    stream.addEventListener("moved", (event) => follow(JSON.parse(event.data)));
    stream.addEventListener("faults", (event) => show(JSON.parse(event.data)));
    stream.addEventListener("error", () => {
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = null;
      again = setTimeout(listen, 1000);
    });
  };

  const leave = () => {
    stream?.close();
    stream = null;
  };

  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => event.persisted && listen());

  restore();
  mark();
  invite();
  listen();
})();
