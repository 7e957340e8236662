// Shows the pictures of a page one by one, over it. Without it they stand in their texts, and those of a grid lead to
// their pages.
const template = document.getElementById("theme-viewer");
const dialog = template?.content.firstElementChild.cloneNode(true);
const PICTURES = "[data-view] img, .prose img, .item .frame img, .item img.frame";
const FILE = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
const SIGN = 100;

// A picture of a text or grid: neither what leads elsewhere nor a small sign in a line.
const isViewed = (img) => {
  if (img.matches(".stand-in")) return;
  const link = img.closest("a");
  if (link?.matches("[data-view]")) return true;
  return (!link || FILE.test(link.pathname)) && (img.getAttribute("width") ?? SIGN) >= SIGN;
};
const pictures = () => [...document.querySelectorAll(PICTURES)].filter(isViewed);
const inOneLine = ({ textContent }) => textContent.replace(/\s+/g, " ").trim();

const captionOf = (img) => {
  const page = img.closest("[data-view]");
  const written = page ?? img.closest("figure") ?? img.closest(".frame")?.nextElementSibling;
  const textOf = (parts) => [...(written?.querySelectorAll(parts) ?? [])].map(inOneLine).join(" · ");
  const text = textOf(page ? ".shot-text > :not(ul)" : "figcaption:not(:has(h1)), figcaption h1") || img.title;
  const facts = textOf(".exif > li");
  if (!text && !facts) return "";
  const caption = document.createElement("figcaption");
  const link = caption.appendChild(document.createElement(page ? "a" : "span"));
  link.textContent = text;
  if (page) link.href = page.href;
  if (facts) caption.append(" ", Object.assign(document.createElement("small"), { textContent: facts }));
  return caption;
};

const slideOf = (img) => {
  const large = (img.closest("picture") ?? img).cloneNode(true);
  const shown = large.matches("img") ? large : large.querySelector("img");
  for (const one of [shown, ...large.querySelectorAll("source")]) if (one.srcset) one.sizes = "100vw";
  const link = img.closest("a:not([data-view])");
  if (link && !shown.srcset) shown.src = link.href;
  for (const name of ["aria-haspopup", "aria-label", "class", "role", "tabindex", "title"]) shown.removeAttribute(name);
  shown.loading = "lazy";
  const slide = document.createElement("li");
  const figure = slide.appendChild(document.createElement("figure"));
  figure.append(large, captionOf(img));
  return slide;
};

const start = () => {
  const strip = dialog.querySelector(".viewer-strip");
  const place = dialog.querySelector("[data-place]");
  const told = dialog.querySelector("[data-told]");
  let shown = [];
  let at = 0;
  document.body.append(dialog);

  // What is shown, and that its neighbours are loaded.
  const tell = (to) => {
    at = to;
    [...strip.children].forEach((slide, index) => {
      slide.inert = index !== at;
      if (Math.abs(index - at) < 2) slide.querySelector("img").loading = "eager";
    });
    const own = [...(document.documentElement.dataset.numerals ?? "0123456789")];
    const numerals = (number) => String(number).replace(/\d/g, (digit) => own[digit]);
    place.textContent = place.dataset.place.replace("{n}", numerals(at + 1)).replace("{total}", numerals(shown.length));
    told.textContent = strip.children[at].querySelector("figcaption")?.textContent ?? shown[at].alt;
    for (const button of dialog.querySelectorAll("[data-step]")) {
      button.setAttribute("aria-disabled", !shown[at + Number(button.dataset.step)]);
    }
  };
  const direction = () => (getComputedStyle(dialog).direction === "rtl" ? -1 : 1);
  const go = (to, behavior) => {
    if (!shown[to]) return;
    tell(to);
    strip.scrollTo({ left: to * strip.clientWidth * direction(), behavior });
  };
  const open = (img) => {
    shown = pictures();
    strip.replaceChildren(...shown.map(slideOf));
    dialog.showModal();
    history.pushState({ ...history.state, viewer: true }, "");
    go(shown.indexOf(img), "instant");
  };

  // Swipes are the strip's own scrolling.
  let settling;
  strip.addEventListener("scroll", () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      const to = Math.round(Math.abs(strip.scrollLeft) / strip.clientWidth);
      if (dialog.open && to !== at && shown[to]) tell(to);
    }, 100);
  });
  // Another size is no swipe: the same picture stays.
  new ResizeObserver(() => {
    clearTimeout(settling);
    if (dialog.open) go(at, "instant");
  }).observe(strip);
  let touched;
  strip.addEventListener("pointerdown", (event) => (touched = event.pointerType === "touch" && event.isPrimary && event.clientY));
  strip.addEventListener("pointerup", ({ clientY }) => {
    if (touched !== false && clientY - touched > 80 && visualViewport.scale === 1) dialog.close();
  });

  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: at - direction(), ArrowRight: at + direction(), Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  dialog.addEventListener("click", ({ target }) => {
    const step = target.closest("[data-step]");
    if (step) go(at + Number(step.dataset.step));
    else if (!target.closest("img, figcaption")) dialog.close();
  });
  // The way back closes it, and what closes it goes that way. Then the picture that was seen last has the focus.
  dialog.addEventListener("close", () => {
    const last = shown[at];
    strip.replaceChildren();
    const settle = () => requestAnimationFrame(() => last && (last.closest("a") ?? last).focus());
    if (!history.state?.viewer) return settle();
    addEventListener("popstate", settle, { once: true });
    history.back();
  });
  addEventListener("popstate", () => dialog.open && dialog.close());
  if (history.state?.viewer) history.replaceState({ ...history.state, viewer: undefined }, "");

  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event;
    if (defaultPrevented || button || ctrlKey || metaKey || shiftKey || altKey || dialog.contains(target)) return;
    const box = target.closest?.("a, .picture");
    const img = pictures().find((one) => one === target) ?? pictures().find((one) => box?.contains(one));
    if (!img) return;
    event.preventDefault();
    open(img);
  });
  document.addEventListener("keydown", (event) => {
    if (!/^( |Enter)$/.test(event.key) || !event.target.matches?.("img[aria-haspopup]")) return;
    event.preventDefault();
    event.target.click();
  });

  // What is no link is a button.
  const setUp = () => {
    for (const img of pictures()) {
      if (img.closest("a")) continue;
      img.tabIndex = 0;
      img.setAttribute("role", "button");
      img.setAttribute("aria-haspopup", "dialog");
      if (!img.alt) img.setAttribute("aria-label", dialog.getAttribute("aria-label"));
    }
  };
  setUp();
  document.addEventListener("page-enter", setUp);
};
if (dialog) start();
