// Numbers, sizes and times as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function bytes(count) {
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

export function number(value) {
  return value === null || value === undefined
    ? '–'
    : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

export function percent(share) {
  return share === null || share === undefined ? '–' : `${(100 * share).toFixed(1)} %`;
}

export function duration(millis) {
  if (millis < 10_000) {
    return `${(millis / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(millis / 1000);
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 120
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function micros(value) {
  if (value === null || value === undefined) {
    return '–';
  }
  return value < 1000 ? `${Math.round(value)} µs` : `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} ms`;
}

export function clock(millis) {
  return new Date(millis).toLocaleTimeString('en-GB');
}

/** Long ids by their beginning; the whole is in the title of where it is shown. */
export const short = (id) => String(id).slice(0, 8);

/** The names of segments. */
export const namesOf = (segments) => segments.map((segment) => segment.name).join(', ');

/** A constant as words. */
export const words = (constant) => String(constant).replaceAll('_', ' ');
