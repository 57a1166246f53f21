// Segments: what is used of each, and whether it takes objects.
import { h, byId, setText, setAttribute, KeyedList } from './dom.js';
import { bytes, percent, words, short } from './format.js';
import { nodeName } from './clients.js';
import { canUndrain } from './drains.js';

export class Segments {
  /** @param actions drainSegment(segment) and undrainSegment(segment) open their dialogs */
  constructor(actions, clients) {
    this.actions = actions;
    this.clients = clients;
    this.all = [];
    this.list = new KeyedList(byId('segments'), () => this.row());
  }

  update(segments) {
    this.all = segments;
  }

  show() {
    const sorted = [...this.all].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    this.list.show(sorted, (segment) => segment.generation);
    byId('no-segments').hidden = sorted.length > 0;
  }

  row() {
    let segment = null;
    const name = h('strong');
    const kind = h('span');
    const node = h('span');
    const status = h('span', { class: 'badge' });
    const used = h('progress', { max: 1 });
    const figures = h('small');
    const drain = h('button', { type: 'button', click: () => this.actions.drainSegment(segment) }, 'Drain…');
    const undrain = h('button', { type: 'button', click: () => this.actions.undrainSegment(segment) }, 'Undrain…');
    const element = h('tr', {},
      h('th', { scope: 'row' }, name),
      h('td', { 'data-label': 'Kind' }, kind),
      h('td', { 'data-label': 'Node' }, node),
      h('td', { 'data-label': 'Status' }, status),
      h('td', { 'data-label': 'Used', class: 'used' }, used, ' ', figures),
      h('td', { class: 'actions' }, drain, undrain));
    return {
      element,
      update: (now) => {
        segment = now;
        const client = this.clients.get(segment.node_id);
        const share = segment.size > 0 ? segment.used / segment.size : 0;
        setText(name, segment.name);
        setAttribute(name, 'title', segment.id);
        setAttribute(element, 'data-segment', segment.name);
        setAttribute(element, 'data-status', segment.status);
        setText(kind, segment.kind === 'local_disk' ? 'disk' : segment.kind);
        setText(node, client ? nodeName(client) : short(segment.node_id));
        const reachable = segment.owner_state === 'active';
        setText(status, words(segment.status) + (reachable ? '' : ', node not heard'));
        setAttribute(status, 'data-level', !reachable ? 'bad' : segment.status === 'ok' ? 'good' : 'warn');
        used.value = share;
        setAttribute(used, 'aria-label', `${percent(share)} of ${segment.name} used`);
        setText(figures, `${bytes(segment.used)} of ${bytes(segment.size)}, ${percent(share)}`);
        setAttribute(drain, 'aria-label', `Drain segment ${segment.name}`);
        setAttribute(undrain, 'aria-label', `Undrain segment ${segment.name}`);
        drain.hidden = segment.status !== 'ok';
        undrain.hidden = !canUndrain(segment);
      },
    };
  }
}
