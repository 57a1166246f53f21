// Dialogs that ask before something is changed, and show what it will be.
import { h } from './dom.js';
import { bytes, number, words } from './format.js';
import { get, post } from './api.js';
import { nodeName } from './clients.js';
import { subject } from './drains.js';

const MIB = 1024 * 1024;

/** Opens a dialog; it closes with Escape, with its close button, and when its work is done. */
function open(title, content, buttons) {
  const cancel = h('button', { type: 'button', click: () => dialog.close() }, 'Close');
  const error = h('p', { class: 'error', role: 'alert' });
  const dialog = h('dialog', { 'aria-label': title, close: () => dialog.remove() },
    h('h2', {}, title), content, error, h('div', { class: 'buttons' }, cancel, buttons));
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, error };
}

/** Does something that may be refused, once at a time, and says why it was. */
async function attempt(button, error, action) {
  button.disabled = true;
  error.textContent = '';
  try {
    return await action();
  } catch (failure) {
    error.textContent = failure.message;
    return null;
  } finally {
    button.disabled = false;
  }
}

/**
 * Plans a drain and, when that is confirmed, starts it.
 *
 * @param clients the nodes to choose from
 * @param chosen {node: client} or {segments: [segment]} or nothing
 */
export function drainDialog(clients, chosen = {}) {
  const node = h('select', { id: 'drain-node' }, ...clients.map((client) => h('option',
    { value: client.node_id, selected: chosen.node?.node_id === client.node_id },
    `${nodeName(client)}${client.host_id ? `, host ${client.host_id}` : ''}`)));
  const concurrency = h('input', { id: 'drain-concurrency', type: 'number', min: 1, max: 1024, value: 4 });
  const rate = h('input', { id: 'drain-rate', type: 'number', min: 0, value: 0 });
  const plan = h('div', { class: 'plan', 'aria-live': 'polite' });
  const start = h('button', { type: 'submit', class: 'primary', disabled: true }, 'Start the drain');
  const form = h('form', { id: 'drain-form', submit: confirm },
    chosen.segments
      ? h('p', {}, 'Segment ', h('strong', {}, chosen.segments.map((segment) => segment.name).join(', ')))
      : h('p', {}, h('label', { for: 'drain-node' }, 'Node '), node),
    h('p', {}, h('label', { for: 'drain-concurrency' }, 'Objects at one time '), concurrency),
    h('p', {}, h('label', { for: 'drain-rate' }, 'At most, MiB a second (0: as fast as it goes) '), rate),
    plan);
  start.setAttribute('form', 'drain-form');
  const { dialog, error } = open('Drain', form, start);
  let latest = 0;

  function request() {
    const source = chosen.segments
      ? { segments: chosen.segments.map((segment) => segment.id) }
      : { node: node.value };
    return { ...source, max_concurrency: concurrency.valueAsNumber || 4,
      max_bytes_per_second: Math.round((rate.valueAsNumber || 0) * MIB) };
  }

  async function show() {
    const mine = ++latest;
    start.disabled = true;
    error.textContent = '';
    plan.replaceChildren('Planning…');
    try {
      const answer = await post('api/v1/drain_jobs', { ...request(), plan: true });
      if (mine === latest) {
        plan.replaceChildren(...planned(answer));
        start.disabled = false;
      }
    } catch (failure) {
      if (mine === latest) {
        plan.replaceChildren();
        error.textContent = failure.message;
      }
    }
  }

  async function confirm(event) {
    event.preventDefault();
    if (await attempt(start, error, () => post('api/v1/drain_jobs', request()))) {
      dialog.close();
    }
  }

  node.addEventListener('change', show);
  if (clients.length === 0 && !chosen.segments) {
    error.textContent = 'No node is registered.';
  } else {
    show();
  }
}

function planned(plan) {
  const warnings = [];
  if (plan.no_room_bytes > 0) {
    warnings.push(`${bytes(plan.no_room_bytes)} find no room now: the drain waits until there is some.`);
  }
  if (plan.blocked_units > 0) {
    warnings.push(`${number(plan.blocked_units)} objects could not move now.`);
  }
  return [
    h('h3', {}, 'What would be done'),
    h('p', {}, `${plan.segments.map((segment) => segment.name).join(', ')} would be emptied: `
      + `${number(plan.units)} objects of ${bytes(plan.bytes)} move`
      + (plan.disk_units > 0 ? `, ${number(plan.disk_units)} of them read from disk` : '')
      + (plan.dropped_units > 0 ? `; ${number(plan.dropped_units)} replicas are given up` : '') + '.'),
    ...warnings.map((warning) => h('p', { class: 'warning' }, warning)),
    plan.targets.length === 0
      ? h('p', { class: 'warning' }, 'No other segment takes objects.')
      : h('table', {},
        h('thead', {}, h('tr', {}, ...['Goes to', 'About', 'Room'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', {}, ...plan.targets.map((target) => h('tr', {},
          h('th', { scope: 'row' }, target.name),
          h('td', { 'data-label': 'About' }, bytes(target.expected_bytes)),
          h('td', { 'data-label': 'Room' }, bytes(target.room_bytes)))))),
    plan.blocked.length === 0 ? null : h('ul', {}, ...plan.blocked.map((unit) =>
      h('li', {}, h('code', {}, unit.key), ': ', words(unit.reason)))),
    h('p', {}, 'The segments take no new objects from then on, and stay readable.'),
  ].filter(Boolean);
}

/** Ends a job, when that is confirmed; shows how it is at that moment. */
export async function cancelDialog(job) {
  const yes = h('button', { type: 'button', class: 'primary', click: () => confirm() }, 'Cancel the drain');
  const now = h('p', {}, 'Looking…');
  const { dialog, error } = open(`Cancel the drain of ${subject(job)}?`, h('div', {},
    now,
    h('p', {}, 'Its segments take objects again. What has moved stays where it is.')), yes);

  async function confirm() {
    if (await attempt(yes, error, () => post(`api/v1/drain_jobs/${encodeURIComponent(job.job_id)}/cancel`, {}))) {
      dialog.close();
    }
  }

  try {
    const fresh = await get(`api/v1/drain_jobs/${encodeURIComponent(job.job_id)}`);
    now.textContent = `It is ${fresh.status}: ${number(fresh.succeeded_units)} objects have moved, `
      + `${number(fresh.remaining_units)} are left.`;
  } catch (failure) {
    now.textContent = '';
    error.textContent = failure.message;
  }
}

/**
 * Has segments take objects again, when that is confirmed.
 *
 * @param names of the segments, for people
 * @param request the body of the call
 */
export function undrainDialog(names, request) {
  const yes = h('button', { type: 'button', class: 'primary', click: () => confirm() }, 'Undrain');
  const { dialog, error } = open('Undo a drain?', h('p', {},
    h('strong', {}, names.join(', ')),
    ' will take new objects again. What has moved stays where it is.'), yes);

  async function confirm() {
    if (await attempt(yes, error, () => post('api/v1/undrain', request))) {
      dialog.close();
    }
  }
}
