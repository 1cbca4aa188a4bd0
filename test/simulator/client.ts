import type { SimulatorOptions } from '../../tools/simulator/simulation.ts';
import { type Simulator, startSimulator } from '../../tools/simulator/simulator.ts';

/** A simulator for one test file, closed after its tests. */
export function simulatorForTests(options: SimulatorOptions = {}): {
  readonly url: string;
  readonly current: Simulator;
} {
  let simulator: Simulator | undefined;
  beforeAll(async () => {
    simulator = await startSimulator(options);
  });
  afterAll(() => simulator?.close());
  const started = () => simulator ?? fail('The simulator has not started yet');
  return {
    get url() {
      return started().url;
    },
    get current() {
      return started();
    },
  };
}

function fail(message: string): never {
  throw new Error(message);
}

export type Reply = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

export async function send(
  url: string,
  body?: unknown,
  { key, method = body === undefined ? 'GET' : 'POST' }: { key?: string; method?: string } = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const json: Record<string, unknown> = response.headers.get('content-type')?.includes('json') ? safeJson(text) : {};
  return { status: response.status, headers: response.headers, text, json };
}

function safeJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const chatBody = (model: string, rest: Record<string, unknown> = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Tell me about rivers' }],
  ...rest,
});

export const chat = (simulator: { url: string }, model: string, rest?: Record<string, unknown>, key?: string) =>
  send(`${simulator.url}/v1/chat/completions`, chatBody(model, rest), key === undefined ? {} : { key });

export type Chunk = {
  choices: { delta: { role?: string; content?: string; tool_calls?: unknown[] }; finish_reason?: string }[];
  usage?: Record<string, number>;
  error?: { message: string; code: string };
};

/** The events of a stream without `[DONE]`. */
export const readChunks = ({ text }: Reply): Chunk[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => JSON.parse(line.slice('data:'.length)));

export const textOf = (chunks: Chunk[]): string =>
  chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('');

export const streamed = { stream: true, stream_options: { include_usage: true } };
