import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { type Client, openClient } from './packages.ts';
import { runQuery } from './run-query.ts';

/**
 * The query engine that LiteLLM's database client starts and speaks GraphQL with. Prisma's own is a program that is downloaded from
 * Prisma's server; this one is Prisma's JavaScript client, which is on npm, behind the same requests.
 */

/** The version that the client asks for. */
if (process.argv.includes('--version')) {
  process.stdout.write('query-engine 393aa359c9ad4a4bb28630fb5613f9c281cde053\n');
  process.exit(0);
}

const client = openClient(process.env.DATABASE_URL!);

interface Transaction {
  client: Client;
  end(): void;
  fail(reason: Error): void;
  ended: Promise<unknown>;
}
const transactions = new Map<string, Transaction>();

async function begin({ max_wait = 2_000, timeout = 5_000 }): Promise<string> {
  const id = randomUUID();
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ended = client
    .$transaction(
      (inner) => {
        transactions.set(id, { client: inner, end: end.resolve, fail: end.reject, ended });
        begun.resolve();
        return end.promise;
      },
      { maxWait: max_wait, timeout },
    )
    .catch(begun.reject);
  await begun.promise;
  return id;
}

async function finish(id: string, how: string): Promise<void> {
  const transaction = transactions.get(id);
  transactions.delete(id);
  if (how === 'commit') transaction?.end();
  else transaction?.fail(new Error('rolled back'));
  await transaction?.ended;
}

/** The failure in the form of the engine: the client turns its code into an exception. */
function failure(error: unknown) {
  const { code = '', message, meta = {} } = error as { code?: string; message: string; meta?: object };
  const error_code = /^P\d{4}$/.test(code) ? code : 'P2010';
  return { errors: [{ error: message, user_facing_error: { is_panic: false, message, meta, error_code } }] };
}

const result = (inClient: Client, query: string) =>
  runQuery(inClient, query).then((value) => ({ data: { result: value } }), failure);

interface Batch {
  batch?: { query: string }[];
  query: string;
}

async function respond(path: string, body: string, transactionId: string | undefined): Promise<unknown> {
  if (path === '/transaction/start') return { id: await begin(JSON.parse(body)) };
  const [, id, how] = /^\/transaction\/([\w-]+)\/(commit|rollback)$/.exec(path) ?? [];
  if (id && how) return finish(id, how);
  if (body === '') return { status: 'ok' };
  const { batch, query }: Batch = JSON.parse(body);
  const inClient = transactionId === undefined ? client : transactions.get(transactionId)!.client;
  if (!batch) return result(inClient, query);
  const runAll = async (within: Client) => {
    const batchResult = [];
    for (const one of batch) batchResult.push({ data: { result: await runQuery(within, one.query) } });
    return { batchResult };
  };
  return transactionId === undefined ? client.$transaction(runAll, { timeout: 30_000 }) : runAll(inClient);
}

const toText = (value: unknown): string =>
  JSON.stringify(value ?? {}, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));

http
  .createServer(async (request, response) => {
    const transactionId = request.headers['x-transaction-id'] as string | undefined;
    const answer = await respond(request.url!, await text(request), transactionId).catch(failure);
    response.setHeader('content-type', 'application/json').end(toText(answer));
  })
  .listen(Number(process.argv[process.argv.indexOf('-p') + 1]), 'localhost');

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit());
