import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { serve } from './driver.mjs';

const River = z.object({ river: z.string(), length: z.number() });

const modelOf = ({ base_url, api_key, headers, max_retries, timeout_seconds, model, parameters }, fields) =>
  new ChatOpenAI({
    configuration: { baseURL: base_url, defaultHeaders: headers },
    apiKey: api_key,
    model,
    maxRetries: max_retries,
    timeout: timeout_seconds * 1_000,
    useResponsesApi: true,
    modelKwargs: parameters,
    ...fields,
  });

await serve({
  async plain(options) {
    return { content: (await modelOf(options).invoke(options.prompt)).text };
  },
  async stream(options) {
    let content = '';
    for await (const { text } of await modelOf(options).stream(options.prompt)) content += text;
    return { content };
  },
  async tools(options) {
    const cities = [];
    const getWeather = tool(
      ({ city }) => {
        cities.push(city);
        return 'rain';
      },
      { name: 'get_weather', description: 'The weather of a city', schema: z.object({ city: z.string() }) },
    );
    const agent = createAgent({ model: modelOf(options, { streaming: options.streamed }), tools: [getWeather] });
    const question = { messages: [{ role: 'user', content: options.prompt }] };
    const { messages } = await agent.invoke(question, { recursionLimit: 50 });
    return { content: messages.at(-1).text, cities };
  },
  async structured(options) {
    return modelOf(options).withStructuredOutput(River).invoke(options.prompt);
  },
  async followUp(options) {
    const model = modelOf(options);
    const question = new HumanMessage(options.prompt);
    const first = await model.invoke([question]);
    const second = await model.invoke([question, first, new HumanMessage(options.next)]);
    return { contents: [first.text, second.text] };
  },
  async abort(options) {
    for await (const { text } of await modelOf(options).stream(options.prompt)) if (text) return { content: text };
  },
});
