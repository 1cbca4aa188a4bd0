import Big from 'big.js';
import { z } from 'zod';
import { reportedCost, type TokenUsage } from '../../domain/pricing.ts';

const maxTokenCount = 1_000_000_000;
const numberAsText = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);

const count = z
  .union([z.number(), numberAsText])
  .pipe(z.number().nonnegative().max(maxTokenCount).transform(Math.round));

/** A count of tokens; 0 for everything else. */
const tokens = count.catch(0).default(0);
/** Undefined where the upstream reports none. */
const knownTokens = count.optional().catch(undefined);
const promptDetails = z
  .object({ cached_tokens: knownTokens, cache_creation_tokens: knownTokens, cache_write_tokens: knownTokens })
  .nullish()
  .catch(undefined);
const completionDetails = z.object({ reasoning_tokens: knownTokens }).nullish().catch(undefined);

export const Usage = z
  .object({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    total_tokens: tokens,
    // The names of OpenAI's newer interface and of Anthropic, which some servers send beside the others or instead of them.
    input_tokens: tokens,
    output_tokens: tokens,
    completion_tokens_details: completionDetails,
    output_tokens_details: completionDetails,
    prompt_tokens_details: promptDetails,
    input_tokens_details: promptDetails,
    // The names of DeepSeek and of Anthropic.
    prompt_cache_hit_tokens: knownTokens,
    cache_read_input_tokens: knownTokens,
    cache_creation_input_tokens: knownTokens,
    cost: z.unknown().optional(),
  })
  .nullish()
  .catch(undefined);

type ReportedUsage = NonNullable<z.output<typeof Usage>>;

/**
 * xAI, and some proxies for Gemini, do not include reasoning in `completion_tokens`, as the total shows. It is billed as output,
 * so it is added.
 */
function withReasoning(promptTokens: number, completionTokens: number, usage: ReportedUsage): number {
  const all = completionTokens + (reasoningIn(usage) ?? 0);
  return promptTokens + all === usage.total_tokens ? all : completionTokens;
}

const reasoningIn = ({ completion_tokens_details, output_tokens_details }: ReportedUsage): number | undefined =>
  (completion_tokens_details ?? output_tokens_details)?.reasoning_tokens;

const cachedIn = (usage: ReportedUsage): number | undefined =>
  (usage.prompt_tokens_details ?? usage.input_tokens_details)?.cached_tokens ??
  usage.prompt_cache_hit_tokens ??
  usage.cache_read_input_tokens;

const writtenIn = (usage: ReportedUsage): number | undefined => {
  const { cache_write_tokens, cache_creation_tokens } = usage.prompt_tokens_details ?? usage.input_tokens_details ?? {};
  return cache_write_tokens ?? cache_creation_tokens ?? usage.cache_creation_input_tokens;
};

const largest = (known: number | undefined, reported: number | undefined): number | undefined =>
  reported === undefined ? known : Math.max(known ?? 0, reported);

/** Perplexity sends the cost as an object. */
const costIn = (cost: unknown): string | undefined =>
  reportedCost(typeof cost === 'object' && cost !== null ? (cost as { total_cost?: unknown }).total_cost : cost);

/** The usage of an answer, which may be sent several times, in part, or growing: the largest of each figure counts. `spec 4.10` */
export class UsageCount {
  private prompt = 0;
  private completion = 0;
  private total = 0;
  private cached: number | undefined;
  private written: number | undefined;
  private reasoning: number | undefined;
  private cost: string | undefined;

  add(usage: ReportedUsage): void {
    const prompt = Math.max(usage.prompt_tokens, usage.input_tokens);
    const completion = withReasoning(prompt, Math.max(usage.completion_tokens, usage.output_tokens), usage);
    this.prompt = Math.max(this.prompt, prompt);
    this.completion = Math.max(this.completion, completion);
    this.total = Math.max(this.total, usage.total_tokens);
    this.cached = largest(this.cached, cachedIn(usage));
    this.written = largest(this.written, writtenIn(usage));
    this.reasoning = largest(this.reasoning, reasoningIn(usage));
    const cost = costIn(usage.cost);
    if (cost !== undefined && Big(cost).gte(this.cost ?? 0)) this.cost = cost;
  }

  get tokens(): TokenUsage {
    const { prompt, completion, total, cached, written, reasoning } = this;
    return {
      promptTokens: prompt,
      completionTokens: completion,
      totalTokens: Math.max(total, prompt + completion),
      ...(cached !== undefined && { cachedTokens: cached }),
      ...(written !== undefined && { cacheWriteTokens: written }),
      ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    };
  }

  /** An exact decimal of USD; undefined if the upstream named none. */
  get reportedCostUsd(): string | undefined {
    return this.cost;
  }
}
