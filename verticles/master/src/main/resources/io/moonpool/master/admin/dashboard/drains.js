// Drain jobs: how far they are, what they wait for, how they ended.
import { h, byId, setText, setAttribute, KeyedList } from './dom.js';
import { bytes, clock, duration, namesOf, number, words } from './format.js';

const SHOWN = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ENDED = ['succeeded', 'failed', 'canceled'];

export const isLive = (job) => !ENDED.includes(job.status);

/** Whether a segment takes no objects since it is drained, which can be undone. */
export const canUndrain = (segment) => ['draining', 'drained'].includes(segment.status);

/** What a job drains, in words. */
export function subject(job) {
  if (job.request.node && !UUID.test(job.request.node)) {
    return job.request.node;
  }
  const { segments } = job;
  return segments.length > 4
    ? `${namesOf(segments.slice(0, 3))} and ${segments.length - 3} more`
    : namesOf(segments) || job.request.node || 'nothing';
}

export class Drains {
  /** @param actions cancel(job) and undrainJob(job) open their dialogs */
  constructor(actions) {
    this.actions = actions;
    this.jobs = new Map();
    this.drained = new Set();
    this.list = new KeyedList(byId('drains'), () => this.card());
  }

  replace(jobs) {
    this.jobs = new Map(jobs.map((job) => [job.job_id, job]));
  }

  /** One job as it is now; an older word of it than we have is left out. */
  update(job) {
    const known = this.jobs.get(job.job_id);
    if (!known || isLive(known)) {
      this.jobs.set(job.job_id, job);
    }
  }

  live() {
    return [...this.jobs.values()].filter(isLive);
  }

  /** @param segments as they are: what is still drained can be undrained */
  show(segments) {
    this.drained = new Set(segments.filter(canUndrain).map((segment) => segment.id));
    const sorted = [...this.jobs.values()]
      .sort((a, b) => isLive(b) - isLive(a) || b.created_at_ms - a.created_at_ms)
      .slice(0, SHOWN);
    this.list.show(sorted, (job) => job.job_id);
    byId('no-drains').hidden = sorted.length > 0;
  }

  card() {
    let job = null;
    const title = h('h3');
    const status = h('span', { class: 'badge' });
    const progress = h('progress', { max: 1 });
    const figures = h('p');
    const message = h('p', { class: 'message' });
    const summary = h('summary');
    const reasons = h('ul');
    const blocked = h('details', {}, summary, reasons);
    const when = h('small');
    const cancel = h('button', { type: 'button', click: () => this.actions.cancel(job) }, 'Cancel…');
    const undrain = h('button', { type: 'button', click: () => this.actions.undrainJob(job) }, 'Undrain…');
    const element = h('article', { class: 'job' },
      h('div', { class: 'title' }, title, status, h('div', { class: 'actions' }, cancel, undrain)),
      progress, figures, message, blocked, when);
    return {
      element,
      update: (now) => {
        job = now;
        const live = isLive(job);
        const done = job.succeeded_units + job.dropped_units + job.gone_units;
        const all = done + job.remaining_units;
        const share = job.status === 'succeeded' ? 1 : all > 0 ? done / all : 0;
        setAttribute(element, 'data-job', job.job_id);
        setAttribute(element, 'data-status', job.status);
        setText(title, subject(job));
        setAttribute(title, 'title', namesOf(job.segments));
        setText(status, job.status);
        setAttribute(status, 'data-level',
          job.status === 'succeeded' ? 'good' : job.status === 'failed' ? 'bad' : 'warn');
        progress.value = share;
        progress.hidden = job.status === 'canceled';
        setAttribute(progress, 'aria-label', `${Math.round(100 * share)} % of ${subject(job)} drained`);
        setText(figures, sentence(job, share, live));
        setText(message, job.message);
        message.hidden = !job.message;
        const remains = live ? '' : left(job);
        blocked.hidden = job.blocked.length === 0 && (live ? job.blocked_units === 0 : remains === '');
        setText(summary, live
          ? `${number(job.blocked_units)} objects wait, ${number(job.failed_units)} failed`
          : remains || 'Objects that waited or failed');
        if (!live && job.status === 'failed' && element.dataset.opened === undefined) {
          element.dataset.opened = '';
          blocked.open = true;
        }
        reasons.replaceChildren(...job.blocked.map((unit) =>
          h('li', {}, h('code', {}, unit.key),
            unit.tenant === 'default' ? null : ` of ${unit.tenant}`, ': ', words(unit.reason))));
        setText(when, `started ${clock(job.created_at_ms)}` + (live ? '' : `, ended ${clock(job.updated_at_ms)}`));
        setAttribute(cancel, 'aria-label', `Cancel the drain of ${subject(job)}`);
        setAttribute(undrain, 'aria-label', `Undo the drain of ${subject(job)}`);
        cancel.hidden = !live;
        undrain.hidden = live || !job.segments.some((segment) => this.drained.has(segment.id));
      },
    };
  }
}

const objects = (count) => `${number(count)} ${count === 1 ? 'object' : 'objects'}`;

/** What a job that ended before all was done has left; why is in its message. Empty: nothing. */
function left(job) {
  const count = Math.max(job.failed_units, job.remaining_units - job.lost_units);
  const parts = [];
  if (count > 0) {
    const all = `${objects(count)} ${count === 1 ? 'is' : 'are'} left`;
    parts.push(job.failed_units === 0 ? all
      : `${all}: ${number(job.failed_units)} failed in all tries, ${number(count - job.failed_units)} had not moved yet`);
  }
  if (job.lost_units > 0) {
    parts.push(`${objects(job.lost_units)} ${job.lost_units === 1 ? 'was' : 'were'} still there when the node went away`);
  }
  return parts.join('; ');
}

function sentence(job, share, live) {
  const parts = [`${Math.round(100 * share)} %`,
    `${number(job.succeeded_units)} objects moved, ${bytes(job.migrated_bytes)}`];
  if (job.dropped_units > 0) {
    parts.push(`${number(job.dropped_units)} given up, since every other segment has them`);
  }
  if (live) {
    parts.push(`${number(job.remaining_units)} left, ${number(job.active_units)} under way`);
    parts.push(`${number(job.units_per_second)} objects and ${bytes(job.bytes_per_second)} a second`);
    parts.push(job.remaining_ms === undefined ? 'time left unknown' : `${duration(job.remaining_ms)} left`);
    if (job.rehoming_units > 0) {
      parts.push(`${number(job.rehoming_units)} to be written to their new disk`);
    }
  }
  return parts.join(' · ');
}
