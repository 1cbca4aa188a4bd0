import type { CallWithPayload, PlaygroundRun } from '../../api/types.ts';

export const roles = ['system', 'user', 'assistant'] as const;
type Role = (typeof roles)[number];

export interface MessageDraft {
  id: number;
  role: Role;
  text: string;
}

/** What a person has written, as text. */
export interface Draft {
  model: string;
  messages: readonly MessageDraft[];
  temperature: string;
  maxTokens: string;
  topP: string;
}

export const emptyDraft: Draft = {
  model: '',
  messages: [
    { id: 0, role: 'system', text: '' },
    { id: 1, role: 'user', text: '' },
  ],
  temperature: '0.7',
  maxTokens: '1024',
  topP: '',
};

/** What is no number is sent as it is: the answer of the service names what is wrong with it. */
const numberIn = (text: string): number | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : (trimmed as unknown as number);
};

const isWritten = ({ text }: MessageDraft): boolean => text.trim() !== '';

/** A request without a written message would be refused. */
export const isComplete = ({ model, messages }: Draft): boolean => model.trim() !== '' && messages.some(isWritten);

/** The body of the request. Messages without text are left out. */
export const toBody = ({ model, messages, temperature, maxTokens, topP }: Draft): PlaygroundRun => ({
  model: model.trim(),
  messages: messages.filter(isWritten).map(({ role, text }) => ({ role, content: text })),
  temperature: numberIn(temperature),
  max_tokens: numberIn(maxTokens),
  top_p: numberIn(topP),
});

interface Sent {
  role?: string;
  content?: string | null | { type?: string; text?: string }[];
  tool_calls?: unknown[];
}

interface StoredRequest {
  messages?: Sent[];
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  top_p?: number;
}

/** What the fields of the form can have. */
const known = new Set(['messages', 'temperature', 'max_tokens', 'max_completion_tokens', 'top_p']);
const roleOf: Record<string, Role> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant' };

export interface Opened {
  draft: Draft;
  /** What the call had, and the form has not. */
  leftOut: readonly string[];
}

/** A call as a draft; undefined where its request is not stored, or only in part. */
export function toDraft({
  request,
  requested_model,
}: Pick<CallWithPayload, 'request' | 'requested_model'>): Opened | undefined {
  const stored = (typeof request === 'object' ? request : null) as StoredRequest | null;
  if (!Array.isArray(stored?.messages)) return undefined;
  const leftOut = new Set(Object.keys(stored).filter((name) => !known.has(name)));
  const messages = stored.messages.flatMap(({ role = '', content, tool_calls }): Omit<MessageDraft, 'id'>[] => {
    const own = roleOf[role];
    if (tool_calls?.length) leftOut.add('tool calls');
    if (own === undefined) {
      leftOut.add(`messages of the role ${role}`);
      return [];
    }
    const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
    if (parts.some(({ text }) => typeof text !== 'string')) leftOut.add('parts that are no text');
    return [{ role: own, text: parts.map(({ text }) => text ?? '').join('\n') }];
  });
  const draft = {
    model: requested_model,
    messages: messages.map((message, id) => ({ id, ...message })),
    temperature: String(stored.temperature ?? ''),
    maxTokens: String(stored.max_tokens ?? stored.max_completion_tokens ?? emptyDraft.maxTokens),
    topP: String(stored.top_p ?? ''),
  };
  return { draft, leftOut: [...leftOut] };
}
