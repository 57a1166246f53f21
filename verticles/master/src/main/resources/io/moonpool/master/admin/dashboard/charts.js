// Charts of the last quarter of an hour, drawn by uPlot.
import uPlot from './uplot.js';
import { h, byId } from './dom.js';
import { bytes, micros, number, percent } from './format.js';

const WINDOW_MILLIS = 900_000;
const HEIGHT = 190;

/** From one time on the axis to the next. */
const STEPS = [10_000, 30_000, 60_000, 120_000, 300_000, 600_000];

const CHARTS = [
  { title: 'Gets and puts a second', format: number, series: [
    { label: 'gets', of: 'gets_per_second', colour: '--c1' },
    { label: 'puts', of: 'puts_per_second', colour: '--c2' },
    { label: 'misses', of: 'get_misses_per_second', colour: '--c3' }] },
  { title: 'Time that the master takes for a call', format: micros, series: [
    { label: 'get p50', of: 'get_p50_us', colour: '--c1' },
    { label: 'get p99', of: 'get_p99_us', colour: '--c1', dash: [4, 3] },
    { label: 'put p50', of: 'put_p50_us', colour: '--c2' },
    { label: 'put p99', of: 'put_p99_us', colour: '--c2', dash: [4, 3] }] },
  { title: 'Memory', format: bytes, series: [
    { label: 'used', of: 'memory_used', colour: '--c1', fill: true },
    { label: 'capacity', of: 'memory_capacity', colour: '--c3' }] },
  { title: 'Objects', format: number, series: [
    { label: 'objects', of: 'objects', colour: '--c1', fill: true }] },
  { title: 'Hit ratio of gets', format: percent, range: [0, 1], series: [
    { label: 'hit ratio', of: 'hit_ratio', colour: '--c2', fill: true }] },
  { title: 'Evictions and failed puts a second', format: number, series: [
    { label: 'evictions', of: 'evictions_per_second', colour: '--c1' },
    { label: 'failed puts', of: 'put_failures_per_second', colour: '--c3' }] },
];

/** Writes times; with seconds only where steps are that small. */
function timeOf(step) {
  const write = uPlot.fmtDate(step < 60_000 ? '{HH}:{mm}:{ss}' : '{HH}:{mm}');
  return (millis) => write(new Date(millis));
}

export class Charts {
  constructor() {
    this.samples = [];
    this.plots = [];
    this.build();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.build());
    new ResizeObserver(() => {
      for (const { plot, box } of this.plots) {
        const width = box.clientWidth;
        if (width > 0 && width !== plot.width) {
          plot.setSize({ width, height: HEIGHT });
        }
      }
    }).observe(byId('charts'));
  }

  replace(samples) {
    this.samples = samples;
  }

  add(sample) {
    if (sample.at_ms > (this.samples.at(-1)?.at_ms ?? 0)) {
      this.samples.push(sample);
    }
    while (this.samples[0].at_ms < sample.at_ms - WINDOW_MILLIS) {
      this.samples.shift();
    }
  }

  /** Makes the charts anew, in the colours of now. */
  build() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.plots.forEach(({ plot }) => plot.destroy());
    byId('charts').replaceChildren();
    this.plots = CHARTS.map((chart) => {
      const box = h('div', { class: 'plot' });
      const caption = h('figcaption', {}, chart.title);
      byId('charts').append(h('figure', {}, caption, box));
      const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 },
        ticks: { stroke: colour('--line'), width: 1 } };
      const plot = new uPlot({
        width: Math.max(box.clientWidth, 240),
        height: HEIGHT,
        ms: 1,
        cursor: { y: false },
        scales: { y: { range: (self, low, high) => chart.range ?? [0, Math.max(high ?? 0, 1) * 1.05] } },
        axes: [
          { ...axis, space: 70, incrs: STEPS, values: (self, ticks, index, space, step) => ticks.map(timeOf(step)) },
          { ...axis, size: 70, values: (self, ticks) => ticks.map(chart.format) }],
        series: [{ value: '{HH}:{mm}:{ss}' }, ...chart.series.map((series) => ({
          label: series.label,
          stroke: colour(series.colour),
          width: 1.5,
          dash: series.dash,
          fill: series.fill ? `${colour(series.colour)}22` : undefined,
          spanGaps: false,
          points: { size: 4 },
          value: (self, value) => (value === null ? '–' : chart.format(value)),
        }))],
      }, [[], ...chart.series.map(() => [])], box);
      return { plot, box, chart };
    });
    this.show();
  }

  show() {
    const times = this.samples.map((sample) => sample.at_ms);
    for (const { plot, chart } of this.plots) {
      plot.setData([times, ...chart.series.map((series) =>
        this.samples.map((sample) => sample[series.of] ?? null))]);
    }
  }
}
