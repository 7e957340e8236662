// The waveform of a recording: draws the peaks, zooms, and shows and moves the play head.

import { clock } from './clock.js';
import { element } from './page.js';

// Maximum width of a second, in pixels: a tenth of a second is easy to hit.
const MOST = 50;

// Width of a bar with the gap after it, and height of the time line below the bars, in pixels.
const [BAR, LINE] = [3, 18];

// Distances between times on the time line, in seconds, and the minimum in pixels.
const [STEPS, APART] = [[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200], 76];

export class Waveform {
  constructor(player) {
    Object.assign(this, { player, peaks: [], decoded: 0, duration: 0 });
    this.canvas = element('canvas', { 'aria-hidden': 'true' });
    this.head = element('div', { class: 'head', role: 'slider', tabindex: '0', 'aria-label': 'Position', 'aria-valuemin': '0', 'aria-valuenow': '0' });
    this.track = element('div', { class: 'track' }, this.canvas, this.head);
    this.pane = element('div', { class: 'pane' }, this.track);
    this.zoom = element('input', { type: 'range', min: '0', max: '100', value: '0', 'aria-label': 'Zoom' });
    this.view = element('div', { class: 'wave', dir: 'ltr' }, this.pane);
    this.track.addEventListener('click', (event) => this.seek(this.timeAt(event.clientX)));
    this.head.addEventListener('keydown', (event) => this.key(event));
    this.pane.addEventListener('scroll', () => this.draw());
    this.zoom.addEventListener('input', () => this.scaleTo());
    new ResizeObserver(() => this.scaleTo()).observe(this.pane);
    for (const name of ['timeupdate', 'seeking', 'pause']) player.addEventListener(name, () => this.tick());
    player.addEventListener('play', () => this.run());
    player.addEventListener('loadedmetadata', () => this.measure());
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => (this.view.isConnected ? this.draw() : scheme.removeEventListener('change', recolour));
    scheme.addEventListener('change', recolour);
  }

  /** Shows the peaks, which cover `decoded` seconds. */
  show({ peaks, decoded, duration }) {
    Object.assign(this, { peaks: peaks ?? [], decoded: decoded ?? 0, length: duration });
    this.loudest = this.peaks.reduce((most, peak) => Math.max(most, peak), 1);
    this.measure();
  }

  measure() {
    const { duration } = this.player;
    this.duration = (Number.isFinite(duration) && duration) || this.length || 0;
    this.head.setAttribute('aria-valuemax', this.duration);
    this.scaleTo();
    this.tick();
    this.view.dispatchEvent(new Event('measured'));
  }

  timeAt(x) {
    const { left, width } = this.track.getBoundingClientRect();
    return Math.min(this.duration, Math.max(0, ((x - left) / width) * this.duration));
  }

  seek(seconds) {
    this.player.currentTime = Math.min(this.duration || seconds, Math.max(0, seconds));
  }

  /** Zooms, and keeps the play head in place if it is visible, otherwise the middle. */
  scaleTo() {
    const width = this.pane.clientWidth;
    if (!width) return;
    const fit = width / (this.duration || 1);
    const before = this.scale ?? fit;
    const place = this.player.currentTime * before - this.pane.scrollLeft;
    const kept = place >= 0 && place <= width ? place : width / 2;
    const anchor = (this.pane.scrollLeft + kept) / before;
    this.scale = fit * Math.max(1, MOST / fit) ** (this.zoom.value / 100);
    if (this.zoom.parentElement) this.zoom.parentElement.style.visibility = fit >= MOST ? 'hidden' : '';
    this.track.style.inlineSize = this.scale > fit ? `${this.scale * this.duration}px` : '';
    this.pane.scrollLeft = anchor * this.scale - kept;
    this.draw();
  }

  run() {
    this.tick();
    if (!this.view.isConnected) this.player.pause();
    else if (!this.player.paused) requestAnimationFrame(() => this.run());
  }

  /** Moves the play head, and scrolls if it leaves the visible part. */
  tick() {
    const now = this.player.currentTime;
    const place = now * this.scale - this.pane.scrollLeft;
    const width = this.pane.clientWidth;
    if (!this.player.paused && this.wasVisible && place > 0.95 * width) this.pane.scrollLeft = now * this.scale - 0.1 * width;
    this.wasVisible = place >= 0 && place <= width;
    this.head.style.left = `${this.duration ? (100 * now) / this.duration : 0}%`;
    this.head.setAttribute('aria-valuenow', Math.round(now * 10) / 10);
    this.head.setAttribute('aria-valuetext', clock(Math.floor(now)));
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = this.player.currentTime;
    const step = event.shiftKey ? 0.1 : 5;
    const to = { ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step, PageDown: now - 60, PageUp: now + 60, Home: 0, End: this.duration }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.seek(to);
    this.reveal(to);
  }

  /** Scrolls to a time. */
  reveal(seconds) {
    const place = seconds * this.scale - this.pane.scrollLeft;
    if (place < 0 || place > this.pane.clientWidth) this.pane.scrollLeft = seconds * this.scale - this.pane.clientWidth / 2;
  }

  draw() {
    const { canvas, pane } = this;
    const [width, height] = [pane.clientWidth, canvas.clientHeight];
    if (!width) return;
    const ratio = devicePixelRatio;
    canvas.style.inlineSize = `${width}px`;
    if (canvas.width !== Math.round(width * ratio)) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    // The colours of a canvas cannot be variables.
    const { color, caretColor, outlineColor } = getComputedStyle(canvas);
    this.drawBars(context, width, height - LINE, color, outlineColor);
    this.drawTimes(context, width, height, caretColor);
  }

  drawBars(context, width, height, rest, played) {
    const { scale, peaks, decoded, loudest } = this;
    const now = this.player.currentTime;
    const each = peaks.length / decoded;
    const first = Math.floor(this.pane.scrollLeft / BAR);
    for (let bar = first; (bar - first) * BAR < width + BAR; bar += 1) {
      const from = (bar * BAR) / scale;
      if (from >= this.duration) break;
      const start = Math.floor(from * each);
      const end = Math.max(start + 1, Math.floor((from + BAR / scale) * each));
      // The mean shows pauses and changes of loudness even if a bar is a minute.
      let sum = 0;
      for (let at = start; at < end && at < peaks.length; at += 1) sum += peaks[at];
      const size = Math.max(1, Math.min(1, (1.4 * sum) / (end - start) / loudest) * (height - 4)) || 1;
      context.fillStyle = from < now ? played : rest;
      context.fillRect(bar * BAR - this.pane.scrollLeft, (height - size) / 2, BAR - 1, size);
    }
  }

  drawTimes(context, width, height, color) {
    const step = STEPS.find((seconds) => seconds * this.scale >= APART) ?? STEPS.at(-1);
    context.fillStyle = color;
    context.font = '12px system-ui, sans-serif';
    const first = Math.floor(this.pane.scrollLeft / this.scale / step);
    for (let at = first * step; at <= this.duration; at += step) {
      const place = at * this.scale - this.pane.scrollLeft;
      if (place > width) break;
      context.fillRect(place, height - LINE, 1, 4);
      context.fillText(clock(at), place + 4, height - 4);
    }
  }
}
