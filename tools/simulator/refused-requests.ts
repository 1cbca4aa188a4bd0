import { SimulatorError } from './errors.ts';

/** How a server refuses a request for its content: in the dialects of several servers. */
export const refusals = [
  'overflow-code',
  'overflow-litellm',
  'overflow-words',
  'overflow-llamacpp',
  'overflow-answer',
  'policy-code',
  'policy-words',
  'not-supported',
] as const;
export type RefusedRequest = (typeof refusals)[number];

const overflowText =
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9041 tokens. Please reduce the length of the messages.";

const bodies: Record<RefusedRequest, object> = {
  'overflow-code': {
    error: { message: overflowText, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
  },
  'overflow-litellm': {
    error: {
      message: 'litellm.BadRequestError: litellm.ContextWindowExceededError: OpenAIException - leaked-model is full',
      type: null,
      param: null,
      code: '400',
    },
  },
  'overflow-words': {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 210042 tokens > 200000 maximum' },
  },
  'overflow-llamacpp': {
    error: {
      code: 400,
      message: 'the request exceeds the available context size (8192 tokens), try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9_041,
      n_ctx: 8_192,
    },
  },
  'overflow-answer': {
    error: {
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 4096 output tokens and your prompt contains at least " +
        '4200 input tokens, for a total of at least 8296 tokens. (parameter=input_tokens, value=4200)',
      type: 'BadRequestError',
      param: 'input_tokens',
      code: 400,
    },
  },
  'policy-code': {
    error: {
      message: 'leaked-model: rejected',
      type: 'invalid_request_error',
      param: null,
      code: 'content_policy_violation',
    },
  },
  'policy-words': {
    error: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: 'prompt',
      code: '400',
    },
  },
  'not-supported': {
    error: { message: 'leaked-model does not support this', type: 'invalid_request_error', param: 'top_p', code: null },
  },
};

/** A refusal with a body in another form than that of LiteLLM. */
export class RefusedRequestError extends SimulatorError {
  private readonly refusal: RefusedRequest;

  constructor(refusal: RefusedRequest, status: number) {
    super(status, refusal);
    this.refusal = refusal;
  }

  override get body(): unknown {
    return bodies[this.refusal];
  }
}
