import { gzipSync } from 'node:zlib';
import { hello, singleCallBody } from '../../../support/given.ts';
import type { Attacker } from '../attacker.ts';
import type { Attack } from '../holder-attack.ts';
import { unfinishedRequest } from '../sockets.ts';
import { incompressible, newImage } from './records.ts';

const callsOf = async ({ installation, team }: Attacker): Promise<number> => {
  const { rows } = await installation.pool.query('select count(*)::int as calls from calls where team_id = $1', [
    team.teamId,
  ]);
  return (rows[0] as { calls: number }).calls;
};

/** Tokens that the upstream got from the team, by four bytes a token. */
const tokensBelow = (title: string, fields: object, tokensOfCall: number): Attack => ({
  title,
  prepare: async (attacker) => () => attacker.flood({ requests: bothOf(attacker, fields), atOnce: 12, count: 12 }),
  bounds: async (attacker) => [
    { what: 'tokens in a minute of 60,000', is: (await callsOf(attacker)) * tokensOfCall, below: 180_000 },
  ],
});

/** At both surfaces in turn. */
const bothOf = ({ call, chat }: Attacker, fields: object, headers?: Record<string, string>) => [
  call(fields, headers),
  chat(fields, headers),
];

const thousand = (n: number) => n * 1_000;
const hanging = { models: ['sim-hang'] };

export const attacksByCalling: Attack[] = [
  {
    title: '16 calls of 30 MB at a model that hangs',
    team: hanging,
    underWayMs: 10_000,
    prepare: async ({ chat, flood }) => {
      const requests = [chat({ messages: newImage(30_000_000) })];
      return () => flood({ requests, atOnce: 16, count: 16 });
    },
  },
  {
    title: '60 calls of 30 MB in a minute at a model that answers',
    underWayMs: 5_000,
    prepare: async ({ chat, flood }) => {
      const requests = [chat({ messages: newImage(30_000_000) })];
      return () => flood({ requests, atOnce: 4, perMinute: 60 });
    },
  },
  {
    title: '40 streams of 8 MB of a request each at a model that hangs',
    team: hanging,
    underWayMs: 10_000,
    prepare: async ({ stream, flood }) => {
      const requests = [stream({ messages: newImage(8_000_000) })];
      return () => flood({ requests, atOnce: 40, count: 40 });
    },
  },
  {
    title: '2,000 calls at a model that hangs',
    team: { ...hanging, rpm_limit: 6_000, tpm_limit: 100_000_000 },
    prepare:
      async ({ call, stream, flood }) =>
      async () => {
        // One address may have a tenth of the connections.
        for (const n of [2, 3, 4])
          await flood({
            requests: [call(), stream()],
            atOnce: 667,
            count: 667,
            perMinute: 2_000,
            from: `127.0.0.${n}`,
          });
      },
    underWayMs: 25_000,
  },
  {
    title: 'calls at a model that hangs, 6,000 a minute by clients that leave after 0.5 s',
    team: { ...hanging, rpm_limit: 6_000, tpm_limit: 100_000_000 },
    prepare:
      async ({ call, stream, flood }) =>
      () =>
        flood({ requests: [call(), stream()], atOnce: 80, perMinute: 6_000, abortAfterMs: 500 }),
    underWayMs: 15_000,
  },
  {
    title: 'streams of 60 calls with answers of 8 MB that nobody reads',
    team: { models: ['sim-huge-chunk-8'] },
    underWayMs: 8_000,
    prepare:
      async ({ hold, team }) =>
      () => {
        const body = JSON.stringify(singleCallBody(team, { messages: hello }));
        const headers = { Authorization: `Bearer ${team.key}` };
        return hold(60, () => unfinishedRequest('POST /api/jobs/create-and-call-stream', headers, body, body.length));
      },
  },
  {
    title: 'answers of 8 MB at 60 calls a minute that are repeated by their Idempotency-Key without a pause',
    team: { models: ['sim-huge-chunk-8'] },
    prepare: async (attacker) => {
      const request = attacker.call({}, { 'idempotency-key': 'one' });
      const first = await attacker.flood({ requests: [request], atOnce: 1, count: 1 });
      await first.ended;
      return () => attacker.flood({ requests: [request], atOnce: 20 });
    },
  },
  {
    title: 'answers with 16,000 choices in one event, a call a second',
    team: { models: ['sim-choices-16000'] },
    underWayMs: 3_000,
    prepare:
      async ({ call, stream, flood }) =>
      () =>
        flood({ requests: [stream(), call()], atOnce: 4, perMinute: 60 }),
  },
  {
    title: 'streams of 20,000 chunks with an annotation each, a call a second',
    team: { models: ['sim-annotations-20000'] },
    underWayMs: 3_000,
    prepare:
      async ({ call, stream, flood }) =>
      () =>
        flood({ requests: [stream(), call()], atOnce: 4, perMinute: 60 }),
  },
  {
    title: 'streams of 16,000 pieces of tool calls with ids of their own, a call a second',
    team: { models: ['sim-tool-calls-16000'] },
    underWayMs: 3_000,
    prepare:
      async ({ call, stream, flood }) =>
      () =>
        flood({ requests: [stream(), call()], atOnce: 4, perMinute: 60 }),
  },
  {
    title: 'streams of 20,000 tokens, a call a second',
    team: { models: ['sim-tokens-20000'] },
    underWayMs: 3_000,
    prepare:
      async ({ stream, flood }) =>
      () =>
        flood({ requests: [stream()], atOnce: 4, perMinute: 60 }),
  },
  tokensBelow(
    '12 calls at once of 400 KB of reasoning',
    {
      messages: [
        ...hello,
        { role: 'assistant', content: 'Yes', reasoning_content: 'thought '.repeat(thousand(50)) },
        ...hello,
      ],
    },
    thousand(100),
  ),
  tokensBelow(
    '12 calls at once of 400 KB with a data URL in a text',
    { messages: [{ role: 'user', content: `data:image/png;base64,${incompressible(thousand(400))}` }] },
    thousand(100),
  ),
  tokensBelow(
    '12 calls at once of 400 KB in an unknown field of a message',
    { messages: [{ role: 'user', content: 'Hello', thinking_blocks: [{ text: 'thought '.repeat(thousand(50)) }] }] },
    thousand(100),
  ),
  tokensBelow(
    '12 calls at once of 400 KB in a file',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Read it' },
            {
              type: 'file',
              file: { filename: 'a.txt', file_data: `data:text/plain;base64,${incompressible(thousand(400))}` },
            },
          ],
        },
      ],
    },
    thousand(100),
  ),
  tokensBelow(
    '12 calls at once of 400 KB in the description of a tool',
    {
      tools: [
        {
          type: 'function',
          function: { name: 'x', description: 'word '.repeat(thousand(80)), parameters: { type: 'object' } },
        },
      ],
    },
    thousand(100),
  ),
  {
    title: 'calls of 64 KB with a wrong logit_bias at the permitted rate',
    prepare: async ({ chat, flood }) => {
      const logit_bias = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`, 'wrong']));
      return () => flood({ requests: [chat({ logit_bias })], atOnce: 20 });
    },
  },
  {
    title: 'calls of 64 KB with wrong messages at the permitted rate',
    prepare: async ({ chat, flood }) => {
      const messages = Array.from({ length: 2_000 }, () => ({ role: 'nobody', content: [{}] }));
      return () => flood({ requests: [chat({ messages })], atOnce: 20 });
    },
  },
  {
    title: 'calls of 1 MB to an unknown model at the permitted rate',
    prepare: async ({ call, flood }) => {
      const requests = [call({ model: 'unknown', messages: [{ role: 'user', content: 'word '.repeat(200_000) }] })];
      return () => flood({ requests, atOnce: 20 });
    },
  },
  {
    title: 'calls of 1 MB of many small values to an unknown model at the permitted rate',
    prepare: async ({ call, flood }) => {
      const content = Array.from({ length: 25_000 }, () => ({ type: 'text', text: 'a' }));
      return () => flood({ requests: [call({ model: 'unknown', messages: [{ role: 'user', content }] })], atOnce: 20 });
    },
  },
  {
    title: 'repetitions of a call of 15 MB that is sent as gzip, at the permitted rate',
    prepare: async ({ chat, flood }) => {
      const headers = { 'idempotency-key': 'one', 'content-encoding': 'gzip' };
      const { body, ...rest } = chat({ messages: [{ role: 'user', content: 'x'.repeat(15_000_000) }] }, headers);
      const packed = gzipSync(body!).toString('base64');
      return () => flood({ requests: [{ ...rest, packed }], atOnce: 20 });
    },
  },
  {
    title: 'bodies of 1 MB of brackets from 20 senders',
    prepare: async ({ call, flood }) => {
      const { body: _, ...rest } = call();
      const body = `{"messages":${'['.repeat(500_000)}${']'.repeat(500_000)}}`;
      return () => flood({ requests: [{ ...rest, body }], atOnce: 20 });
    },
  },
  {
    title: '60 calls of 30 MB whose last byte does not come',
    underWayMs: 8_000,
    prepare: async ({ hold, team }) => {
      const body = JSON.stringify({ model: team.modelGroup, messages: newImage(30_000_000) });
      const request = unfinishedRequest(
        'POST /v1/chat/completions',
        { Authorization: `Bearer ${team.key}` },
        body,
        body.length + 1,
      );
      return () => hold(60, () => request);
    },
  },
];
