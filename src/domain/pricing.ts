import Big from 'big.js';

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
}

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/** USD per million tokens, exact decimals. Null where no price was given. */
export interface Price {
  inputPerMillion: string | null;
  outputPerMillion: string | null;
}

const decimal = /^\d{1,30}(\.\d{1,60})?(e[+-]?\d{1,2})?$/i;

/** No call costs this many dollars: a higher figure is the upstream's mistake, and would be the team's bill. */
const absurdUsd = 1_000_000;

/** The upstream's own figure for its cost, if it is a number that can be kept: not negative, not NaN, not absurd. */
export function reportedCost(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!decimal.test(text)) return undefined;
  const cost = Big(text);
  return cost.lt(absurdUsd) ? cost.toFixed() : undefined;
}

/** USD for these tokens, exact; undefined when there is no price at all. */
export function costOfTokens(usage: TokenUsage, { inputPerMillion, outputPerMillion }: Price): string | undefined {
  if (inputPerMillion === null && outputPerMillion === null) return undefined;
  const input = Big(inputPerMillion ?? 0).times(usage.promptTokens);
  const output = Big(outputPerMillion ?? 0).times(usage.completionTokens);
  return input.plus(output).times('0.000001').toFixed();
}

/** Exact, unlike a sum of floats. */
export const sumOf = (costsUsd: readonly string[]): string =>
  costsUsd.reduce((total, cost) => total.plus(cost), Big(0)).toFixed();

/** To twelve decimal places of a dollar; 0 if there is nothing to average. */
export const averageOf = (totalUsd: string, count: number): string =>
  count === 0 ? '0' : Big(totalUsd).div(count).round(12).toFixed();
