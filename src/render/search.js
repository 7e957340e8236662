// The search dialog and the search page. Items come from the JSON Feed, document by document.
(() => {
  "use strict";
  const feedUrl = "__FEED__";
  // Where the theme wants an item to lead: "web", "url" or "attachment".
  const destination = "__DESTINATION__";
  const dialog = document.getElementById("feedwright-search");
  let items;
  let loading;

  // The feed has absolute addresses, and this page may be served anywhere: those of the site are paths here.
  const local = (address) => {
    const isOwn = address?.startsWith("__SITE__/") && !address.startsWith("__SITE__//");
    return isOwn ? address.slice("__ORIGIN__".length) : address;
  };

  // Once for all that is typed, and again only after a failure.
  const loaded = () => {
    loading ||= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  const load = async () => {
    const found = [];
    for (let url = feedUrl, n = 0; url && n < 100; n += 1) {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${response.status}`);
      const feed = await response.json();
      found.push(...feed.items);
      url = local(feed.next_url);
    }
    return found.map((item) => {
      const extension = Object.values(item).find((value) => value && value.web_url) || {};
      return {
        title: item.title || item.content_text.slice(0, 60),
        text: item.content_text,
        url: local({ url: item.url, attachment: item.attachments?.[0]?.url }[destination] || extension.web_url || item.url),
        folded: fold(`${item.title} ${(item.tags || []).join(" ")} ${item.content_text}`),
        foldedTitle: fold(item.title),
      };
    });
  };

  const fold = (text) => text.normalize("NFC").toLowerCase();
  const words = (query) => fold(query).match(/"[^"]+"|'[^']+'|\S+/g)?.map((word) => word.replace(/^["']|["']$/g, "")).filter(Boolean) || [];

  const search = (query) => {
    const wanted = words(query);
    if (!wanted.length) return [];
    return items
      .filter((item) => wanted.every((word) => item.folded.includes(word)))
      .map((item) => ({ item, score: wanted.filter((word) => item.foldedTitle.includes(word)).length }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 50)
      .map(({ item }) => item);
  };

  // Appends text with every wanted word marked, as text nodes: nothing of it is read as HTML.
  const mark = (parent, text, wanted) => {
    const folded = fold(text);
    if (folded.length !== text.length) return parent.append(text);
    for (let at = 0; at < text.length; ) {
      const hits = wanted.map((word) => [folded.indexOf(word, at), word]).filter(([hit]) => hit >= 0).sort((a, b) => a[0] - b[0] || b[1].length - a[1].length);
      if (!hits.length) return parent.append(text.slice(at));
      const [hit, word] = hits[0];
      const element = document.createElement("mark");
      element.textContent = text.slice(hit, hit + word.length);
      parent.append(text.slice(at, hit), element);
      at = hit + word.length;
    }
  };

  const excerpt = (text, wanted) => {
    const at = Math.max(0, ...wanted.map((word) => fold(text).indexOf(word)));
    const start = at > 80 ? text.indexOf(" ", at - 80) + 1 : 0;
    return `${start > 0 ? "…" : ""}${text.slice(start, start + 200).trim()}${start + 200 < text.length ? "…" : ""}`;
  };

  const show = (root, query) => {
    const list = root.querySelector("[data-search-results]");
    const status = root.querySelector("[data-search-status]");
    const wanted = words(query);
    const found = search(query);
    list.replaceChildren(
      ...found.map((item) => {
        const entry = document.createElement("li");
        const link = document.createElement("a");
        const about = document.createElement("p");
        link.href = item.url;
        mark(link, item.title, wanted);
        mark(about, excerpt(item.text, wanted), wanted);
        entry.append(link, about);
        return entry;
      }),
    );
    if (status) status.textContent = !wanted.length ? "" : found.length === 1 ? "1 result" : `${found.length} results`;
  };

  const attach = (root) => {
    const input = root.querySelector("input[name=q]");
    if (!input || !root.querySelector("[data-search-results]")) return;
    const update = async () => {
      const status = root.querySelector("[data-search-status]");
      try {
        items = await loaded();
        show(root, input.value);
      } catch {
        if (status) status.textContent = "The search cannot be loaded. Check the connection and try again.";
      }
    };
    input.addEventListener("input", update);
    input.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      if (root !== dialog) history.replaceState(null, "", `?q=${encodeURIComponent(input.value)}`);
      update();
    });
    if (root !== dialog) {
      const query = new URLSearchParams(location.search).get("q");
      if (query) {
        input.value = query;
        update();
      }
    }
  };

  const page = document.querySelector("main");
  if (page) attach(page);
  if (!dialog) return;
  attach(dialog);
  const open = () => {
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("input")?.select();
  };
  dialog.querySelector("[data-search-close]")?.addEventListener("click", () => dialog.close());
  document.addEventListener("click", (event) => {
    const opener = event.target instanceof Element && event.target.closest("[data-search-open]");
    if (opener && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open();
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      open();
    }
  });
})();
