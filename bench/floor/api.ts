import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Client, Connection } from '@temporalio/client';
import { Redis } from 'ioredis';
import * as workflows from './workflows.ts';

/**
 * The least that a durable call needs with Temporal: HTTP, a signal, an activity, Redis, HTTP. Without database, credentials, checks and
 * limits. `POST /jobs`, `POST /jobs/<id>/call`, `POST /create-and-call`.
 */
const { PORT, TEMPORAL_ADDRESS, REDIS_URL = '', TEMPORAL_TASK_QUEUE = '' } = process.env;
const client = new Client({ connection: await Connection.connect({ address: TEMPORAL_ADDRESS }) });
const redis = new Redis(REDIS_URL);
const reply_to = `floor:${randomUUID()}`;
const waiting = new Map<string, (content: string) => void>();
redis.on('message', (_channel, message: string) => {
  const { call_id, content } = JSON.parse(message) as { call_id: string; content: string };
  waiting.get(call_id)?.(content);
  waiting.delete(call_id);
});
await redis.subscribe(reply_to);

async function createJob(): Promise<object> {
  const workflowId = `floor-${randomUUID()}`;
  await client.workflow.start(workflows.floorJob, { workflowId, taskQueue: TEMPORAL_TASK_QUEUE });
  return { job_id: workflowId };
}

async function makeCall(jobId: string, request: string): Promise<object> {
  const call_id = randomUUID();
  const { promise, resolve } = Promise.withResolvers<string>();
  waiting.set(call_id, resolve);
  await client.workflow.getHandle(jobId).signal(workflows.call, { call_id, reply_to, request });
  return { call_id, content: await promise };
}

async function createAndCall(request: string): Promise<object> {
  const call_id = randomUUID();
  const options = { workflowId: `floor-${call_id}`, taskQueue: TEMPORAL_TASK_QUEUE };
  const content = await client.workflow.execute(workflows.floorSingle, { ...options, args: [{ call_id, request }] });
  return { call_id, content };
}

function handle(path: string, body: string): Promise<object> {
  if (path === '/jobs') return createJob();
  if (path === '/create-and-call') return createAndCall(body);
  return makeCall(path.split('/')[2]!, body);
}

const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  try {
    const answer = await handle(request.url ?? '', await text(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(500).end((error as Error).message);
  }
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
