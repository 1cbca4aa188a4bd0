import { Client, Connection } from '@temporalio/client';
import { services } from '../../../support/services.ts';
import type { Attacker } from '../attacker.ts';
import type { Attack, Bound } from '../holder-attack.ts';
import { incompressible } from './records.ts';

/** One such call a minute is permitted, whatever its length. */
const textOf = (bytes: number) => [{ role: 'user', content: incompressible(bytes) }];

const mebibyte = 1_048_576;

async function one({ installation, team }: Attacker, sql: string): Promise<number> {
  const { rows } = await installation.pool.query(sql, sql.includes('$1') ? [team.teamId] : []);
  return Number(Object.values(rows[0] as object)[0]);
}

/** Of what the calls of the team were: requests, answers and what they have beside them. */
const keptText = async (attacker: Attacker): Promise<Bound> => {
  const sql = `select coalesce(sum(octet_length(request) + coalesce(octet_length(response), 0)), 0) from call_payloads
                 join calls using (call_id) where team_id = $1 and finished_at is not null`;
  return { what: 'megabytes of texts of ended calls', is: (await one(attacker, sql)) / mebibyte, below: 5 };
};

/** Bytes of the histories of jobs of the team, by a sample. */
async function historyBytes({ installation, team }: Attacker): Promise<number> {
  const { rows } = await installation.pool.query(
    'select job_id from jobs where team_id = $1 order by created_at limit 40',
    [team.teamId],
  );
  const connection = await Connection.connect({ address: services.temporalAddress });
  const client = new Client({ connection, namespace: services.temporalNamespace });
  const sizes = await Promise.all(
    rows.map(async ({ job_id }) => (await client.workflow.getHandle(`job-${job_id}`).describe()).historySize ?? 0),
  );
  await connection.close();
  return sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
}

const creating = (title: string, metadata: object): Attack => ({
  title,
  underWayMs: 50_000,
  prepare:
    async ({ post, flood, team }) =>
    () =>
      flood({
        requests: [post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', metadata })],
        atOnce: 10,
        perMinute: 1_180,
      }),
  bounds: async (attacker) => {
    const jobs = await one(attacker, 'select count(*) from jobs where team_id = $1');
    const history = await historyBytes(attacker);
    return [
      { what: 'jobs in a minute', is: jobs, below: 400 },
      { what: 'bytes of the history of a job', is: history, below: 20_000 },
      { what: 'megabytes of histories in a minute', is: (history * jobs) / mebibyte, below: 5 },
    ];
  },
});

export const attacksByFilling: Attack[] = [
  creating('jobs with 10 KB of metadata that are created for a minute at the permitted rate', {
    text: incompressible(10_000),
  }),
  creating('jobs without metadata that are created for a minute at the permitted rate', {}),
  {
    title: 'calls of 29 MB that the model refuses',
    team: { models: ['sim-overflow-code'] },
    underWayMs: 10_000,
    prepare: async ({ chat, flood }) => {
      const requests = [chat({ messages: textOf(29_000_000) })];
      return () => flood({ requests, atOnce: 2, perMinute: 60 });
    },
    bounds: async (attacker) => [await keptText(attacker)],
  },
  {
    title: 'calls of 29 MB that the model answers, one after the other',
    underWayMs: 10_000,
    prepare: async ({ chat, flood }) => {
      const requests = [chat({ messages: textOf(29_000_000) })];
      return () => flood({ requests, atOnce: 2, perMinute: 60 });
    },
    bounds: async (attacker) => [await keptText(attacker)],
  },
  {
    title: 'answers of 16 MB at the permitted rate',
    team: { models: ['sim-huge-chunk-16'] },
    underWayMs: 10_000,
    prepare:
      async ({ call, stream, flood }) =>
      () =>
        flood({ requests: [call(), stream()], atOnce: 4, perMinute: 60 }),
    bounds: async (attacker) => [await keptText(attacker)],
  },
  {
    title: '500 sign-ins with one key',
    prepare:
      async ({ flood, team }) =>
      () => {
        const body = JSON.stringify({ virtual_key: team.key });
        const headers = { 'content-type': 'application/json' };
        return flood({ requests: [{ method: 'POST', path: '/api/session', headers, body }], atOnce: 10, count: 500 });
      },
    bounds: async (attacker) => [
      { what: 'rows of the audit log', is: await one(attacker, 'select count(*) from audit_log'), below: 50 },
      { what: 'sessions', is: await one(attacker, 'select count(*) from team_sessions'), below: 101 },
    ],
  },
  {
    title: 'refused calls with texts of 60 KB at the permitted rate',
    prepare: async ({ call, flood }) => {
      const requests = [call({ model: incompressible(60_000) }), call({ job_type: incompressible(60_000) })];
      return () => flood({ requests, atOnce: 20 });
    },
  },
  {
    title: 'small jobs that are completed and repeated with keys of 255 bytes at the permitted rate',
    prepare:
      async ({ post, flood, team }) =>
      () => {
        const headers = { 'idempotency-key': `{n}-${'k'.repeat(240)}` };
        const create = post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' }, headers);
        return flood({ requests: [create], atOnce: 10, perMinute: 1_180 });
      },
    bounds: async (attacker) => [
      { what: 'jobs', is: await one(attacker, 'select count(*) from jobs where team_id = $1'), below: 400 },
    ],
  },
];
