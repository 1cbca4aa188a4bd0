import type { NamedCallRow } from '../../../db/calls/named-calls.ts';
import type { Message } from '../../../domain/chat-message.ts';
import type { CalledTools } from '../answer/called-tools.ts';
import type { ShowsStates } from '../answer/output-items.ts';
import { type ResponseRecord, readMessage } from '../answer/response-events.ts';
import type { ResponseHead } from '../answer/response-object.ts';
import type { Item } from '../request/items.ts';

/** What is stored of a request beside its conversation. */
interface Stored {
  api: 'responses';
  head: ResponseHead;
  tools: CalledTools;
  showsStates: ShowsStates;
}

export const toClientRequest = (
  { head, tools, showsStates }: Omit<ResponseRecord, 'callId'>,
  items: readonly Item[],
) => ({
  request: JSON.stringify({ api: 'responses', head, tools, showsStates } satisfies Stored),
  input: JSON.stringify(items),
});

/** The record of a response; undefined for a call of another API. */
export function readStored({ call_id, client_request }: NamedCallRow): ResponseRecord | undefined {
  const { api, ...stored } = JSON.parse(client_request) as Stored;
  return api === 'responses' ? { callId: call_id, ...stored } : undefined;
}

/** What was answered, with its sealed states: what a later request goes on with. */
export function outputOf(call: NamedCallRow): Item[] {
  const record = readStored(call);
  if (!record || call.response === null) return [];
  const events = readMessage({ ...record, showsStates: 'all' }, JSON.parse(call.response) as Message);
  return events.endedOutput() as Item[];
}
