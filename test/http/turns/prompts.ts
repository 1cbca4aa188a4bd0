import { z } from 'zod';
import { tokensOfRequest } from '../../../src/domain/token-estimate.ts';
import { route } from '../../../src/http/route.ts';
import { newHeaderObserver } from '../../../src/http/v1/call-observer.ts';
import { JobHeaders, toCallTarget } from '../../../src/http/v1/call-target.ts';
import { openAiSurface } from '../../../src/http/v1/openai-surface.ts';
import { repeatable } from '../../../src/http/v1/repeatable.ts';
import { makeCall, submitCall } from '../../../src/services/calls/make-call.ts';

const Prompt = z.object({
  model: z.string(),
  previous_call: z.string().optional(),
  task: z.string().optional(),
  later: z.boolean().default(false),
});

/** An endpoint whose requests name an earlier call, belong to a task where they name none, or are read later. */
export const answerPrompt = route(
  {
    operationId: 'answerPrompt',
    method: 'post',
    path: '/v1/prompts',
    summary: 'Answer a prompt',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    headers: JobHeaders,
    body: { schema: Prompt },
    makesCall: true,
    response: z.object({ call: z.string(), job: z.string() }),
  },
  async (context) => {
    const { model, previous_call, task, later } = context.body;
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Tell me of rivers' }] });
    const promptTokens = tokensOfRequest(Buffer.byteLength(body));
    const request = {
      model,
      body,
      promptTokens,
      promptTokensToReserve: promptTokens,
      maxTokens: 0,
      purpose: null,
      metadata: null,
    };
    const target = toCallTarget(context, {
      body: context.body,
      userId: null,
      metadata: null,
      defaultJobType: 'prompts',
      previousCallId: previous_call,
      taskWithoutJob: task,
    });
    const toMake = { request, target, observer: newHeaderObserver(context, []) };
    const { call } = later
      ? await submitCall(context, toMake, { streamed: false, waitMs: 0 })
      : await makeCall(context, toMake, repeatable(context, request, context.body));
    return { call: call.callId, job: call.jobId };
  },
);
