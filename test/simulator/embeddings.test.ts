import { send, simulatorForTests } from './client.ts';

const simulator = simulatorForTests();

const embed = (fields: Record<string, unknown>) =>
  send(`${simulator.url}/v1/embeddings`, { model: 'sim-ok', input: ['one two', 'three'], ...fields });
const vectorsOf = async (fields: Record<string, unknown> = {}) => {
  const { json } = await embed(fields);
  return (json.data as { embedding: unknown }[]).map(({ embedding }) => embedding);
};

test('embeddings have a vector for each input, which is the same for the same text and model', async () => {
  const reply = await embed({});

  expect(reply.json).toMatchObject({ object: 'list', model: 'sim-ok', usage: { prompt_tokens: 3, total_tokens: 3 } });
  expect(await vectorsOf()).toEqual(await vectorsOf());
  expect(await vectorsOf({ input: 'three' })).toEqual((await vectorsOf()).slice(1));
  expect(await vectorsOf({ model: 'sim-fast' })).not.toEqual(await vectorsOf());
  expect(Number(reply.headers.get('x-litellm-response-cost'))).toBeCloseTo(3e-6, 12);
});

test('embeddings have the dimensions and the form that are asked for', async () => {
  const [numbers] = (await vectorsOf({ dimensions: 3 })) as number[][];
  const [text] = (await vectorsOf({ dimensions: 3, encoding_format: 'base64' })) as string[];
  const bytes = Uint8Array.from(Buffer.from(text!, 'base64'));

  expect(Array.from(new Float32Array(bytes.buffer))).toEqual(numbers!.map(Math.fround));
});

test('embeddings without an input are refused', async () => {
  expect(await embed({ input: [] })).toMatchObject({ status: 400 });
});
