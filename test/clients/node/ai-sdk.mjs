import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { z } from 'zod';
import { serve } from './driver.mjs';

const River = z.object({ river: z.string(), length: z.number() });

/** The providers for the endpoints of the gateway: the first argument of this driver. */
const providers = {
  chat: (settings) =>
    createOpenAICompatible({ ...settings, name: 'gateway', includeUsage: true, supportsStructuredOutputs: true }),
  responses: createOpenAI,
  messages: createAnthropic,
};
const optionsOf = { chat: 'gateway', responses: 'openai', messages: 'anthropic' };
const [, , endpoint] = process.argv;

/** `parameters` are fields of the provider, which it adds to the body. */
function requestOf({ base_url, api_key, headers, max_retries, timeout_seconds, model, prompt, parameters }) {
  const gateway = providers[endpoint]({ baseURL: base_url, apiKey: api_key, headers });
  return {
    model: gateway(model),
    prompt,
    maxRetries: max_retries,
    abortSignal: AbortSignal.timeout(timeout_seconds * 1_000),
    providerOptions: { [optionsOf[endpoint]]: parameters },
  };
}

/** A stream reports an error as one of its parts, and ends. */
async function textOf(result) {
  let content = '';
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') content += part.text;
  }
  return content;
}

await serve({
  async plain(options) {
    const { text, response } = await generateText(requestOf(options));
    return { content: text, job_id: response.headers['x-job-id'] };
  },
  async stream(options) {
    return { content: await textOf(streamText({ ...requestOf(options), onError: () => undefined })) };
  },
  async tools(options) {
    const cities = [];
    const getWeather = tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      async execute({ city }) {
        cities.push(city);
        return 'rain';
      },
    });
    const request = { ...requestOf(options), tools: { get_weather: getWeather }, stopWhen: isStepCount(30) };
    const content = options.streamed
      ? await textOf(streamText({ ...request, onError: () => undefined }))
      : (await generateText(request)).text;
    return { content, cities };
  },
  async structured(options) {
    return (await generateText({ ...requestOf(options), output: Output.object({ schema: River }) })).output;
  },
  /** The second question follows the first with its answer, as the client keeps it. */
  async followUp(options) {
    const { prompt, ...request } = requestOf(options);
    const messages = [{ role: 'user', content: prompt }];
    const first = await generateText({ ...request, messages });
    messages.push(...first.response.messages, { role: 'user', content: options.next });
    return { contents: [first.text, (await generateText({ ...request, messages })).text] };
  },
  async abort(options) {
    const leaving = new AbortController();
    const { fullStream } = streamText({
      ...requestOf(options),
      abortSignal: leaving.signal,
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      if (part.type !== 'text-delta' || !part.text) continue;
      leaving.abort();
      return { content: part.text };
    }
  },
});
