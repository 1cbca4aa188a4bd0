import { type Figure, isMet } from './figures.ts';

/** Markdown, one line a figure. */
export function writeTable(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { found, against, ratio, goal } = figure;
    const wanted = 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
    return `| ${figure.figure} | ${found} | ${against} | ${ratio.toFixed(2)} | ${wanted} | ${isMet(figure) ? 'yes' : '**no**'} |`;
  });
  return ['| figure | found | against | ratio | goal | met |', '|---|---|---|---|---|---|', ...lines].join('\n');
}
