import { Refusal } from '../../errors.ts';

/** A prompt that is too long, of which no figures are known yet. */
export const lacksFigures = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'context_length_exceeded' && !error.figures;

/** A prompt that is too long, with the figures that Anthropic's clients read. Any other error stays as it is. `spec 28.12` */
export function contextFigures(error: unknown, promptTokens: number): unknown {
  if (!lacksFigures(error)) return error;
  const { code, message, headers, limit } = error;
  const prompt_tokens = Math.max(2, promptTokens);
  // Without the upstream's figures the most is known to be less than this.
  return new Refusal(code, message, headers, limit, { prompt_tokens, most: prompt_tokens - 1 });
}
