import type { Compared } from '../measure/rounds.ts';
import { p50, rate } from './figures.ts';

const names = ['direct', 'Portkey', 'LiteLLM', 'floor: call', 'llm-call', 'floor: create-and-call', 'create-and-call'];
const gateway = new Set(['llm-call', 'create-and-call']);

const rowHeight = 24;
const labelWidth = 190;
const barWidth = 420;
const panelHeight = 40 + names.length * rowHeight;

type Panel = { title: string; unit: string; measureOf: (name: string) => number };

function drawPanel({ title, unit, measureOf }: Panel, top: number): string {
  const shown = names.map((name) => ({ name, value: measureOf(name) })).filter(({ value }) => value > 0.05);
  const longest = Math.max(...shown.map(({ value }) => value));
  const bars = shown.map(({ name, value }, row) => {
    const y = top + 28 + row * rowHeight;
    const width = Math.max(1, (barWidth * value) / longest);
    return [
      `<text x="${labelWidth - 8}" y="${y + 13}" text-anchor="end">${name}</text>`,
      `<rect x="${labelWidth}" y="${y}" width="${width.toFixed(1)}" height="17" fill="${gateway.has(name) ? '#2563eb' : '#9ca3af'}"/>`,
      `<text x="${labelWidth + width + 6}" y="${y + 13}">${value.toFixed(value < 100 ? 1 : 0)} ${unit}</text>`,
    ].join('');
  });
  return `<text x="8" y="${top + 16}" font-weight="bold">${title}</text>${bars.join('')}`;
}

/** An SVG: added latency at 5 requests a second, and throughput with 16 and 64 requests at once. */
export function drawChart({ latencyAt5, throughputOf16, throughputOf64 }: Compared): string {
  const added = (name: string) => p50(latencyAt5[name]) - p50(latencyAt5.direct);
  const panels: Panel[] = [
    { title: 'Added latency at 5 requests/s, p50 (less is better)', unit: 'ms', measureOf: added },
    // Without the stand-in alone, beside which the other bars would be too short to see. It is in the results.
    { title: 'Throughput, 16 at once', unit: '/s', measureOf: (name) => rateWithout('direct', name, throughputOf16) },
    { title: 'Throughput, 64 at once', unit: '/s', measureOf: (name) => rateWithout('direct', name, throughputOf64) },
  ];
  const height = panels.length * panelHeight;
  const body = panels.map((panel, index) => drawPanel(panel, index * panelHeight)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="${height}" viewBox="0 0 720 ${height}" font-family="sans-serif" font-size="12">
<title>Added latency and throughput of each subject</title>
<rect width="720" height="${height}" fill="white"/>
${body}
</svg>
`;
}

const rateWithout = (excluded: string, name: string, rounds: Compared['throughputOf16']): number =>
  name === excluded ? 0 : rate(rounds[name]);
