// Puts the player of a video into the place of its card when a visitor asks for it. Until then nothing is asked of the host.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-frame] > a");
  const isPlain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || event.defaultPrevented || !isPlain) return;
  event.preventDefault();
  for (const media of document.querySelectorAll("audio, video")) media.pause();
  const { frame: player, host } = link.parentElement.dataset;
  const frame = document.createElement("iframe");
  // One host wants to know where it plays.
  frame.src = player.endsWith("parent=") ? player + location.hostname : player;
  frame.title = `${link.textContent} (${host})`;
  frame.allow = "autoplay; encrypted-media; fullscreen; picture-in-picture";
  frame.allowFullscreen = true;
  frame.referrerPolicy = "strict-origin-when-cross-origin";
  // Where the policy of the site lets no such frame in, the link leads to the video.
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === "frame-src") location.assign(link.href);
  }, { once: true });
  link.replaceWith(frame);
  frame.focus();
});
