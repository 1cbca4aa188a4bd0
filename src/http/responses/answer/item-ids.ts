// Ids of responses and of their items come from the call. `spec 29.3`

const hexOf = (callId: string): string => callId.replaceAll('-', '');

const callIdOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The prefix of an item's id, by its type. */
export const prefixes = {
  reasoning: 'rs',
  message: 'msg',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  tool_search_call: 'tsc',
  local_shell_call: 'lsh',
  shell_call: 'sh',
  apply_patch_call: 'ap',
} as const;
export type ItemType = keyof typeof prefixes;

export const responseId = (callId: string): string => `resp_${hexOf(callId)}`;

export const itemId = (callId: string, type: ItemType, index: number): string =>
  `${prefixes[type]}_${hexOf(callId)}_${index}`;

/** The call of a response; undefined for an id that is none of this service. */
export function callOfResponse(id: string): string | undefined {
  const hex = /^resp_([\da-f]{32})$/.exec(id)?.[1];
  return hex && callIdOf(hex);
}

const ofItem = /^(?:rs|msg|fc|ctc|tsc|lsh|sh|ap)_([\da-f]{32})_\d{1,5}$/;

/** The call of an item of an answer; undefined for an id that is none of this service. */
export function callOfItem(id: string): string | undefined {
  const hex = ofItem.exec(id)?.[1];
  return hex && callIdOf(hex);
}

/** No answer has so many items: an item of the input has another id than any of the output. */
const firstOfInput = 10_000;

/** The id of an item of the input that came without one. */
export const inputItemId = (callId: string, type: string, index: number): string =>
  `${Object.hasOwn(prefixes, type) ? prefixes[type as ItemType] : 'item'}_${hexOf(callId)}_${firstOfInput + index}`;
