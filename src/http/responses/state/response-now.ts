import type { NamedCallRow } from '../../../db/calls/named-calls.ts';
import { deltasOf } from '../../../domain/answer-parts.ts';
import type { CallResult } from '../../../domain/call-result.ts';
import type { Delta } from '../../../domain/chat-message.ts';
import { refuse } from '../../../errors.ts';
import { findNamedCalls } from '../../../services/calls/find-named-calls.ts';
import { readWritten, watchNamed } from '../../../services/responses/watch-response.ts';
import type { RequestContext } from '../../route.ts';
import { failureOf } from '../answer/failures.ts';
import { callOfResponse } from '../answer/item-ids.ts';
import { ResponseEvents, type ResponseRecord } from '../answer/response-events.ts';
import type { ResponseObject } from '../answer/response-object.ts';
import { completedAt } from '../answer/response-stream.ts';
import { readStored } from './stored-response.ts';

type ReadContext = Pick<RequestContext, 'deps' | 'caller'>;

export interface StoredResponse {
  call: NamedCallRow;
  record: ResponseRecord;
}

/** The response that a path names. */
export async function getStored(context: ReadContext, id: string): Promise<StoredResponse> {
  const callId = callOfResponse(id);
  const [call] = callId ? await findNamedCalls(context, [callId]) : [];
  const record = call && readStored(call);
  if (!record) throw refuse('response_not_found', id);
  return { call, record };
}

/** The response as it is now. `spec 29.4` */
export async function responseNow(context: ReadContext, { call, record }: StoredResponse): Promise<ResponseObject> {
  const { result } = call.finished_at ? await watchNamed(context, call) : { result: undefined };
  if (!result) return running(record, call, await readWritten(context, call));
  return ended(record, call, result);
}

function running(record: ResponseRecord, { status }: NamedCallRow, written: readonly Delta[]): ResponseObject {
  const events = new ResponseEvents(record);
  if (record.head.background && status === 'queued') events.queue();
  for (const delta of written) events.delta(delta);
  return events.response;
}

function ended(record: ResponseRecord, { finished_at }: NamedCallRow, result: CallResult): ResponseObject {
  const events = new ResponseEvents(record);
  for (const delta of 'message' in result && result.message ? deltasOf(result.message) : []) events.delta(delta);
  if (result.status === 'succeeded') events.end(result, completedAt(record, result, finished_at));
  else events.fail(failureOf({ type: 'end', end: result }), 'usage' in result ? result.usage : undefined);
  return events.response;
}
