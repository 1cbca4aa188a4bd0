import type { RequestContext } from '../route.ts';

/**
 * The events until the client disconnects, this process drains, or the caller's credential ends: then `ended` is the last event, if there
 * is one. A client that closes its sending side counts as disconnected: otherwise its stream would count until the next write.
 */
export async function* whileAllowed<Item>(
  { deps, caller, disconnected, halfClosed }: RequestContext,
  events: (signal: AbortSignal) => AsyncIterable<Item>,
  ended?: Item,
): AsyncGenerator<Item> {
  const credential = deps.credentialWatch.watch(caller);
  try {
    yield* events(AbortSignal.any([disconnected, halfClosed(), deps.drain.signal, credential.ended]));
    if (credential.ended.aborted && ended) yield ended;
  } finally {
    credential.stop();
  }
}
