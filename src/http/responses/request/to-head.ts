import type { ResponseHead } from '../answer/response-object.ts';
import type { ResponseRequest } from './response-request.ts';

/** What the response shows of its request: the fields that were sent, else OpenAI's defaults. `spec 29.11` */
export const toHead = (body: ResponseRequest, createdAt: number): ResponseHead => ({
  created_at: createdAt,
  background: body.background ?? false,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body.metadata ?? {},
  model: body.model,
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  previous_response_id: body.previous_response_id ?? null,
  prompt_cache_key: body.prompt_cache_key ?? null,
  reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
  store: body.store ?? true,
  temperature: body.temperature ?? 1,
  text: { ...body.text, format: body.text?.format ?? { type: 'text' }, verbosity: body.text?.verbosity ?? 'medium' },
  tool_choice: body.tool_choice ?? 'auto',
  tools: body.tools ?? [],
  top_p: body.top_p ?? 1,
  truncation: body.truncation ?? 'disabled',
  user: body.user ?? null,
});

const statesField = 'reasoning.encrypted_content';

/** Whether the items of reasoning have their sealed state. `spec 29.2` */
export const showsStates = ({ include, store }: ResponseRequest): boolean =>
  store === false || (include ?? []).includes(statesField);
