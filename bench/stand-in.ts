import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * `PORT=… node bench/stand-in.ts`: the upstream of every subject. It answers a chat completion after 50 ms, or streams `max_tokens` tokens,
 * the first after 50 ms and the others 50 ms apart. Each token is the time of its sending, from which the reader computes the delay. The
 * stand-in is much faster than the subjects: no routing, no checks, one answer.
 */
const latencyMs = 50;
const tokenEveryMs = 50;
const usage = { prompt_tokens: 12, completion_tokens: 20, total_tokens: 32 };
const about = { id: 'chatcmpl-bench', created: 1_750_000_000, model: 'bench' };
const completion = (content: string): string =>
  JSON.stringify({
    ...about,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage,
  });

/** Milliseconds since the epoch, with a fraction: an answer that is not streamed contains the times of its request and of itself. */
const now = (): string => (performance.timeOrigin + performance.now()).toFixed(2);

const chunk = (delta: object, finish_reason: string | null, more: object = {}): string =>
  `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;

/** Nanoseconds of the system's monotonic clock, which all processes of a machine share. */
const token = (): string => `${process.hrtime.bigint()};`;

async function stream(response: ServerResponse, tokens: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: token() }, null));
  const startedAt = performance.now();
  for (let sent = 1; sent < tokens; sent += 1) {
    await pause(startedAt + sent * tokenEveryMs - performance.now());
    response.write(chunk({ content: token() }, null));
  }
  response.end(`${chunk({}, 'stop', { usage })}data: [DONE]\n\n`);
}

async function complete(response: ServerResponse, body: { stream?: boolean; max_tokens?: number }): Promise<void> {
  const requestedAt = now();
  await pause(latencyMs);
  if (body.stream) return stream(response, body.max_tokens ?? 20);
  response.writeHead(200, { 'content-type': 'application/json', 'x-litellm-response-cost': '0.00042' });
  response.end(completion(`${requestedAt} ${now()}`));
}

/** Every other request is the registration of a team, and succeeds. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse((await text(request)) || '{}');
  if (request.url?.endsWith('/chat/completions')) return complete(response, body);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: [], ...body }));
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(Number(process.env.PORT), '127.0.0.1');
