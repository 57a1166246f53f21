// The dashboard: follows the master's events and shows them.
import { follow, get, hasToken, setToken, Refusal } from './api.js';
import { h, byId, setText } from './dom.js';
import { bytes, number, percent } from './format.js';
import { Charts } from './charts.js';
import { Clients } from './clients.js';
import { Segments } from './segments.js';
import { Drains } from './drains.js';
import { Events } from './events.js';
import { cancelDialog, drainDialog, undrainDialog } from './dialogs.js';

/** What changed is shown at most so often. */
const SHOW_MILLIS = 250;

const clients = new Clients({
  drainNode: (node) => drainDialog(clients.present(), { node }),
  undrainNode: (node) => undrainDialog(
    segments.all.filter((segment) => segment.node_id === node.node_id),
    { node: node.node_id }),
});
const segments = new Segments({
  drainSegment: (segment) => drainDialog(clients.present(), { segments: [segment] }),
  undrainSegment: (segment) => undrainDialog([segment], { segments: [segment.id] }),
}, clients);
const drains = new Drains({
  cancel: cancelDialog,
  undrainJob: (job) => undrainDialog(job.segments,
    { segments: job.segments.map((segment) => segment.id) }),
});
const events = new Events(clients);
let charts = null;
let latest = null;
let stop = null;
let showTimer = null;
let chartsChanged = false;

function received(name, data) {
  switch (name) {
    case 'hello':
      setText(byId('cluster'), data.cluster_id);
      document.title = `Moonpool ${data.cluster_id}`;
      setText(byId('footer'), `Moonpool ${data.version}, master epoch ${data.master_epoch}`);
      charts.replace(data.figures.samples);
      latest = data.figures.samples.at(-1) ?? latest;
      chartsChanged = true;
      events.replace(data.events);
      break;
    case 'figures':
      charts.add(data);
      latest = data;
      chartsChanged = true;
      break;
    case 'clients':
      clients.update(data.clients, Date.now());
      break;
    case 'segments':
      segments.update(data.segments);
      break;
    case 'jobs':
      drains.replace(data.jobs);
      break;
    case 'drain':
      drains.update(data.job);
      events.add(name, data);
      break;
    default:
      events.add(name, data);
  }
  showTimer ??= setTimeout(show, SHOW_MILLIS);
}

function show() {
  showTimer = null;
  summary();
  clients.show(segments.all);
  segments.show();
  drains.show(segments.all);
  if (chartsChanged) {
    chartsChanged = false;
    charts.show();
  }
}

const tiles = new Map();

function tile(label, value, note, level = '') {
  let box = tiles.get(label);
  if (!box) {
    box = { value: h('strong'), note: h('small') };
    box.element = h('div', { class: 'tile', 'data-tile': label }, h('span', {}, label), box.value, box.note);
    tiles.set(label, box);
    byId('summary').append(box.element);
  }
  setText(box.value, value);
  setText(box.note, note);
  box.element.dataset.level = level;
}

function summary() {
  const present = clients.present();
  const active = present.filter((client) => client.state === 'active').length;
  tile('Clients', number(present.length), `${number(active)} active`, active < present.length ? 'warn' : '');
  const disks = segments.all.filter((segment) => segment.kind === 'local_disk');
  const memory = segments.all.filter((segment) => segment.kind !== 'local_disk');
  for (const [label, some] of [['Memory', memory], ['Disk', disks]]) {
    const size = some.reduce((sum, segment) => sum + segment.size, 0);
    const used = some.reduce((sum, segment) => sum + segment.used, 0);
    tile(label, size ? percent(used / size) : '–', size ? `${bytes(used)} of ${bytes(size)}` : 'none');
  }
  const draining = segments.all.filter((segment) => segment.status === 'draining').length;
  tile('Draining', number(drains.live().length),
    `jobs; ${number(draining)} segments`, draining ? 'warn' : '');
  if (latest) {
    tile('Objects', number(latest.objects), `${number(latest.evictions_per_second)} evicted a second`);
    tile('Gets', `${number(latest.gets_per_second)}/s`, `hit ratio ${percent(latest.hit_ratio)}`);
    tile('Puts', `${number(latest.puts_per_second)}/s`,
      `${number(latest.put_failures_per_second)} failed a second`, latest.put_failures_per_second ? 'warn' : '');
  }
  const banner = byId('banner');
  banner.hidden = !latest?.offline_held;
  if (latest?.offline_held) {
    setText(banner, 'Nodes that are not heard from are kept from going offline, since it looks as if the network'
      + ' to them were cut. If they are gone, say so: moonpool client confirm-offline');
  }
}

function connection(state, failure) {
  const line = byId('connection');
  line.dataset.state = state;
  setText(line, { connecting: 'Connecting…', live: 'Live', lost: 'Not connected, trying again…',
    refused: 'Not logged in' }[state]);
  if (state === 'refused') {
    login(hasToken() ? 'This token is not the master\'s admin_token.' : '');
    if (failure) {
      setToken('');
    }
  }
}

function start() {
  stop?.();
  byId('login').hidden = true;
  byId('main').hidden = false;
  byId('logout').hidden = !hasToken();
  charts ??= new Charts();
  stop = follow('api/v1/events', received, connection);
}

function login(message) {
  stop?.();
  stop = null;
  byId('main').hidden = true;
  byId('logout').hidden = true;
  byId('login').hidden = false;
  setText(byId('login-error'), message);
  byId('token').focus();
}

byId('login').addEventListener('submit', (event) => {
  event.preventDefault();
  setToken(byId('token').value.trim());
  byId('token').value = '';
  begin();
});

byId('logout').addEventListener('click', () => {
  setToken('');
  location.reload();
});

byId('drain').addEventListener('click', () => drainDialog(clients.present()));

const THEMES = ['system', 'light', 'dark'];

function theme(name) {
  if (name === 'system') {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = name;
  }
  byId('theme').setAttribute('aria-label',
    `Colours: ${name === 'system' ? 'as the system has them' : name}`);
  byId('theme').title = byId('theme').getAttribute('aria-label');
  localStorage.setItem('moonpool.theme', name);
  charts?.build();
}

byId('theme').addEventListener('click', () => {
  const now = localStorage.getItem('moonpool.theme') ?? 'system';
  theme(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
});

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('main').hidden
    || document.querySelector('dialog[open]') || event.target.closest('input, select, textarea')) {
    return;
  }
  const panel = ['h-clients', 'h-drains', 'h-segments', 'h-charts', 'h-events'][Number(event.key) - 1];
  if (panel) {
    event.preventDefault();
    byId(panel).scrollIntoView();
    byId(panel).focus({ preventScroll: true });
  } else if (event.key === 'd') {
    event.preventDefault();
    drainDialog(clients.present());
  }
});

/** Asks for the token first when the master wants one; a stream that is refused says the same later. */
async function begin() {
  try {
    await get('api/v1/cluster');
  } catch (failure) {
    if (failure instanceof Refusal && failure.status === 401) {
      connection('refused', failure);
      return;
    }
  }
  start();
}

const chosen = localStorage.getItem('moonpool.theme');
theme(THEMES.includes(chosen) ? chosen : 'system');
begin();
