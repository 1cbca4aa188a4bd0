import type { ConsolePlan } from '../console/console-plan.ts';
import type { MeasuredConsole } from '../console/measure-console.ts';

/** The content of a file in `bench/results/console`. */
export type ConsoleResult = MeasuredConsole & {
  /** The start of the run, ISO 8601. */
  at: string;
  machine: { cpu: string; cores: number; loadBefore: number; loadAfter: number };
  plan: ConsolePlan;
};

interface Line {
  figure: string;
  found: string;
  goal: string;
  isMet: boolean;
}

const ms = (value: number): string => `${Math.round(value)} ms`;
/** Where there are several values, each has to meet the goal. */
const atMost = (figure: string, found: number | readonly number[], goal: number, unit = ms): Line => {
  const values = [found].flat();
  return {
    figure,
    found: values.map(unit).join(', '),
    goal: `≤ ${unit(goal)}`,
    isMet: values.every((value) => value <= goal),
  };
};

const lcpGoals: Record<string, number> = { login: 600, overview: 1_200, 'list of jobs': 1_000, receipt: 1_000 };
const percent = (value: number): string => `${value.toFixed(1)} %`;
const perSecond = (value: number): string => `${value.toFixed(1)}/s`;

function toLines({ loads, lists, changes, openConsoles, plan }: ConsoleResult): Line[] {
  const long = loads['receipt of 5,000 calls']!;
  const { consoles, statements } = openConsoles;
  const slowest = Object.entries(lists)
    .filter(([name]) => name !== 'all pages')
    .sort(([, one], [, other]) => other.p95 - one.p95)[0]!;
  return [
    ...Object.entries(lcpGoals).map(([name, goal]) =>
      atMost(`the ${name}: LCP, and its content is there (${plan.loads} cold loads)`, [loads[name]!.lcp, loads[name]!.content], goal),
    ),
    atMost('a job of 5,000 calls: its timeline is there', long.content, 1_500),
    atMost('… elements in the timeline', long.timelineNodes ?? Number.NaN, 800, String),
    atMost(`pages of the list of jobs, p95: all, and with the slowest filter (${slowest[0]})`, [lists['all pages']!.p95, slowest[1].p95], 100),
    ...Object.entries(changes).map(([where, { p50, slowest }]) => atMost(`from a change to the ${where}: p50, slowest`, [p50, slowest], 1_000)),
    atMost(
      `${consoles} open consoles: added to the p50 of a call (${openConsoles.without.toFixed(1)} ms)`,
      (openConsoles.with / openConsoles.without - 1) * 100,
      2,
      percent,
    ),
    ...(statements
      ? [atMost('… statements that they add, 5 calls a second', statements.with - statements.without, 1, perSecond)]
      : []),
  ]; // biome-ignore format: a table
}

const row = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;

/** Markdown: the figures with their goals. */
export const writeConsoleFigures = (result: ConsoleResult): string =>
  [
    '| figure | found | goal |',
    '|---|---|---|',
    ...toLines(result).map(({ figure, found, goal, isMet }) =>
      row([figure, found, isMet ? goal : `${goal}, **missed**`]),
    ),
  ].join('\n');
