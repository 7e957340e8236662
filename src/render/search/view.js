// Shows results in the dialog and on the search page. Results are text nodes, so nothing in them is
// parsed as HTML.
import { WORDS, base, isHook, isInput, isSearchPage, namespaces, within } from "./open.js";

// The language of the words: English on a page in a language without words.
const { wordsLang, numerals = "0123456789" } = document.documentElement.dataset;
const language = /^[a-z]{2,3}(-\w{2,8})*$/i.exec(wordsLang ?? document.documentElement.lang)?.[0];
const counted = (n, isExact) => {
  const { count, atLeast } = WORDS;
  const text = (count?.[new Intl.PluralRules(language).select(n)] ?? count?.other ?? "{n}").replace("{n}", n.toLocaleString(language));
  return isExact ? text : (atLeast ?? "{results}").replace("{results}", text);
};

const make = (name, part, ...inside) => {
  const element = document.createElement(name);
  if (part) element.className = `mf-public-search${part}`;
  element.append(...inside);
  return element;
};

// Appends a text with its marks. The browser detects the direction of the text.
const marked = (element, { text, marks }) => {
  let from = 0;
  element.dir = "auto";
  for (const { at, end } of marks) {
    element.append(text.slice(from, at), make("mark", "", text.slice(at, end)));
    from = end;
  }
  element.append(text.slice(from));
  return element;
};

// Formats seconds as 1:23 or 1:01:23, in the digits of the page's language.
const clock = (time) => {
  const latin = new Date(time * 1000).toISOString().slice(11, 19).replace(/^(00:)?0?/, "");
  return latin.replace(/\d/g, (digit) => [...numerals][digit]);
};

const dateOf = (date) => {
  const element = make("time", "", new Date(date).toLocaleDateString(language, { dateStyle: "medium", timeZone: "UTC" }));
  element.dateTime = date;
  return element;
};

const addressOf = ({ to, path }) => {
  const address = new URL(to ?? path, base);
  return /^https?:/.test(address.protocol) ? address.href : base + path;
};

// Sets an attribute that themes' style sheets use, under each of their namespaces.
const setHook = (element, hook, value) => {
  for (const name of namespaces) element.setAttribute(`data-${name}-search-${hook}`, value);
};

const passageShown = (row, passage) => {
  const { time, text } = passage;
  const link = make("a", "-passage");
  link.href = base + row.path;
  if (time >= 0) {
    link.hash = `t=${Math.floor(time)}`;
    link.append(make("span", "-passage__time", clock(time)), " ");
  }
  link.append(text ? marked(make("q", "-passage__text"), passage) : row.title);
  return link;
};

// Fetches the index entry before the first key press.
const prepare = () => entry().catch(() => {});

// Shows the results for an input in a container.
const attach = (input, container) => {
  const isPage = !input.closest("dialog") && isSearchPage();
  setHook(container, "results-context", input.closest("dialog") ? "popup" : "page");
  // Themes of a service show only titles unless they ask for details.
  const hasDetails = isHook(container, "details") || container.hasAttribute("data-search-results");
  let status = within(container.parentElement, "status");
  if (!status) container.before((status = make("output", "-message")));
  // Screen readers announce only the status.
  container.removeAttribute("aria-live");
  const button = make("button", "-more");
  button.type = "button";
  button.hidden = true;
  container.after(button);
  let query, controller, shown, saying, isDone;

  const say = (text) => {
    clearTimeout(saying);
    // The status does not change while the reader types.
    saying = setTimeout(() => (status.textContent = text), 400);
  };
  const fail = ({ name, message }) => name === "AbortError" || say(WORDS[message] ?? WORDS.broken);
  const seen = new IntersectionObserver((entries) =>
    entries.forEach(({ target, isIntersecting }) => {
      if (!isIntersecting) return;
      seen.unobserve(target);
      target.detail();
    }),
  );
  const clear = () => {
    seen.disconnect();
    shown = 0;
    container.replaceChildren();
    button.hidden = true;
  };
  const add = (row) => {
    const { near, wanted } = query;
    const own = query;
    const title = marked(make("strong", "-result__title"), { text: row.title, marks: marks(row.title, wanted, near) });
    const link = make("a", "-result", title, " ", make("span", "-result__type", WORDS.kinds?.[row.kind] ?? ""));
    const result = make(container.tagName === "DIV" ? "div" : "li", "-entry", link);
    link.href = addressOf(row);
    setHook(link, "result-type", row.kind === 1 ? "page" : "item");
    link.append(" ", make("span", "-result__domain", link.hostname));
    container.append(result);
    if (!hasDetails) return;
    const details = make("span", "-result__details");
    const text = make("span", "-result__text");
    link.append(details);
    if (row.date) details.append(dateOf(row.date), " ");
    details.append(text);
    const places = bestPassages(own, row).slice(0, SHOWN).map(() => make("li"));
    const passages = make("ul", "-passages", ...places);
    if (places[0]) result.append(passages);
    // The text and the passages are fetched once the result is visible. Space for them is reserved
    // before.
    result.detail = () => {
      const ignore = () => {};
      textOf(own, row).then((found) => marked(text, found), ignore);
      passagesWithText(own, row).then((found) => {
        places.forEach((place, n) => (found[n] ? place.append(passageShown(row, found[n])) : place.remove()));
        if (!found[0]) passages.remove();
      }, ignore);
    };
    seen.observe(result);
  };
  const show = (own) => {
    own.signal.throwIfAborted();
    if (query !== own) clear();
    query = own;
    own.hits.slice(shown).forEach(add);
    shown = own.hits.length;
    say(!input.value.trim() ? "" : own.total || own.hasMore ? counted(own.total, own.isExact) : WORDS.none);
  };
  // The button appears only after all results above it are shown.
  const more = async (own) => {
    button.hidden = true;
    try {
      await own.more(() => show(own));
    } finally {
      button.hidden = own !== query || !own.hasMore;
      button.textContent = WORDS[own.hasMore];
    }
  };
  const run = async (isAgain) => {
    const before = controller;
    controller = new AbortController();
    const { signal } = controller;
    // Aborted later, so that requests that both queries need are not cancelled.
    setTimeout(() => before?.abort());
    say(WORDS.searching);
    try {
      await more(await begin(input.value, signal));
    } catch (error) {
      if (signal.aborted) return;
      // A site that was published again has other shards.
      if (error.message === "missing" && fetched.delete(ENTRY + undefined) && !isAgain) return run(true);
      clear();
      query = undefined;
      fail(error);
    }
  };
  // Writes the query into the address. While the reader types, it replaces the previous query
  // there.
  const remember = (isSubmitted) => {
    // Some browsers restore this value when a page comes back.
    input.defaultValue = input.value;
    const address = `?${new URLSearchParams({ q: input.value })}`;
    try {
      if (location.search !== address) history[isDone ? "pushState" : "replaceState"](null, "", address);
    } catch {
      // Some browsers reject many changes in a short time.
    }
    isDone = isSubmitted;
  };
  const fromAddress = () => {
    input.value = input.defaultValue = new URLSearchParams(location.search).get("q") ?? "";
    isDone = true;
    run();
  };

  button.addEventListener("click", async () => {
    const before = shown;
    const own = query;
    await more(own).catch(fail);
    // If the reader typed meanwhile, the new query has its own results.
    if (own === query) container.children[Math.min(before, shown - 1)]?.querySelector("a").focus();
  });
  const typed = () => {
    run();
    if (isPage) remember(false);
  };
  input.addEventListener("input", typed);
  input.addEventListener("focus", prepare);
  if (isPage || document.activeElement === input) prepare();
  // Arrow keys move the focus from the input through the results and back.
  for (const element of [input, container])
    element.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const all = [input, ...container.querySelectorAll("a")];
      const to = step && !event.isComposing && all[all.indexOf(document.activeElement) + step];
      if (!to) return;
      event.preventDefault();
      to.focus();
    });
  if (isPage && location.search) fromAddress();
  else if (input.value) typed();
  if (!isPage) return;
  input.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    remember(true);
    run();
  });
  const followHistory = () => {
    if (!input.isConnected) removeEventListener("popstate", followHistory);
    else if (isSearchPage()) fromAddress();
  };
  addEventListener("popstate", followHistory);
};

const attached = new WeakSet();
const attachAll = () => {
  for (const input of document.querySelectorAll("input")) {
    if (attached.has(input) || !isInput(input)) continue;
    const scopes = ["form", "section", "main"].map((name) => input.closest(name));
    const scope = scopes.find((scope) => scope && within(scope, "results"));
    if (!scope) continue;
    attached.add(input);
    attach(input, within(scope, "results"));
  }
};

attachAll();
document.addEventListener("page-enter", attachAll);
