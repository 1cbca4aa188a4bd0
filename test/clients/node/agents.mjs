import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { serve } from './driver.mjs';

setTracingDisabled(true);

const River = z.object({ river: z.string(), length: z.number() });
const maxTurns = 30;

function runnerOf({ base_url, api_key, headers, max_retries, timeout_seconds, parameters }) {
  const openAIClient = new OpenAI({
    baseURL: base_url,
    apiKey: api_key,
    defaultHeaders: headers,
    maxRetries: max_retries,
    timeout: timeout_seconds * 1_000,
  });
  return new Runner({
    modelProvider: new OpenAIProvider({ openAIClient, useResponses: true }),
    modelSettings: { providerData: parameters },
  });
}

const agentOf = ({ model }, fields) =>
  new Agent({ name: 'Assistant', instructions: 'Answer briefly.', model, ...fields });

const run = (options, fields, question = options.prompt, more = {}) =>
  runnerOf(options).run(agentOf(options, fields), question, { maxTurns, ...more });

async function textOfStream(options, fields) {
  const running = await run(options, fields, options.prompt, { stream: true });
  let content = '';
  for await (const piece of running.toTextStream()) content += piece;
  await running.completed;
  return content;
}

await serve({
  async plain(options) {
    return { content: (await run(options)).finalOutput };
  },
  async stream(options) {
    return { content: await textOfStream(options) };
  },
  async tools(options) {
    const cities = [];
    const getWeather = tool({
      name: 'get_weather',
      description: 'The weather of a city',
      parameters: z.object({ city: z.string() }),
      execute({ city }) {
        cities.push(city);
        return 'rain';
      },
    });
    const fields = { tools: [getWeather] };
    const content = options.streamed ? await textOfStream(options, fields) : (await run(options, fields)).finalOutput;
    return { content, cities };
  },
  async structured(options) {
    return (await run(options, { outputType: River })).finalOutput;
  },
  async followUp(options) {
    const first = await run(options);
    const conversation = [...first.history, { role: 'user', content: options.next }];
    return { contents: [first.finalOutput, (await run(options, {}, conversation)).finalOutput] };
  },
  async abort(options) {
    const leaving = new AbortController();
    const running = await run(options, {}, options.prompt, { stream: true, signal: leaving.signal });
    for await (const piece of running.toTextStream()) {
      leaving.abort();
      return { content: piece };
    }
  },
});
