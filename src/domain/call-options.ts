import { joinMembers, type Member, readMembers } from './formats/json-members.ts';

/** How the request of a call is sent, and what is read of its answer, beyond what every call has: JSON text of an object. */
export interface CallOptions {
  /** Fields of the client that the endpoint does not know. Those go upstream that the model permits. */
  extra: Member[];
  /** `all`: reasoning and annotations are a part of the answer too. */
  parts: 'all' | 'text';
}

/** The options of a call whose whole answer is read. */
export const callOptions = (extra: readonly Member[]): string =>
  `{"parts":"all"${extra.length > 0 ? `,"extra":${joinMembers(extra)}` : ''}}`;

/** Null: the defaults. */
export function readCallOptions(text: string | null): CallOptions {
  const members = new Map(Array.from(readMembers(text ?? '{}'), ({ name, value }) => [name, value]));
  return {
    extra: [...readMembers(members.get('extra') ?? '{}')],
    parts: members.get('parts') === '"all"' ? 'all' : 'text',
  };
}
