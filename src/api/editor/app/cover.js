// Cuts a square cover out of a picture.

import { element } from './page.js';

// Minimum and maximum size that podcast directories accept, in pixels.
const [LEAST, MOST] = [1400, 3000];

/** Asks for a part of a picture, and returns it as a file. Returns null if the person cancels. */
export async function squareOf(address, name) {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const [width, height] = [picture.naturalWidth, picture.naturalHeight];
  const canvas = element('canvas', { width: 600, height: 600, role: 'img', 'aria-label': 'Part of the picture on the cover' });
  const words = element('p', { role: 'status', class: 'soft' });
  const range = (label, value, max = 100) => {
    const input = element('input', { type: 'range', min: 0, max, value, step: 1 });
    return [element('label', {}, label, input), input];
  };
  const [sizeLabel, size] = range('Zoom', 0, 80);
  const [acrossLabel, across] = range('Horizontal position', 50);
  const [downLabel, down] = range('Vertical position', 50);
  const part = () => {
    const side = Math.round(Math.min(width, height) * (1 - size.value / 100));
    return [Math.round(((width - side) * across.value) / 100), Math.round(((height - side) * down.value) / 100), side];
  };
  const draw = (onto) => {
    const [x, y, side] = part();
    const context = onto.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, onto.width, onto.height);
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, x, y, side, side, 0, 0, onto.width, onto.height);
    return side;
  };
  const show = () => {
    const side = draw(canvas);
    words.textContent = side < LEAST ? `${side} × ${side} pixels: podcast directories require at least ${LEAST} × ${LEAST}.` : `${Math.min(side, MOST)} × ${Math.min(side, MOST)} pixels`;
  };
  for (const input of [size, across, down]) input.addEventListener('input', show);
  let grabbed = null;
  canvas.addEventListener('pointerdown', (event) => {
    grabbed = [event.clientX, event.clientY, Number(across.value), Number(down.value)];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!grabbed) return;
    const [, , side] = part();
    const scale = (side / canvas.clientWidth) * 100;
    if (width > side) across.value = grabbed[2] - ((event.clientX - grabbed[0]) * scale) / (width - side);
    if (height > side) down.value = grabbed[3] - ((event.clientY - grabbed[1]) * scale) / (height - side);
    show();
  });
  canvas.addEventListener('pointerup', () => (grabbed = null));
  show();
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', { id: 'cover-title' }, 'Crop to a square'),
    canvas,
    words,
    sizeLabel,
    acrossLabel,
    downLabel,
    element('div', { class: 'tools' }, element('button', { value: 'cut' }, 'Crop'), element('button', { value: '', class: 'quiet', formnovalidate: '' }, 'Cancel')),
  );
  const dialog = element('dialog', { class: 'cover', 'aria-labelledby': 'cover-title' }, form);
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener('close', done, { once: true }));
  dialog.remove();
  if (dialog.returnValue !== 'cut') return null;
  const side = Math.min(part()[2], MOST);
  const whole = element('canvas', { width: side, height: side });
  draw(whole);
  const bytes = await new Promise((done) => whole.toBlob(done, 'image/jpeg', 0.9));
  return new File([bytes], `${name.replace(/\.[^.]+$/, '')}-square.jpg`, { type: 'image/jpeg', lastModified: Date.now() });
}
