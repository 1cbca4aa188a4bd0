import { type ContextFigures, shownFigures } from '../../domain/context-figures.ts';
import { Refusal } from '../../errors.ts';

/** A prompt that is too long, as its call has failed. */
export const isContextExceeded = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.code === 'context_length_exceeded';

/** A prompt that is too long, with the figures that Anthropic's clients read. Any other error stays as it is. `spec 28.12` */
export function withShownFigures<E>(error: E, estimate: number): E | Refusal {
  if (!isContextExceeded(error)) return error;
  const { code, message, headers, limit, figures } = error;
  return new Refusal(code, message, headers, limit, { ...shownFigures({ ...figures } as ContextFigures, estimate) });
}
