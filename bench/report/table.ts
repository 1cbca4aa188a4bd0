import { type Figure, goalOf, isMet } from './figures.ts';

/** Markdown, one line for each figure. What an older run has not measured is not a number, and left out. */
export function writeTable(figures: readonly Figure[]): string {
  const measured = figures.filter(({ ratio }) => !Number.isNaN(ratio));
  const lines = measured.map((figure) => {
    const { found, against, ratio } = figure;
    return `| ${figure.figure} | ${found} | ${against} | ${ratio.toFixed(2)} | ${goalOf(figure)}${isMet(figure) ? '' : ', **missed**'} |`;
  });
  return ['| figure | found | against | ratio | goal |', '|---|---|---|---|---|', ...lines].join('\n');
}
