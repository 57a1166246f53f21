// Nodes: state, and a timeline of how long each was silent.
import { h, byId, setText, setAttribute, KeyedList } from './dom.js';
import { duration, namesOf, short } from './format.js';
import { canUndrain } from './drains.js';

const WINDOW_MILLIS = 300_000;

/** With a ping each second, a silence of so long is a gap. */
const GAP_MILLIS = 2_500;

/** The height of the timeline stands for so much. */
const FULL_MILLIS = 10_000;

/** What a node is called: its address, or its host, or its id. */
export function nodeName(client) {
  return client.address || client.host_id || short(client.node_id);
}

/** How good a state is, for colours. */
export const levelOf = (state) => ({ active: 'good', suspected: 'warn' }[state] ?? 'bad');

export class Clients {
  /** @param actions drainNode(client) and undrainNode(client) open their dialogs */
  constructor(actions) {
    this.actions = actions;
    this.known = new Map();
    this.segments = [];
    this.list = new KeyedList(byId('clients'), () => this.row());
  }

  /** The nodes as they are now; one that is gone is still shown for the length of its timeline. */
  update(clients, nowMillis) {
    const present = new Set();
    for (const client of clients) {
      present.add(client.node_id);
      this.record(client, nowMillis);
    }
    for (const [id, known] of this.known) {
      if (present.has(id)) {
        continue;
      }
      known.goneAt ??= nowMillis;
      if (nowMillis - known.goneAt > WINDOW_MILLIS) {
        this.known.delete(id);
      } else {
        this.record({ ...known.client, state: 'offline',
          silent_ms: known.silentAtEnd + nowMillis - known.goneAt, segments: 0 }, nowMillis, known.goneAt);
      }
    }
  }

  record(client, nowMillis, goneAt = null) {
    let known = this.known.get(client.node_id);
    if (!known) {
      known = { samples: [] };
      this.known.set(client.node_id, known);
    }
    known.client = client;
    known.goneAt = goneAt;
    if (goneAt === null) {
      known.silentAtEnd = client.silent_ms;
    }
    known.samples.push({ at: nowMillis, silent: client.silent_ms, state: client.state });
    while (known.samples[0].at < nowMillis - WINDOW_MILLIS) {
      known.samples.shift();
    }
  }

  get(nodeId) {
    return this.known.get(nodeId)?.client ?? null;
  }

  present() {
    return [...this.known.values()].filter((known) => known.goneAt === null).map((known) => known.client);
  }

  show(segments) {
    this.segments = segments;
    const all = [...this.known.values()].sort((a, b) =>
      nodeName(a.client).localeCompare(nodeName(b.client), 'en', { numeric: true }));
    this.list.show(all, (known) => known.client.node_id);
    byId('no-clients').hidden = all.length > 0;
  }

  row() {
    let client = null;
    const name = h('strong');
    const id = h('small');
    const state = h('span', { class: 'badge' });
    const heard = h('span', { class: 'figure' });
    const canvas = h('canvas', { width: 600, height: 40, role: 'img' });
    const longest = h('small');
    const segments = h('span');
    const drain = h('button', { type: 'button', click: () => this.actions.drainNode(client) }, 'Drain…');
    const undrain = h('button', { type: 'button', click: () => this.actions.undrainNode(client) }, 'Undrain…');
    const element = h('tr', {},
      h('th', { scope: 'row' }, name, ' ', id),
      h('td', { 'data-label': 'State' }, state),
      h('td', { 'data-label': 'Last heard' }, heard),
      h('td', { 'data-label': 'Heartbeat gaps', class: 'timeline' }, canvas, longest),
      h('td', { 'data-label': 'Segments' }, segments),
      h('td', { class: 'actions' }, drain, undrain));
    return {
      element,
      update: (known) => {
        client = known.client;
        const own = this.segments.filter((segment) => segment.node_id === client.node_id);
        setText(name, nodeName(client));
        setText(id, [client.host_id, short(client.node_id)].filter(Boolean).join(' · '));
        setAttribute(element, 'data-node', client.node_id);
        setAttribute(element, 'data-state', client.state);
        setAttribute(id, 'title', client.node_id);
        setText(state, client.state);
        setAttribute(state, 'data-level', levelOf(client.state));
        setText(heard, `${duration(client.silent_ms)} ago`);
        const names = namesOf(own);
        setText(segments, names || '–');
        const gap = Math.max(...known.samples.map((sample) => sample.silent));
        setText(longest, `longest silence ${duration(gap)}`);
        setAttribute(canvas, 'aria-label', `Longest silence of the last 5 minutes: ${duration(gap)}`);
        draw(canvas, known.samples);
        const gone = known.goneAt !== null;
        setAttribute(drain, 'aria-label', `Drain ${nodeName(client)}, that is ${names || 'nothing'}`);
        setAttribute(undrain, 'aria-label', `Undrain ${nodeName(client)}`);
        drain.hidden = gone || !own.some((segment) => segment.status === 'ok');
        undrain.hidden = gone || !own.some(canUndrain);
      },
    };
  }
}

function draw(canvas, samples) {
  const style = getComputedStyle(canvas);
  const colours = {
    good: style.getPropertyValue('--good'), warn: style.getPropertyValue('--warn'),
    bad: style.getPropertyValue('--bad'), line: style.getPropertyValue('--line'),
  };
  const context = canvas.getContext('2d');
  const { width, height } = canvas;
  const end = samples.at(-1).at;
  context.clearRect(0, 0, width, height);
  context.fillStyle = colours.line;
  context.fillRect(0, height - 1, width, 1);
  for (const sample of samples) {
    const x = width - ((end - sample.at) / WINDOW_MILLIS) * width;
    const tall = Math.max(2, Math.min(1, sample.silent / FULL_MILLIS) * height);
    context.fillStyle = sample.state !== 'active' ? colours.bad
      : sample.silent >= GAP_MILLIS ? colours.warn : colours.good;
    context.fillRect(x - 2, height - tall, 2, tall);
  }
}
