const PER_PAGE = 20;

const pagesOf = (items) => {
  const pages = [];
  for (let at = 0; at < items.length; at += PER_PAGE) pages.push(items.slice(at, at + PER_PAGE));
  return pages;
};

module.exports = (config) => {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  config.addFilter("xml", (text) => String(text).replace(/[&<>"]/g, (found) => escapes[found]));
  config.addFilter("iso", (date) => date.toISOString());
  config.addFilter("short", (date) => date.toUTCString().slice(0, 16));
  const items = (api) => api.getFilteredByGlob("content/item-*.md").sort((a, b) => b.date - a.date);
  config.addCollection("newest", (api) => items(api).slice(0, 300));
  config.addCollection("every", items);
  // The pages of the home page and of the tags in one list, because a template can paginate only
  // one list.
  config.addCollection("lists", (api) => {
    const all = items(api);
    const byTag = new Map();
    for (const item of all) {
      for (const tag of new Set(item.data.topics)) {
        if (!byTag.has(tag)) byTag.set(tag, []);
        byTag.get(tag).push(item);
      }
    }
    const lists = [["Bench", "/", all], ...[...byTag].map(([tag, found]) => [tag, `/tags/${tag}/`, found])];
    return lists.flatMap(([title, base, found]) => {
      const pages = pagesOf(found);
      const url = (n) => (n === 0 ? base : `${base}page/${n + 1}/`);
      return pages.map((page, n) => ({
        title,
        items: page,
        url: url(n),
        newer: n > 0 && url(n - 1),
        older: n + 1 < pages.length && url(n + 1),
      }));
    });
  });
  return { dir: { input: "content", includes: "../_includes", output: "public" }, markdownTemplateEngine: false };
};
