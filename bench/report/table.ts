import { type Figure, goalOf, isMet } from './figures.ts';

/** Markdown, one line for each figure. */
export function writeTable(figures: readonly Figure[]): string {
  const lines = figures.map((figure) => {
    const { found, against, ratio } = figure;
    return `| ${figure.figure} | ${found} | ${against} | ${ratio.toFixed(2)} | ${goalOf(figure)}${isMet(figure) ? '' : ', **missed**'} |`;
  });
  return ['| figure | found | against | ratio | goal |', '|---|---|---|---|---|', ...lines].join('\n');
}
