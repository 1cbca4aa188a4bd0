import { z } from 'zod';
import { addIssues, asSent, chosenBy, sentInteger, sentNumber, sentObject, textOr } from '../../contracts/as-sent.ts';
import { CallerId, document } from '../../contracts/fields.ts';
import { Metadata, type NamesInMetadata } from '../v1/call-metadata.ts';
import { jsonSchema } from '../v1/json-schema.ts';
import { type Block, type InputMessage, InputMessages, SystemBlocks } from './blocks.ts';

/** The body of a message. `spec 28.3` and `spec 28.4` */

const Tool = z.looseObject({
  type: z.string().nullish().describe('`custom`, or none, or a tool of Anthropic such as `bash_20250124`'),
  name: z.string().nullish().describe('Name of the tool'),
  description: z.string().nullish().describe('What the tool does'),
  input_schema: jsonSchema.nullish().describe('JSON schema of the input; it must not refer to itself'),
  strict: z.boolean().nullish().describe('Whether the input has to fit the schema exactly'),
  defer_loading: z.boolean().nullish().describe('The tool is sent once a block of the messages names it'),
  cache_control: sentObject.nullish().describe('Marks the end of what the provider should cache'),
});
export type InputTool = z.output<typeof Tool>;

const choice = <Type extends string>(type: Type, shape: z.ZodRawShape = {}) =>
  z.looseObject({
    type: z.literal(type).describe(`Always \`${type}\``),
    disable_parallel_tool_use: z.boolean().nullish().describe('Whether the model may call one tool only'),
    ...shape,
  });
const ToolChoice = chosenBy('type', {
  auto: choice('auto'),
  any: choice('any'),
  tool: choice('tool', { name: z.string().describe('Name of the tool') }),
  none: choice('none'),
});

const Format = asSent(
  z.looseObject({
    type: z.string().describe('`json_schema`'),
    schema: jsonSchema.nullish().describe('The JSON schema; it must not refer to itself'),
  }),
);

const OutputConfig = asSent(
  z.looseObject({
    effort: z.string().nullish().describe('How much the model reasons: `low`, `medium`, `high`, `xhigh` or `max`'),
    format: Format.nullish().describe('Format of the answer'),
  }),
);

const Thinking = asSent(
  z.looseObject({
    type: z.string().describe('`enabled`, `adaptive` or `disabled`'),
    budget_tokens: sentInteger.nullish().describe('How much the model reasons, where `effort` does not say it'),
  }),
);

const MessagesMetadata = z.custom<NamesInMetadata & { user_id?: string | null }>().superRefine((metadata, context) => {
  addIssues(context.issues, Metadata, metadata);
  if (context.issues.length === 0)
    addIssues(context.issues, z.looseObject({ user_id: z.string().nullish() }), metadata);
});
document(MessagesMetadata, Metadata);

const Thread = chosenBy('type', {
  create: z.looseObject({ type: z.literal('create').describe('A later request may continue this message') }),
  continue: z.looseObject({
    type: z.literal('continue').describe('The conversation goes on'),
    previous_message_id: z.string().describe('The message that it goes on from'),
  }),
});

const ignored = z.unknown().optional().describe('Left out');

/** Fields of Anthropic that have no place in a chat completion. They are left out and named. */
const leftOut = {
  service_tier: ignored,
  speed: ignored,
  context_management: ignored,
  diagnostics: ignored,
  inference_geo: ignored,
  user_profile_id: ignored,
  workspace_id: ignored,
  billing_policy: ignored,
  fallbacks: ignored,
};

const common = {
  model: CallerId.meta({
    description: 'Name of a model alias or of a model group that the team may use',
    example: 'chat-large',
  }),
  messages: InputMessages.describe('The conversation so far, oldest message first: 1 to 10,000 messages'),
  system: textOr(SystemBlocks).nullish().describe('What the model should do: a text, or blocks of text'),
  tools: z.array(asSent(Tool)).nullish().describe('What the model may call'),
  tool_choice: ToolChoice.nullish().describe('Whether and which tools the model may or has to call'),
  thinking: Thinking.nullish().describe('Whether and how much the model reasons'),
  output_config: OutputConfig.nullish().describe('Effort and format of the answer'),
  output_format: Format.nullish().describe('The older name of `output_config.format`'),
  stop_sequences: z.array(z.string()).nullish().describe('Texts at which the model stops'),
  temperature: sentNumber.nullish().describe('Randomness of the answer. No default: that of the model'),
  top_p: sentNumber
    .nullish()
    .describe('Only the most likely tokens that together have this probability are considered'),
  stream: z.boolean().nullish().describe('Whether the answer comes as server-sent events'),
  metadata: MessagesMetadata.nullish().describe(
    'Kept with the call. `user_id` is the user of the job that is made for the call; `job_id`, `external_task_id` and `job_type` mean ' +
      'what the headers `X-Job-Id`, `X-External-Task-Id` and `X-Job-Type` mean',
  ),
  thread: Thread.nullish().describe(
    'Whether the conversation is kept, so that a later request sends new messages only',
  ),
  mcp_servers: z.array(z.unknown()).nullish().describe('Not supported'),
  container: z.unknown().optional().describe('Not supported'),
  ...leftOut,
};

const messagesRequest = z
  .looseObject({ ...common, max_tokens: sentInteger.describe('Most tokens that the model may generate') })
  .meta({ id: 'MessagesRequest' });

const countTokensRequest = z
  .looseObject({ ...common, max_tokens: sentInteger.nullish().describe('Not needed') })
  .meta({ id: 'CountTokensRequest' });

/** A body after its types have been checked. */
export interface CountTokensBody {
  model: string;
  messages: InputMessage[];
  system?: string | Block[] | null;
  max_tokens?: number | null;
  tools?: InputTool[] | null;
  tool_choice?: { type: string; name?: string; disable_parallel_tool_use?: boolean | null } | null;
  thinking?: z.output<typeof Thinking> | null;
  output_config?: z.output<typeof OutputConfig> | null;
  output_format?: z.output<typeof Format> | null;
  stop_sequences?: string[] | null;
  temperature?: number | null;
  top_p?: number | null;
  stream?: boolean | null;
  metadata?: z.output<typeof MessagesMetadata> | null;
  thread?: { type: string; previous_message_id?: string } | null;
  mcp_servers?: unknown[] | null;
  container?: unknown;
}

export interface MessagesBody extends CountTokensBody {
  max_tokens: number;
}

/** The values are not copied, so that they have the types that were checked. */
export const MessagesRequest = messagesRequest as unknown as z.ZodType<MessagesBody>;
export const CountTokensRequest = countTokensRequest as unknown as z.ZodType<CountTokensBody>;

export const leftOutFields: readonly string[] = Object.keys(leftOut);

/** All fields that have a meaning here. Any other is sent only if the model permits it. */
export const knownFields: ReadonlySet<string> = new Set(Object.keys(messagesRequest.shape));
