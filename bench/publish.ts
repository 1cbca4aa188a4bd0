import { readFileSync, writeFileSync } from 'node:fs';
import { drawChart } from './report/chart.ts';
import { type ConsoleResult, writeConsoleFigures } from './report/console-figures.ts';
import { toFigures } from './report/figures.ts';
import { writeTable } from './report/table.ts';
import { writeWaterfall } from './report/waterfall-table.ts';
import type { Result } from './result.ts';

/** `npm run bench:publish -- <results.json>` writes a run into `docs/benchmarks.md` and its chart. */
const [file = ''] = process.argv.slice(2);
const page = 'docs/benchmarks.md';
const read = <Content>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as Content;

if (file.startsWith('bench/results/console/')) publishConsole(read<ConsoleResult>(file));
else publishCalls(read<Result>(file));

function publishCalls(result: Result): void {
  writeParts({
    run: runOf(result, `${result.plan.rounds} rounds of ${result.plan.seconds} s`),
    figures: writeTable(toFigures(result)),
    waterfall: writeWaterfall(result.waterfall),
  });
  writeFileSync('docs/benchmarks.svg', drawChart(result.compared));
}

function publishConsole(result: ConsoleResult): void {
  writeParts({
    'console run': runOf(result, `${result.plan.jobs} jobs`),
    'console figures': writeConsoleFigures(result),
  });
}

function runOf({ at, machine }: Pick<Result, 'at' | 'machine'>, what: string): string {
  const load = `load of the machine ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after`;
  return `${at.slice(0, 10)}, ${machine.cores} cores (${machine.cpu}), ${what}; ${load}. [\`${file}\`](../${file}).`;
}

function writeParts(parts: Record<string, string>): void {
  let text = readFileSync(page, 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const section = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    if (!section.test(text)) throw new Error(`${page} has no place for "${name}"`);
    text = text.replace(section, (_, begin: string, end: string) => `${begin}${part}\n${end}`);
  }
  writeFileSync(page, text);
}
