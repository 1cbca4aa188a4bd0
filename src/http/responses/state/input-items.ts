import { inputItemId } from '../answer/item-ids.ts';
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

/** The items of a conversation, each with an id: its own, or else one that comes from the call and its place. */
export const toInputItems = (callId: string, items: readonly Item[]): ShownItem[] =>
  items.map((item, index) => ({
    ...(item.type === 'message' && { status: 'completed' }),
    ...item,
    id: typeof item.id === 'string' ? item.id : inputItemId(callId, item.type, index),
    ...(item.type === 'message' && { content: toParts(item) }),
  }));
