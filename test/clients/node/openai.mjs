import { zodResponseFormat } from 'openai/helpers/zod';
import { serve } from './driver.mjs';
import { clientOf, River } from './openai-client.mjs';

const chatsOf = (options) => clientOf(options).chat.completions;

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
