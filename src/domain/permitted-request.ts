import type { FieldLimits } from './extra-fields.ts';
import { joinMembers, type Member, readMembers } from './formats/json-members.ts';

const limitFields = ['max_tokens', 'max_completion_tokens'] as const;

/** Any other value than one within the limit is the limit: some upstreams take 0 and -1 for no limit. */
function withinLimit({ name, value }: Member, limit: number): Member {
  const tokens = Number(value);
  return { name, value: tokens >= 1 && tokens <= limit ? value : String(limit) };
}

/**
 * The request that goes upstream, from that of the client: without the fields that the model blocks, and with its limit of generated
 * tokens. Where the request has no limit, that of the model is sent as `max_tokens`, or as `max_completion_tokens` to a model that blocks the first
 * name. JSON text of an object, which is not parsed. `spec 7.14`
 */
export function permittedRequest(text: string, { blocked_fields, max_output_tokens: limit }: FieldLimits): string {
  const blocked = new Set(blocked_fields);
  if (blocked.size === 0 && limit === null) return text;
  const isLimit = ({ name }: Member) => limitFields.some((field) => field === name);
  const members = [...readMembers(text)].filter(({ name }) => !blocked.has(name));
  if (limit === null) return joinMembers(members);
  const limited = members.map((member) => (isLimit(member) ? withinLimit(member, limit) : member));
  const name = blocked.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return joinMembers(limited.some(isLimit) ? limited : [...limited, { name, value: String(limit) }]);
}
