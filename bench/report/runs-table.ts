import type { Result } from '../result.ts';
import { goalOf, p50, toFigures } from './figures.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Markdown: the ratios of all runs, oldest first, one line each. */
export function writeRuns(results: readonly Result[]): string {
  const ratios = (result: Result) => toFigures(result).filter(({ short }) => short !== undefined);
  const inOrder = results.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const lines = inOrder.map((result) => {
    const { latencyAt5 } = result.compared;
    const floorMs = p50(latencyAt5['floor: call']) - p50(latencyAt5.direct);
    return [
      result.at.slice(0, 16).replace('T', ' '),
      floorMs.toFixed(1),
      ...ratios(result).map(({ ratio }) => (Number.isNaN(ratio) ? '' : ratio.toFixed(2))),
    ];
  });
  const columns = ratios(inOrder.at(-1)!);
  const headings = ['start, UTC', 'floor, ms', ...columns.map(({ short }) => short!)];
  return [headings, headings.map(() => '---'), ['goal', '', ...columns.map(goalOf)], ...lines].map(row).join('\n');
}
