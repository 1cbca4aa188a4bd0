import { z } from 'zod';
import { tokensOfRequest } from '../../../src/domain/token-estimate.ts';
import { callHeaders } from '../../../src/http/call-headers.ts';
import { route } from '../../../src/http/route.ts';
import { newStreamRecord } from '../../../src/http/stream/event-stream.ts';
import { refusalOfCall } from '../../../src/services/calls/call-refusal.ts';
import { makeCall, makeStreamedCall } from '../../../src/services/calls/make-call.ts';
import { newJob } from '../../../src/services/jobs/new-job.ts';
import { furtherSurface } from './surface.ts';
import { textForm, textStream } from './text-events.ts';

const Prompt = z.object({ model: z.string(), prompt: z.string(), stream: z.boolean().default(false) });

export const answerPrompt = route(
  {
    operationId: 'answerPrompt',
    method: 'post',
    path: '/further/prompts',
    summary: 'Answer a prompt',
    tag: 'Prompts',
    surface: furtherSurface,
    access: { audience: ['team'] },
    body: { schema: Prompt },
    makesCall: true,
    streams: textForm,
    response: z.object({ call: z.string(), text: z.string() }),
  },
  async (context) => {
    const { model, prompt, stream } = context.body;
    const body = JSON.stringify({ messages: [{ role: 'user', content: prompt }] });
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
    const target = { kind: 'single_call', newJob: newJob(context, { job_type: 'prompts' }) } as const;
    const toMake = { request, target, observer: callHeaders(context) };
    if (stream) {
      const { call, outputs } = await makeStreamedCall(context, toMake);
      return textStream(newStreamRecord(call, model), outputs);
    }
    const { call, result } = await makeCall(context, toMake);
    if (result.status !== 'succeeded') throw refusalOfCall(result);
    return { call: call.callId, text: result.message?.content ?? '' };
  },
);
