import type { Waterfall } from '../measure/waterfall.ts';

/** Markdown: the stages of one call, with their shares of the added latency. */
export function writeWaterfall({ stages, beside = [], statements }: Waterfall): string {
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
    ...(beside.length > 0
      ? [
          `Beside it, from the record on: ${beside.map(({ stage, ms }) => `${stage}, ${ms.toFixed(1)} ms`).join('; ')}.`,
          '',
        ]
      : []),
    `Statements before the request to the upstream: ${list(statements.before)}; before the answer: ${list(statements.until)}; after the answer: ${list(statements.behind)}.`,
  ].join('\n');
}
