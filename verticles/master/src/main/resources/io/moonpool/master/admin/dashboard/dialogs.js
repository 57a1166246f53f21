// Dialogs that ask before something is changed, and show what it will be.
import { h } from './dom.js';
import { bytes, namesOf, number, words } from './format.js';
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
      ? h('p', {}, 'Segment ', h('strong', {}, namesOf(chosen.segments)))
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
    h('p', {}, `${namesOf(plan.segments)} would be emptied: `
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

/** Asks whether to do something, and closes when that is done; returns where refusals are shown. */
function ask(title, content, label, action) {
  const yes = h('button', { type: 'button', class: 'primary', click: () => confirm() }, label);
  const { dialog, error } = open(title, content, yes);

  async function confirm() {
    if (await attempt(yes, error, action)) {
      dialog.close();
    }
  }

  return error;
}

/** Ends a job, when that is confirmed; shows how it is at that moment. */
export async function cancelDialog(job) {
  const path = `api/v1/drain_jobs/${encodeURIComponent(job.job_id)}`;
  const now = h('p', {}, 'Looking…');
  const error = ask(`Cancel the drain of ${subject(job)}?`, h('div', {},
    now,
    h('p', {}, 'Its segments take objects again. What has moved stays where it is.')),
  'Cancel the drain', () => post(`${path}/cancel`, {}));
  try {
    const fresh = await get(path);
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
 * @param segments those that the request means
 * @param request the body of the call
 */
export function undrainDialog(segments, request) {
  ask('Undo a drain?', h('p', {},
    h('strong', {}, namesOf(segments)),
    ' will take new objects again. What has moved stays where it is.'),
  'Undrain', () => post('api/v1/undrain', request));
}
