import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { drawChart } from './report/chart.ts';
import { figuresOf } from './report/figures.ts';
import { writeRuns } from './report/runs-table.ts';
import { writeSubjects, writeWaterfall } from './report/subjects-table.ts';
import { writeTable } from './report/table.ts';
import type { Result } from './result.ts';

/** `npm run bench:publish -- <results.json>` writes a run into `docs/benchmarks.md` and its chart, beside all stored runs. */
const [file = ''] = process.argv.slice(2);
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Result;
const result = read(file);
const stored = readdirSync('bench/results').map((name) => read(`bench/results/${name}`));
const page = 'docs/benchmarks.md';

const { machine, plan, at } = result;
const parts: Record<string, string> = {
  run: `${at.slice(0, 10)}, ${machine.cores} cores (${machine.cpu}), ${plan.rounds} rounds of ${plan.seconds} s; load of the machine ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after. [\`${file}\`](../${file}).`,
  figures: writeTable(figuresOf(result)),
  runs: writeRuns(stored),
  subjects: writeSubjects(result.compared),
  waterfall: writeWaterfall(result.waterfall),
};

let text = readFileSync(page, 'utf8');
for (const [name, part] of Object.entries(parts)) {
  const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (!place.test(text)) throw new Error(`${page} has no place for "${name}"`);
  text = text.replace(place, (_, begin: string, end: string) => `${begin}${part}\n${end}`);
}
writeFileSync(page, text);
writeFileSync('docs/benchmarks.svg', drawChart(result.compared));
