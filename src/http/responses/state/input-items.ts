import { shownState } from '../../../domain/answer-parts.ts';
import { inputItemId } from '../answer/item-ids.ts';
import type { ShowsStates } from '../answer/output-items.ts';
import type { ResponseRecord } from '../answer/response-events.ts';
import type { Item } from '../request/items.ts';

/** An item as the list shows it. */
export type ShownItem = Record<string, unknown> & { id: string };

/** A text as the part that clients expect. */
function toParts({ role, content }: Item): unknown {
  if (typeof content !== 'string') return content ?? [];
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [] }]
    : [{ type: 'input_text', text: content }];
}

/** Reasoning with its state, where the response shows states. `spec 29.2` */
function withShownState(item: Item, showsStates: ShowsStates): Item {
  const { encrypted_content: state, ...rest } = item;
  if (item.type !== 'reasoning' || typeof state !== 'string') return item;
  const shown = showsStates && shownState(state);
  return { ...rest, type: item.type, ...(shown && { encrypted_content: shown }) };
}

/** The items of a conversation, each with an id: its own, or else one that comes from the call and its place. */
export const toInputItems = (
  { callId, showsStates }: Pick<ResponseRecord, 'callId' | 'showsStates'>,
  items: readonly Item[],
): ShownItem[] =>
  items.map((item, index) => ({
    ...(item.type === 'message' && { status: 'completed' }),
    ...withShownState(item, showsStates),
    id: typeof item.id === 'string' ? item.id : inputItemId(callId, item.type, index),
    ...(item.type === 'message' && { content: toParts(item) }),
  }));
