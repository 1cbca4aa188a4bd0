import { CallRequest } from '../../activities/call-upstream/call-request.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { createSecrets } from '../../src/auth/secrets.ts';
import type { CallToExecute } from '../../src/db/calls/start-call.ts';
import { teamHolder } from '../../src/holders/holder.ts';
import { createWorkerMeasures } from '../../src/holders/measures.ts';
import { createStoredBytes } from '../../src/holders/stored-bytes.ts';
import { RefusedFields } from '../../src/upstream/refused-fields.ts';
import type { SentOnce } from '../../src/upstream/request-body.ts';

const image = `data:image/png;base64,${'A'.repeat(400_000)}`;
const longText = JSON.stringify({ messages: [{ role: 'user', content: image }] });

/** The request of a call whose stored texts are these; `reads` counts how often a long one was read. */
function requestOf(texts: { request: string; options?: string | null }, heldBytes = 100_000_000) {
  const { request, options = null } = texts;
  const bytes = request.length + (options?.length ?? 0);
  const isShort = bytes <= 262_144;
  const reads = { count: 0 };
  const database = {
    async query() {
      reads.count += 1;
      return [{ request, options }];
    },
  };
  const measures = createWorkerMeasures({ WORKER_HELD_BYTES: heldBytes });
  const call = {
    call_id: 'a-call',
    team_id: 'acme',
    request: isShort ? request : null,
    options: isShort ? options : null,
    request_bytes: bytes,
    extra_fields: ['top_k'],
    blocked_fields: null,
    max_output_tokens: null,
  } as CallToExecute;
  const config = { PAYLOAD_KEEP_BYTES: 262_144 };
  const storedBytes = createStoredBytes(1_000_000_000);
  const secrets = createSecrets('a'.repeat(32));
  const deps = {
    config,
    database,
    measures,
    secrets,
    refusedFields: new RefusedFields(),
    storedBytes,
  } as unknown as ActivityDeps;
  return { source: new CallRequest(deps, call), reads, bytes: measures.bytes };
}

const sent = { model: 'a-model', streamed: false, signal: new AbortController().signal };

async function textOf(content: string | SentOnce): Promise<string> {
  if (typeof content === 'string') return content;
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('the body has the permitted fields, those of the request and the model, and every number as it was written', async () => {
  const { source } = requestOf({
    request: '{"messages":[{"role":"user","content":"hi"}],"seed":12345678901234567890}',
    options: '{"parts":"all","extra":{"top_k":98765432109876543210,"not_permitted":1}}',
  });

  const { content, parts } = await source.open({ ...sent, streamed: true });

  expect([content, parts]).toEqual([
    '{"top_k":98765432109876543210,"messages":[{"role":"user","content":"hi"}],"seed":12345678901234567890,' +
      '"model":"a-model","stream":true,"stream_options":{"include_usage":true}}',
    'all',
  ]);
});

test.each(['{}', '{ }'])('the body of a request without fields, stored as %s, has the model alone', async (request) => {
  expect((await requestOf({ request }).source.open(sent)).content).toBe('{"model":"a-model"}');
});

test('a long request is read for each model, sent as it is stored, and kept without its data URLs', async () => {
  const { source, reads } = requestOf({ request: longText });

  for (const model of ['first', 'second']) {
    const body = await source.open({ ...sent, model });
    expect(await textOf(body.content)).toBe(`${longText.slice(0, -1)},"model":"${model}"}`);
    body.close();
  }

  expect(reads.count).toBe(2);
  expect(source.kept().kept_request).toMatch(/data:image\/png;bytes=300000;sha256=[0-9a-f]{64}"/);
});

test('a long request gives its bytes back when it is sent, before the answer is there', async () => {
  const { source, bytes } = requestOf({ request: longText }, 4 * 3 * longText.length);
  const { content } = await source.open(sent);
  let isFree = false;
  const acquired = bytes.acquire(teamHolder('acme'), { weight: 1 }).then(() => {
    isFree = true;
  });
  await new Promise(setImmediate);
  expect(isFree).toBe(false);

  await textOf(content);
  await acquired;

  expect(isFree).toBe(true);
});

test('a long request whose call is cancelled while it waits for bytes is not read, and gives its turn to the next one', async () => {
  const { source, bytes, reads } = requestOf({ request: longText }, 4);
  const release = await bytes.acquire(teamHolder('acme'));
  const cancellation = new AbortController();
  const waiting = source.open({ ...sent, signal: cancellation.signal });
  const reason = new Error('cancelled');

  cancellation.abort(reason);

  await expect(waiting).rejects.toBe(reason);
  release();
  expect((await source.open(sent)).content).toHaveLength(longText.length + ',"model":"a-model"'.length);
  expect(reads.count).toBe(1);
});

test('a translated request is sent again without the optional fields that the model refused and that it had (spec 31.5)', async () => {
  const { source } = requestOf({
    request: '{"messages":[],"verbosity":"low","temperature":1}',
    options: '{"parts":"sealed"}',
  });

  const body = await source.open(sent);

  expect(body.leaveOut(['reasoning_effort'])).toBe(false);
  expect(body.leaveOut(['verbosity', 'reasoning_effort'])).toBe(true);
  expect((await source.open(sent)).content).toBe('{"messages":[],"temperature":1,"model":"a-model"}');
  expect((await source.open({ ...sent, model: 'other' })).content).toContain('verbosity');
});

test('a chat completion keeps the fields that the model has refused: its client has chosen them (spec 31.5)', async () => {
  const body = await requestOf({ request: '{"verbosity":"low"}', options: '{"parts":"all"}' }).source.open(sent);

  expect(body.leaveOut(['verbosity'])).toBe(false);
});
