import { zodTextFormat } from 'openai/helpers/zod';
import { serve } from './driver.mjs';
import { clientOf, River } from './openai-client.mjs';

const responsesOf = (options) => clientOf(options).responses;

const requestOf = ({ model, prompt, parameters }) => ({ model, input: prompt, ...parameters });

const getWeather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

await serve({
  async plain(options) {
    const { data, response } = await responsesOf(options).create(requestOf(options)).withResponse();
    return { content: data.output_text, job_id: response.headers.get('x-job-id') };
  },
  async stream(options) {
    let content = '';
    for await (const event of await responsesOf(options).create({ ...requestOf(options), stream: true }))
      if (event.type === 'response.output_text.delta') content += event.delta;
    return { content };
  },
  async helper(options) {
    return { content: (await responsesOf(options).stream(requestOf(options)).finalResponse()).output_text };
  },
  /** Each request has all that was answered before. */
  async tools(options) {
    const responses = responsesOf(options);
    const cities = [];
    const input = [{ role: 'user', content: options.prompt }];
    for (;;) {
      const request = { ...requestOf(options), input, tools: [getWeather] };
      const { output, output_text } = options.streamed
        ? await responses.stream(request).finalResponse()
        : await responses.create(request);
      const calls = output.filter(({ type }) => type === 'function_call');
      if (calls.length === 0) return { content: output_text, cities };
      input.push(...output);
      for (const { call_id, arguments: json } of calls) {
        cities.push(JSON.parse(json).city);
        input.push({ type: 'function_call_output', call_id, output: 'rain' });
      }
    }
  },
  async structured(options) {
    const request = { ...requestOf(options), text: { format: zodTextFormat(River, 'river') } };
    return (await responsesOf(options).parse(request)).output_parsed;
  },
  async followUp(options) {
    const responses = responsesOf(options);
    const first = await responses.create(requestOf(options));
    const second = await responses.create({
      ...requestOf(options),
      input: options.next,
      previous_response_id: first.id,
    });
    return { contents: [first.output_text, second.output_text] };
  },
  /** A response in the background, whose events are left after a few and taken up where they were left. */
  async background(options) {
    const responses = responsesOf(options);
    const numbers = [];
    let id;
    for await (const event of await responses.create({ ...requestOf(options), background: true, stream: true })) {
      id ??= event.response?.id;
      numbers.push(event.sequence_number);
      if (numbers.length === 8) break;
    }
    for await (const event of await responses.retrieve(id, { stream: true, starting_after: numbers.at(-1) }))
      numbers.push(event.sequence_number);
    const { status, output_text } = await responses.retrieve(id);
    return { numbers, status, content: output_text };
  },
  async embeddings(options) {
    const create = (fields) =>
      clientOf(options).embeddings.create({ model: options.model, input: ['rivers', 'lakes'], ...fields });
    const [{ data }, asNumbers] = await Promise.all([create({}), create({ encoding_format: 'float' })]);
    return { vectors: data.map(({ embedding }) => embedding), same: asNumbers.data.map(({ embedding }) => embedding) };
  },
  async abort(options) {
    for await (const event of await responsesOf(options).create({ ...requestOf(options), stream: true }))
      if (event.type === 'response.output_text.delta') return { content: event.delta };
  },
});
