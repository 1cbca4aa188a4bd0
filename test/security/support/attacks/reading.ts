import { expectOk } from '../../../support/given.ts';
import { sendRequest } from '../../../support/send-request.ts';
import type { Attacker } from '../attacker.ts';
import type { FloodRequest } from '../flood.ts';
import type { Attack } from '../holder-attack.ts';
import { incompressible, insertJobs, insertJobWithCalls } from './records.ts';

interface Reading {
  title: string;
  paths: string[];
  atOnce?: number;
  jobs?: Parameters<typeof insertJobs>[1];
}

/** Readers with the key and with the session of a team, without a pause. */
const reading = ({ title, paths, atOnce = 8, jobs }: Reading): Attack => ({
  title,
  prepare: async (attacker) => {
    if (jobs) await insertJobs(attacker, jobs);
    const pairs = await Promise.all(paths.map((path) => attacker.byKeyAndSession(path)));
    return () => attacker.flood({ requests: pairs.flat(), atOnce });
  },
});

/** Readers of a job with so many calls. */
const readingJob = (title: string, calls: number, pathOf: (job: string) => string): Attack => ({
  title,
  prepare: async (attacker) => {
    const requests = await attacker.byKeyAndSession(pathOf(await insertJobWithCalls(attacker, calls)));
    return () => attacker.flood({ requests, atOnce: 8 });
  },
});

/** A call whose request was stored whole. */
async function storedRequest({ given, team, url, sql, installation }: Attacker, bytes: number): Promise<string> {
  const job = await given.job(team);
  const body = { model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] };
  expectOk(await sendRequest(url, 'post', `/api/jobs/${job}/llm-call`, { key: team.key, body }));
  const { rows } = await installation.pool.query('select call_id from calls where job_id = $1', [job]);
  const { call_id } = rows[0] as { call_id: string };
  const request = JSON.stringify({ messages: [{ role: 'user', content: incompressible(bytes) }] });
  await sql('update call_payloads set request = $2 where call_id = $1', [call_id, request]);
  return `/api/jobs/${job}/calls/${call_id}?include=request&max_bytes=268435456`;
}

const full = { count: 1_500, metadataBytes: 10_000 };

export const attacksByReading: Attack[] = [
  reading({
    title: '8 readers of pages of 1,000 jobs with 10 KB of metadata each',
    paths: ['/api/jobs?limit=1000'],
    jobs: full,
  }),
  reading({
    title: '8 readers of pages of 1,000 jobs with 10 KB of metadata each without a count, and of a team',
    paths: ['/api/jobs?limit=1000&count=none', '/api/jobs?limit=1000&offset=400&sort_by=job_type'],
    jobs: full,
  }),
  reading({
    title: '4 readers of files of 60,000 jobs',
    paths: ['/api/jobs?format=csv'],
    atOnce: 4,
    jobs: { count: 60_000 },
  }),
  reading({
    title: '4 readers of files of 3,000 jobs with 10 KB of metadata',
    paths: ['/api/jobs?format=csv'],
    atOnce: 4,
    jobs: { count: 3_000, metadataBytes: 10_000 },
  }),
  {
    title: '8 readers of a stored request of 29 MB',
    prepare: async (attacker) => {
      const requests = await attacker.byKeyAndSession(await storedRequest(attacker, 29_000_000));
      return () => attacker.flood({ requests, atOnce: 8 });
    },
  },
  {
    title: '8 readers of a stored request of 1 MB',
    prepare: async (attacker) => {
      const requests = await attacker.byKeyAndSession(await storedRequest(attacker, 1_000_000));
      return () => attacker.flood({ requests, atOnce: 8 });
    },
  },
  reading({
    title: '8 readers of figures by user of 20,000 users',
    paths: [
      '/api/usage/series?group_by=user_id&metric=jobs',
      '/api/usage/series?group_by=user_id&metric=tokens&top=20',
    ],
    jobs: { count: 20_000, users: true },
  }),
  reading({
    title: '8 readers who filter 120,000 jobs of 10 KB by metadata',
    paths: ['/api/jobs?metadata.a=1', '/api/jobs/histogram?metadata.a=1'],
    jobs: { count: 120_000, metadataBytes: 10_000 },
  }),
  reading({
    title: '8 readers who search in 100,000 jobs',
    paths: [
      '/api/search?q=zzz',
      '/api/jobs?q=zzz',
      '/api/search?q=task-9',
      '/api/jobs?user_id=nobody',
      '/api/jobs?min_cost_usd=7',
    ],
    jobs: { count: 100_000 },
  }),
  reading({
    title: '8 readers of histograms, sums and deep pages of 100,000 jobs',
    paths: [
      '/api/jobs/histogram?bucket=hour&start_date=2020-01-01',
      '/api/jobs/histogram?user_id=user-7',
      '/api/jobs?limit=1000&offset=99000',
      '/api/usage/series?group_by=job_type&metric=jobs',
      '/api/overview',
      '/api/usage/models',
    ],
    jobs: { count: 100_000 },
  }),
  readingJob(
    '8 readers of the timeline of a job with 60,000 calls',
    60_000,
    (job) => `/api/jobs/${job}/timeline?calls_limit=1000`,
  ),
  readingJob('8 readers of the costs of a job with 60,000 calls', 60_000, (job) => `/api/jobs/${job}/costs`),
  readingJob('8 readers of a job with 60,000 calls', 60_000, (job) => `/api/jobs/${job}`),
  readingJob(
    '8 readers of the file of the calls of a job with 60,000',
    60_000,
    (job) => `/api/jobs/${job}/calls?format=csv`,
  ),
  {
    title: '40 readers of jobs and models with a key at its permitted rate',
    prepare:
      async ({ get, flood }) =>
      () =>
        flood({ requests: ['/v1/models', '/api/jobs?limit=1', '/api/session'].map((path) => get(path)), atOnce: 40 }),
  },
  {
    title: 'pages of 1,000 jobs with 10 KB of metadata that are requested on 200 connections and not read',
    prepare: async (attacker) => {
      await insertJobs(attacker, full);
      const request = `GET /api/jobs?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.team.key}\r\n\r\n`;
      return () => attacker.packets(200, request);
    },
  },
  {
    title: 'pipelined requests of a key for pages of 1,000 jobs with 10 KB of metadata in 3 unread packets',
    prepare: async (attacker) => {
      await insertJobs(attacker, full);
      const request = `GET /api/jobs?limit=1000 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.team.key}\r\n\r\n`;
      return () => attacker.packets(3, request.repeat(400));
    },
  },
  {
    title: 'event streams of 13 teams with key and session',
    prepare: async (attacker) => {
      const path = '/api/events?topics=jobs';
      return async () => {
        for (let n = 0; n < 13; n += 1) {
          const { virtual_key } = await attacker.given.admin('post', '/api/teams/create', {
            organization_id: attacker.team.organizationId,
            team_id: `stream-${n}`,
            model_groups: [],
          });
          const signedIn = await sendRequest(attacker.url, 'post', '/api/session', { body: { virtual_key } });
          const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0]!;
          const requests: FloodRequest[] = [
            { method: 'GET', path, headers: { authorization: `Bearer ${virtual_key}` } },
            { method: 'GET', path, headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-console': '1' } },
          ];
          await attacker.flood({ requests, atOnce: 40, count: 40 });
        }
      };
    },
    underWayMs: 2_000,
    bounds: async ({ url, installation }) => {
      const stopped = new AbortController();
      const answer = await fetch(`${url}/api/events?topics=jobs`, {
        headers: { authorization: `Bearer ${installation.masterKey}` },
        signal: stopped.signal,
      });
      stopped.abort();
      return [{ what: 'status of the stream of an admin', is: answer.status, below: 201 }];
    },
  },
];
