import Big from 'big.js';

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  /** The cached tokens of the prompt, as the upstream reported them; absent if it reported none. */
  cachedTokens?: number;
  /** The tokens of the prompt that were written to the cache of the provider; absent if it reported none. */
  cacheWriteTokens?: number;
  /** The reasoning tokens of the completion, as the upstream reported them; absent if it reported none. */
  reasoningTokens?: number;
}

export const noTokens: TokenUsage = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

/** USD per million tokens, exact decimals. Null if no price is configured. */
export interface Price {
  inputPerMillion: string | null;
  outputPerMillion: string | null;
  /** Of tokens of the prompt that were read from the cache, and that were written to it. Absent or null: the input price. */
  cachedInputPerMillion?: string | null;
  cacheWritePerMillion?: string | null;
}

const decimal = /^\d{1,30}(\.\d{1,60})?(e[+-]?\d{1,2})?$/i;

/** No call costs this many dollars: a higher figure is an error of the upstream, and the team would have to pay it. */
const implausibleUsd = 1_000_000;

/** The cost that the upstream reports, as an exact decimal; undefined unless it is a plausible number. */
export function reportedCost(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!decimal.test(text)) return undefined;
  const cost = Big(text);
  return cost.lt(implausibleUsd) ? cost.toFixed() : undefined;
}

/** The exact cost of these tokens in USD; undefined if there is no price at all. */
export function costOfTokens(usage: TokenUsage, price: Price): string | undefined {
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion } = price;
  if (inputPerMillion === null && outputPerMillion === null) return undefined;
  const { cached, written, others } = partsOfPrompt(usage);
  const ofInput = inputPerMillion ?? 0;
  return Big(ofInput)
    .times(others)
    .plus(Big(cachedInputPerMillion ?? ofInput).times(cached))
    .plus(Big(cacheWritePerMillion ?? ofInput).times(written))
    .plus(Big(outputPerMillion ?? 0).times(usage.completionTokens))
    .times('0.000001')
    .toFixed();
}

/** The tokens of the prompt by their prices. No more than the prompt has, whatever the upstream reports. */
function partsOfPrompt({ promptTokens, cachedTokens = 0, cacheWriteTokens = 0 }: TokenUsage) {
  const cached = Math.min(cachedTokens, promptTokens);
  const written = Math.min(cacheWriteTokens, promptTokens - cached);
  return { cached, written, others: promptTokens - cached - written };
}

/** The exact sum, unlike one of floats. */
export const sumUsd = (costsUsd: readonly string[]): string =>
  costsUsd.reduce((total, cost) => total.plus(cost), Big(0)).toFixed();

/** The average, rounded to twelve decimal places of a dollar; 0 for a count of 0. */
export const averageUsd = (totalUsd: string, count: number): string =>
  count === 0 ? '0' : Big(totalUsd).div(count).round(12).toFixed();
