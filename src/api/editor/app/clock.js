// Times of recordings, in seconds and as people write them.

/** Formats seconds as 1:02:03.5, or with all digits, as WebVTT and SRT require. */
export function clock(seconds, isWhole = false) {
  const milliseconds = Math.max(0, Math.round(seconds * 1000));
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes, rest] = [Math.floor(milliseconds / 3600000), Math.floor(milliseconds / 60000) % 60, milliseconds % 60000];
  const [whole, part] = [two(Math.floor(rest / 1000)), String(rest % 1000).padStart(3, '0')];
  if (isWhole) return `${two(hours)}:${two(minutes)}:${whole}.${part}`;
  const fraction = part === '000' ? '' : `.${part.replace(/0+$/, '')}`;
  return hours ? `${hours}:${two(minutes)}:${whole}${fraction}` : `${minutes}:${whole}${fraction}`;
}

/** Returns the seconds of a time such as 1:02:03.5, or null if the text is not a time. */
export function secondsOf(text) {
  const parts = String(text).trim().replace(',', '.').split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d+(\.\d*)?$/.test(part))) return null;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Rounds seconds to tenths. */
export const tenths = (seconds) => Math.round(seconds * 10) / 10;
