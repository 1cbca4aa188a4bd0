import { makeCall } from '../../services/calls/make-call.ts';
import type { JsonText } from '../reply.ts';
import { route } from '../route.ts';
import { newHeaderObserver } from '../v1/call-observer.ts';
import { callBodyForm, refusalsOfCalls } from '../v1/call-route.ts';
import { JobHeaders } from '../v1/call-target.ts';
import { hideModelRefusals } from '../v1/hide-model-refusals.ts';
import { openAiSurface, teamLimitNames } from '../v1/openai-surface.ts';
import { repeatable } from '../v1/repeatable.ts';
import { requireAnswer } from '../v1/require-answer.ts';
import { type EmbeddingsContext, toEmbeddingsCall, toEmbeddingsTarget } from './embeddings-call.ts';
import { EmbeddingsRequest } from './embeddings-request.ts';
import { EmbeddingsResponse, writeEmbeddings } from './embeddings-response.ts';

const example = { model: 'embeddings-small', input: 'Revenue rose by 12 percent.' };

export const createEmbeddings = route(
  {
    operationId: 'createEmbeddings',
    method: 'post',
    path: '/v1/embeddings',
    summary: 'Create embeddings',
    description:
      'A vector for each input. Calls that name no job belong to the open job of the task `embeddings`, or `embeddings:<user>`, which ends ' +
      'when it is idle: an indexing run of many requests is one job. Another model than the first is asked only if the model group or alias ' +
      'has `embedding_fallbacks`. Vectors are not kept: 15 minutes after the call, with an Idempotency-Key 24 hours, their number, dimensions ' +
      'and SHA-256 remain.',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    headers: JobHeaders,
    body: {
      schema: EmbeddingsRequest.meta({ example }),
      form: callBodyForm,
    },
    makesCall: true,
    response: EmbeddingsResponse.meta({
      example: {
        object: 'list',
        model: example.model,
        data: [{ object: 'embedding', index: 0, embedding: [0.0125, -0.034, 0.0078] }],
        usage: { prompt_tokens: 8, total_tokens: 8 },
      },
    }),
    responseHeaders: [...teamLimitNames],
    errors: refusalsOfCalls,
  },
  async (context) => hideModelRefusals(context.body.model, () => embed(context)),
);

async function embed(context: EmbeddingsContext): Promise<JsonText> {
  const { body, headers } = context;
  const { model, encoding_format } = body;
  const { request, unknownFields } = toEmbeddingsCall(body, headers, context.sentMembers());
  const observer = newHeaderObserver(context, unknownFields);
  const { input: _, dimensions: __, ...rest } = body;
  const toMake = { request, target: toEmbeddingsTarget(context), observer };
  const made = await makeCall(context, toMake, repeatable(context, request, rest));
  return writeEmbeddings(model, requireAnswer(made), encoding_format ?? 'float');
}
