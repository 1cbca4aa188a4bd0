import type { NamedCallRow } from '../../../db/calls/named-calls.ts';
import { invalid, refuse, refuseAt } from '../../../errors.ts';
import { findNamedCalls, readInput } from '../../../services/calls/find-named-calls.ts';
import type { RequestContext } from '../../route.ts';
import { callOfItem, callOfResponse } from '../answer/item-ids.ts';
import { type Item, itemsOf, maxItems } from '../request/items.ts';
import type { ResponseRequest } from '../request/response-request.ts';
import { outputOf, readStored } from './stored-response.ts';

/** The conversation that a request goes on with. */
export interface ResolvedInput {
  items: Item[];
  /** So many items at the beginning are not the request's own. */
  earlier: number;
  /** The call of the previous response. */
  previousCallId: string | undefined;
}

type ReadContext = Pick<RequestContext, 'deps' | 'caller'>;

/** Items that name what is stored: references, and reasoning that comes without its state. */
function callsNamedBy(items: readonly Item[]): string[] {
  const ids = items.flatMap(({ type, id, encrypted_content }) =>
    typeof id === 'string' && (type === 'item_reference' || (type === 'reasoning' && !encrypted_content))
      ? (callOfItem(id) ?? [])
      : [],
  );
  return [...new Set(ids)];
}

/** The items with what they name. Throws for a reference to what is not there; reasoning without its state goes on without it. */
function withNamed(items: readonly Item[], calls: readonly NamedCallRow[]): Item[] {
  const answered = new Map(calls.flatMap(outputOf).map((item) => [item.id, item]));
  return items.map((item, index) => {
    const named = answered.get(item.id);
    if (item.type === 'reasoning' && !item.encrypted_content) return named?.type === 'reasoning' ? named : item;
    if (item.type !== 'item_reference') return item;
    if (!named) throw refuseAt(`input[${index}].id`, refuse('item_not_found', String(item.id)));
    return named;
  });
}

/** One that was stopped has succeeded: what was written until then is its answer. */
const statusOf = ({ status, finished_at }: NamedCallRow): string => (finished_at ? status : 'in_progress');

/** The conversation of the previous response and its answer. */
async function previousItems(context: ReadContext, id: string): Promise<{ items: Item[]; call: NamedCallRow }> {
  const callId = callOfResponse(id);
  const [call] = callId ? await findNamedCalls(context, [callId]) : [];
  const input = call && readStored(call) && (await readInput(context, call.call_id));
  if (!input) throw refuseAt('previous_response_id', refuse('response_not_found', id));
  if (call.status !== 'succeeded')
    throw refuseAt('previous_response_id', refuse('previous_response_not_ready', statusOf(call)));
  return { items: [...(JSON.parse(input) as Item[]), ...outputOf(call)], call };
}

/** The whole input: that of the previous response, its answer, and that of the request, with what it names. `spec 29.3` */
export async function resolveInput(context: ReadContext, body: ResponseRequest): Promise<ResolvedInput> {
  const sent = itemsOf(body.input);
  const { previous_response_id: previousId } = body;
  const previous = previousId ? await previousItems(context, previousId) : undefined;
  const own = withNamed(sent, await findNamedCalls(context, callsNamedBy(sent)));
  const items = [...(previous?.items ?? []), ...own];
  if (items.length > maxItems)
    throw invalid(['body', 'input'], `The whole input has more than ${maxItems} items`, 'too_long');
  return { items, earlier: items.length - own.length, previousCallId: previous?.call.call_id };
}
