import { z } from 'zod';
import type { Secrets } from '../../src/auth/secrets.ts';
import { joinMembers, readMembers } from '../../src/domain/formats/json-members.ts';
import type { ReasoningState } from '../../src/upstream/answer/reasoning-state.ts';

const Sealed = z.object({
  model: z.string(),
  text: z.object({ field: z.enum(['reasoning_content', 'reasoning', 'thinking']), text: z.string() }).optional(),
  thinking_blocks: z.array(z.record(z.string(), z.unknown())).optional(),
  reasoning_details: z.array(z.record(z.string(), z.unknown())).optional(),
  tool_calls: z.record(z.string(), z.unknown()).optional(),
});
type Sealed = z.output<typeof Sealed>;

/** The member of an assistant's message with what its model has sent to go on reasoning. Only requests of `parts: 'sealed'` have it. */
const member = 'sealed_reasoning';

interface ChatMessage {
  [member]?: unknown;
  tool_calls?: { id?: string }[];
}

/**
 * What models need back to go on reasoning, as clients of one team hold it: encrypted, with the name of the model, and readable for
 * nobody else. What is foreign, altered or too old to open is left out. `spec 31.1`, decision 116
 */
export class SealedReasoning {
  private readonly secrets: Secrets;
  private readonly context: string;

  constructor(secrets: Secrets, teamId: string) {
    this.secrets = secrets;
    this.context = `reasoning of ${teamId}`;
  }

  seal(model: string, state: ReasoningState): string {
    const text = JSON.stringify({ model, ...state } satisfies Sealed);
    return this.secrets.seal(text, this.context).toString('base64url');
  }

  /** The request for one model: its own states are in its own fields again, and those of other models are left out. */
  openFor(model: string, request: string): string {
    return withMessages(request, (messages) => messages.map((message) => this.opened(model, message)));
  }

  /** The model that wrote the newest state of a request. */
  newestModel(request: string): string | undefined {
    let newest: string | undefined;
    withMessages(request, (messages) => {
      newest = messages.flatMap((message) => this.statesOf(message)).at(-1)?.model;
      return messages;
    });
    return newest;
  }

  private opened(model: string, message: ChatMessage): ChatMessage {
    if (!(member in message)) return message;
    const states = this.statesOf(message).filter((state) => state.model === model);
    const { [member]: _, ...rest } = message;
    const [first] = states.flatMap(({ text }) => text ?? []);
    const blocks = states.flatMap(({ thinking_blocks }) => thinking_blocks ?? []);
    const details = states.flatMap(({ reasoning_details }) => reasoning_details ?? []);
    const extras = new Map(states.flatMap(({ tool_calls }) => Object.entries(tool_calls ?? {})));
    return {
      ...rest,
      ...(first && { [first.field]: states.map(({ text }) => text?.text ?? '').join('') }),
      ...(blocks.length > 0 && { thinking_blocks: blocks }),
      ...(details.length > 0 && { reasoning_details: details }),
      ...(rest.tool_calls && {
        tool_calls: rest.tool_calls.map((call) =>
          extras.has(call.id ?? '') ? { ...call, extra_content: extras.get(call.id!) } : call,
        ),
      }),
    };
  }

  private statesOf({ [member]: sealed }: ChatMessage): Sealed[] {
    return Array.isArray(sealed) ? sealed.flatMap((one) => this.open(one) ?? []) : [];
  }

  private open(sealed: unknown): Sealed | undefined {
    try {
      return Sealed.parse(JSON.parse(this.secrets.open(Buffer.from(String(sealed), 'base64url'), this.context)));
    } catch {
      return undefined;
    }
  }
}

/** A request without a state is not read. */
function withMessages(request: string, change: (messages: ChatMessage[]) => ChatMessage[]): string {
  if (!request.includes(`"${member}"`)) return request;
  return joinMembers(
    Array.from(readMembers(request), ({ name, value }) =>
      name === 'messages'
        ? { name, value: JSON.stringify(change(JSON.parse(value) as ChatMessage[])) }
        : { name, value },
    ),
  );
}
