import { readSoFar, type WatchedCall, watchCall, withEndTime } from '../../calls/watch-call.ts';
import type { NamedCallRow } from '../../db/calls/named-calls.ts';
import type { Delta } from '../../domain/chat-message.ts';
import type { ServiceContext } from '../context.ts';

type ReadContext = Pick<ServiceContext, 'deps'>;

/** The answer of a call from its beginning, as it comes or as it is recorded, with the time of its end. */
export async function watchNamed({ deps }: ReadContext, call: NamedCallRow): Promise<WatchedCall> {
  const watched = await watchCall(deps, call);
  return { ...watched, outputs: (left) => withEndTime(deps, call.call_id, watched.outputs(left)) };
}

/** What a call has written so far, while it runs. */
export const readWritten = ({ deps }: ReadContext, { call_id }: NamedCallRow): Promise<Delta[]> =>
  readSoFar(deps, call_id);
