import { median } from '../drive/statistics.ts';
import type { Compared } from '../measure/rounds.ts';
import type { Waterfall } from '../measure/waterfall.ts';
import { p50, p99, rate } from './figures.ts';

const short = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(value < 100 ? 1 : 0));

/** Markdown: all measurements, one line for each subject. Milliseconds, and requests a second. */
export function writeSubjects(compared: Compared): string {
  const { latencyAt5, latencyAt20, throughputOf16, throughputOf64 } = compared;
  const lines = Object.keys(latencyAt5).map((name) => {
    const cpu = median((throughputOf16[name] ?? []).map((round) => round.cpuMsPerCall));
    const latencies = [p50(latencyAt5[name]), p99(latencyAt5[name]), p50(latencyAt20[name]), p99(latencyAt20[name])];
    const rates = [rate(throughputOf16[name]), rate(throughputOf64[name])];
    return `| ${name} | ${[...latencies, ...rates].map(short).join(' | ')} | ${cpu > 0 ? short(cpu) : ''} |`;
  });
  return [
    '| | 5/s p50 | 5/s p99 | 20/s p50 | 20/s p99 | 16 at once | 64 at once | CPU ms a call |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** Markdown: the stages of one call, with their shares of the added latency. */
export function writeWaterfall({ stages, statements }: Waterfall): string {
  const added = stages.filter(({ stage }) => stage !== 'upstream').reduce((total, { ms }) => total + ms, 0);
  const lines = stages.map(({ stage, ms }) => {
    const share = stage === 'upstream' ? '' : `${Math.round((ms / added) * 100)} %`;
    return `| ${stage} | ${ms.toFixed(1)} | ${share} |`;
  });
  const list = (names: string[]) => names.map((name) => `\`${name}\``).join(', ') || 'none';
  return [
    '| stage | ms | share of the added latency |',
    '|---|---|---|',
    ...lines,
    '',
    `Statements before the request to the upstream: ${list(statements.before)}; before the answer: ${list(statements.until)}; after the answer: ${list(statements.behind)}.`,
  ].join('\n');
}
