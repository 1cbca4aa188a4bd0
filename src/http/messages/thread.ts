import type { Message } from '../../domain/chat-message.ts';
import { callIdOfMessage } from '../../domain/ids.ts';
import { invalid, refuse } from '../../errors.ts';
import { findNamedCalls, readInput } from '../../services/calls/find-named-calls.ts';
import type { RequestContext } from '../route.ts';
import { type Block, maxMessages } from './blocks.ts';
import type { CountTokensBody } from './messages-request.ts';
import { toContent } from './serialize-message.ts';

/** What of a thread every message of it has in common. `spec 28.16` */
type Common = Pick<CountTokensBody, 'system' | 'tools'>;

interface Stored extends Common {
  api: 'messages';
}

/** The whole body of a message that continues a thread. */
export interface ResolvedBody<Body extends CountTokensBody> {
  body: Body;
  /** The call of the message that it goes on from. */
  previousCallId: string | undefined;
}

/** The message as a later request can go on from it; undefined where the request has no thread. */
export function toClientRequest({ thread, system, tools, messages }: CountTokensBody) {
  if (!thread) return undefined;
  const common: Stored = { api: 'messages', ...(system && { system }), ...(tools && { tools }) };
  return { request: JSON.stringify(common), input: JSON.stringify(messages) };
}

function requireNothingOfThread(body: CountTokensBody): void {
  for (const field of ['system', 'tools'] as const)
    if (body[field] !== undefined && body[field] !== null) throw refuse('thread_field_not_allowed', field);
}

type ReadContext = Pick<RequestContext, 'deps' | 'caller'>;

/** A message that can be continued: what was requested beside the conversation, the conversation, and the answer. JSON texts. */
async function findEarlier(context: ReadContext, callId: string) {
  const [call] = await findNamedCalls(context, [callId]);
  if (call?.status !== 'succeeded' || call.response === null) return undefined;
  const input = await readInput(context, callId);
  return input === undefined ? undefined : { request: call.client_request, input, answer: call.response };
}

/**
 * The body with the instructions, tools and messages of the thread that it continues, and with the answer to them. Refuses what cannot
 * be continued: clients send the whole conversation then.
 */
export async function resolveThread<Body extends CountTokensBody>(
  context: ReadContext,
  body: Body,
): Promise<ResolvedBody<Body>> {
  const { thread } = body;
  if (thread?.type !== 'continue') return { body, previousCallId: undefined };
  requireNothingOfThread(body);
  const id = thread.previous_message_id!;
  const callId = callIdOfMessage(id);
  const call = callId && (await findEarlier(context, callId));
  const { api, ...common } = (call ? JSON.parse(call.request) : {}) as Partial<Stored>;
  if (!call || api !== 'messages') throw refuse('thread_not_found', id);
  const content = toContent(JSON.parse(call.answer) as Message, callId) as unknown as Block[];
  const earlier = JSON.parse(call.input) as Body['messages'];
  const answer = content.length > 0 ? [{ role: 'assistant' as const, content }] : [];
  const bytes = Buffer.byteLength(call.input) + Buffer.byteLength(JSON.stringify(body.messages));
  if (bytes > context.deps.config.CALL_BODY_LIMIT) throw refuse('body_too_large');
  const messages = [...earlier, ...answer, ...body.messages];
  if (messages.length > maxMessages)
    throw invalid(['body', 'messages'], `The thread has more than ${maxMessages} messages`, 'too_long');
  return { body: { ...body, ...common, messages }, previousCallId: callId };
}
