// What happened, the newest first.
import { h, byId } from './dom.js';
import { bytes, clock, duration, short, words } from './format.js';
import { levelOf, nodeName } from './clients.js';
import { subject } from './drains.js';

const SHOWN = 200;

export class Events {
  constructor(clients) {
    this.clients = clients;
    this.all = [];
  }

  replace(events) {
    this.all = [...events].reverse();
    byId('events').replaceChildren(...this.all.map((event) => this.item(event)));
    byId('no-events').hidden = this.all.length > 0;
  }

  add(kind, data) {
    if (data.event === 'progress') {
      return;
    }
    byId('events').prepend(this.item({ kind, data }));
    while (byId('events').children.length > SHOWN) {
      byId('events').lastElementChild.remove();
    }
    byId('no-events').hidden = true;
  }

  item({ kind, data }) {
    const [text, level] = this.sentence(kind, data);
    return h('li', { 'data-level': level, 'data-kind': kind, 'data-event': data.event },
      h('time', {}, clock(data.at_ms)), ' ', text);
  }

  node(id) {
    const client = this.clients.get(id);
    return client ? nodeName(client) : short(id);
  }

  sentence(kind, data) {
    if (kind === 'client') {
      switch (data.event) {
        case 'registered':
          return [`Node ${data.address || short(data.node_id)} registered`, 'good'];
        case 'liveness':
          return [`Node ${this.node(data.node_id)} went from ${data.from} to ${data.to}`
            + ` after ${duration(data.silent_ms)} of silence`, levelOf(data.to)];
        case 'offline_breaker':
          return data.holding
            ? [`${data.clients} nodes are kept from going offline (${data.reason})`, 'bad']
            : ['Nodes are no longer kept from going offline', 'good'];
      }
    } else if (kind === 'segment') {
      const { name, status, owner_state: owner, size } = data.segment;
      switch (data.event) {
        case 'mounted':
          return [`Segment ${name} mounted, ${bytes(size)}`, 'good'];
        case 'unmounted':
          return [`Segment ${name} unmounted`, 'warn'];
        case 'status':
          return [`Segment ${name} is now ${words(status)}`, status === 'ok' ? 'good' : 'warn'];
        case 'owner':
          return [`Segment ${name}: its node is ${owner}`, owner === 'active' ? 'good' : 'bad'];
      }
      return [`Segment ${name}: ${words(data.event)}`, ''];
    } else if (kind === 'drain') {
      const { status, message } = data.job;
      return [`Drain of ${subject(data.job)}: ${status}${message ? `, ${message}` : ''}`,
        { succeeded: 'good', failed: 'bad' }[status] ?? ''];
    }
    return [`${kind}: ${words(data.event)}`, ''];
  }
}
