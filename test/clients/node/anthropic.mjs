import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { serve } from './driver.mjs';

const River = z.object({ river: z.string(), length: z.number() });

const clientOf = ({ base_url, api_key, headers, max_retries, timeout_seconds }) =>
  new Anthropic({
    baseURL: base_url,
    authToken: api_key,
    defaultHeaders: headers,
    maxRetries: max_retries,
    timeout: timeout_seconds * 1_000,
  });

const requestOf = ({ model, prompt, parameters }) => ({
  model,
  max_tokens: 1_000,
  messages: [{ role: 'user', content: prompt }],
  ...parameters,
});

const textOf = ({ content }) => content.map(({ text = '' }) => text).join('');

await serve({
  async plain(options) {
    const { data, response } = await clientOf(options).messages.create(requestOf(options)).withResponse();
    return { content: textOf(data), job_id: response.headers.get('x-job-id') };
  },
  async stream(options) {
    let content = '';
    for await (const event of await clientOf(options).messages.create({ ...requestOf(options), stream: true }))
      if (event.delta?.type === 'text_delta') content += event.delta.text;
    return { content };
  },
  async helper(options) {
    return { content: await clientOf(options).messages.stream(requestOf(options)).finalText() };
  },
  /** The runner keeps the conversation in a message thread: each request has only what is new. */
  async tools(options) {
    const cities = [];
    const getWeather = betaZodTool({
      name: 'get_weather',
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      run({ city }) {
        cities.push(city);
        return 'rain';
      },
    });
    const runner = clientOf(options).beta.messages.toolRunner({
      ...requestOf(options),
      tools: [getWeather],
      stream: options.streamed,
    });
    return { content: textOf(await runner), cities };
  },
  async structured(options) {
    const request = { ...requestOf(options), output_config: { format: zodOutputFormat(River) } };
    return (await clientOf(options).messages.parse(request)).parsed_output;
  },
  async count({ model, prompt, ...options }) {
    const messages = [{ role: 'user', content: prompt }];
    return { tokens: (await clientOf(options).messages.countTokens({ model, messages })).input_tokens };
  },
  async followUp(options) {
    const { messages } = clientOf(options);
    const request = requestOf(options);
    const first = await messages.create(request);
    const conversation = [
      ...request.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: options.next },
    ];
    const second = await messages.create({ ...request, messages: conversation });
    return { contents: [textOf(first), textOf(second)] };
  },
  async abort(options) {
    for await (const event of await clientOf(options).messages.create({ ...requestOf(options), stream: true }))
      if (event.delta?.type === 'text_delta') return { content: event.delta.text };
  },
});
