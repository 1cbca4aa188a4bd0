import type { Price } from '../api/types.ts';
import { shortUsd } from './money.ts';

const units = {
  max_cost_usd: (usd: number) => shortUsd(usd),
  max_tokens: (tokens: number) => `${tokens.toLocaleString('en-US')} tokens`,
  max_calls: (calls: number) => `${calls.toLocaleString('en-US')} calls`,
  deadline_seconds: (seconds: number) => `${seconds.toLocaleString('en-US')} s`,
  deadline_grace_seconds: (seconds: number) => `${seconds} s of grace`,
  default_output_tokens: (tokens: number) => `${tokens.toLocaleString('en-US')} tokens an answer`,
};

/** The caps of a budget: `$0.50, 20 calls`. A cap that is lifted is `no …`. */
export const budgetText = (budget: NonNullable<Price['budget']>): string =>
  Object.entries(units)
    .flatMap(([field, text]) => {
      const value = budget[field as keyof typeof units];
      if (value === undefined) return [];
      return value === null ? [`no ${field}`] : [text(value)];
    })
    .join(', ') || 'none';
