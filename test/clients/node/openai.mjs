import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { serve } from './driver.mjs';

const River = z.object({ river: z.string(), length: z.number() });

const chatsOf = ({ base_url, api_key, headers, max_retries, timeout_seconds }) =>
  new OpenAI({
    baseURL: base_url,
    apiKey: api_key,
    defaultHeaders: headers,
    maxRetries: max_retries,
    timeout: timeout_seconds * 1_000,
  }).chat.completions;

const requestOf = ({ model, prompt, parameters }) => ({
  model,
  messages: [{ role: 'user', content: prompt }],
  ...parameters,
});

await serve({
  async plain(options) {
    const { data, response } = await chatsOf(options).create(requestOf(options)).withResponse();
    return { content: data.choices[0].message.content, job_id: response.headers.get('x-job-id') };
  },
  async stream(options) {
    const chunks = await chatsOf(options).create({ ...requestOf(options), stream: true });
    let content = '';
    for await (const { choices } of chunks) content += choices[0]?.delta.content ?? '';
    return { content };
  },
  async tools(options) {
    const cities = [];
    const getWeather = {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather of a city',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function({ city }) {
          cities.push(city);
          return 'rain';
        },
      },
    };
    const request = { ...requestOf(options), tools: [getWeather], stream: options.streamed };
    const runner = chatsOf(options).runTools(request, { maxChatCompletions: 30 });
    return { content: await runner.finalContent(), cities };
  },
  async structured(options) {
    const completion = await chatsOf(options).parse({
      ...requestOf(options),
      response_format: zodResponseFormat(River, 'river'),
    });
    return completion.choices[0].message.parsed;
  },
  async abort(options) {
    const chunks = await chatsOf(options).create({ ...requestOf(options), stream: true });
    for await (const { choices } of chunks) {
      const content = choices[0]?.delta.content;
      if (content) return { content };
    }
  },
});
