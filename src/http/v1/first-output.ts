import type { StreamOutput } from '../../calls/frame-reorder.ts';
import { OutcomeUnknown, refuse } from '../../errors.ts';
import { refusalOfCall } from '../../services/calls/call-refusal.ts';
import type { RequestContext } from '../route.ts';

/** Load balancers and clients wait longer for the headers of an answer. */
const maxWaitMs = 10_000;

/** The failure that a stream begins with. */
function failureOf(output: StreamOutput): Error | undefined {
  if (output.type === 'lost') return refuse('upstream_error', 'the stream was lost');
  if (output.type === 'broken') return new OutcomeUnknown();
  return output.type === 'end' && output.end.status !== 'succeeded' ? refusalOfCall(output.end) : undefined;
}

async function* startingWith(
  first: Promise<IteratorResult<StreamOutput>>,
  rest: AsyncIterator<StreamOutput>,
): AsyncGenerator<StreamOutput> {
  try {
    for (let next = await first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/**
 * Waits for the first piece of an answer, for up to 10 s: a call that fails before has a status, which every client understands, instead
 * of an event. Returns all outputs; throws the failure. `spec 28.10`
 */
export async function awaitFirstOutput(
  { disconnected }: Pick<RequestContext, 'disconnected'>,
  outputs: AsyncIterable<StreamOutput>,
  waitMs = maxWaitMs,
): Promise<AsyncGenerator<StreamOutput>> {
  const reading = outputs[Symbol.asyncIterator]();
  const first = reading.next();
  // Its failure is that of the stream, where it comes after the headers.
  first.catch(() => undefined);
  const waited = Promise.withResolvers<undefined>();
  const stop = () => waited.resolve(undefined);
  const timer = setTimeout(stop, waitMs);
  disconnected.addEventListener('abort', stop, { once: true });
  if (disconnected.aborted) stop();
  try {
    const output = await Promise.race([first, waited.promise]);
    const failure = output && !output.done ? failureOf(output.value) : undefined;
    if (failure) {
      // The job that ends with the call has ended before the client reads of the failure.
      await reading.next();
      throw failure;
    }
  } finally {
    clearTimeout(timer);
    disconnected.removeEventListener('abort', stop);
  }
  return startingWith(first, reading);
}
