import { randomBytes } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { as, givenIn, unique } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { minutes } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ settings: { LOG_LEVEL: 'trace', WEBHOOK_RETRY_DELAYS: '0s,100ms' } });
const given = givenIn(installation);

/** Stores prompts and answers unchanged, by design and apart from the record: `spec 13.4`, `PAYLOAD_RETENTION_DAYS`. */
const payloads = 'call_payloads';

test(
  'no log, error, Temporal history or database column contains a key, password, token, prompt or answer (spec 2.5, spec 2.12)',
  async () => {
    const { apis, workers, masterKey, environment, temporal, url, pool } = installation.current;
    const canary = (what: string) => `canary-${what}-${randomBytes(9).toString('hex')}`;
    const inputs = { prompt: canary('prompt'), password: canary('password'), authHeader: canary('auth-header') };
    const team = await given.team({ models: ['sim-echo'] });
    const failing = await given.team({ models: ['sim-fail-500'] });
    const secrets: Record<string, string> = { ...inputs, masterKey, upstreamKey: environment.UPSTREAM_MASTER_KEY! };
    Object.assign(secrets, { teamKey: team.key, failingTeamKey: failing.key });
    const answers: string[] = [];

    await sendSecrets();
    const places: [string, string][] = [
      ['an error or answer', answers.join('\n')],
      ...[...apis, ...workers].map((one): [string, string] => [`the log of the ${one.kind}`, one.log]),
      ['a Temporal history', await histories()],
      ['the dumped database', await dump()],
    ];

    const hits = places.flatMap(([where, text]) =>
      Object.entries(secrets)
        .filter(([, secret]) => text.includes(secret))
        .map(([what]) => `${what} is in ${where}`),
    );
    expect(hits).toEqual([]);
    expect(
      (await pool.query(`select from ${payloads} where request like '%' || $1 || '%'`, [inputs.prompt])).rowCount,
    ).toBe(4);
    for (const [where, text] of places) expect([where, text.length > 100]).toEqual([where, true]);
    figures('canaries', {
      'secrets, places, bytes searched': `${Object.keys(secrets).length}, ${places.length}, ${places.reduce((sum, [, text]) => sum + text.length, 0)}`,
      hits: hits.length,
    });

    /** Sends every kind of request that carries a secret, successful and refused. */
    async function sendSecrets(): Promise<void> {
      const email = `${unique('owner')}@example.com`;
      const setUp = await sendRequest(url, 'post', '/api/admin-users/setup', {
        body: { email, display_name: 'Owner', password: inputs.password },
      });
      const login = await sendRequest(url, 'post', '/api/admin-users/login', {
        body: { email, password: inputs.password },
      });
      Object.assign(secrets, { setUpToken: setUp.body.access_token, loginToken: login.body.access_token });
      const refused = await sendRequest(url, 'post', '/api/admin-users/login', {
        body: { email, password: `${inputs.password}-wrong` },
      });
      const webhook = { team_id: team.teamId, webhook_url: 'http://127.0.0.1:9/', events: ['job.completed'] };
      const registered = await as(installation, team).post('/api/webhooks/register', {
        ...webhook,
        auth_header: `Bearer ${inputs.authHeader}`,
      });
      Object.assign(secrets, { webhookSecret: registered.body.secret });
      const messages = [{ role: 'user', content: inputs.prompt }];
      for (const one of [team, failing]) {
        const job = await given.job(one);
        const [called, streamed] = [
          as(installation, one).call(job, { messages }),
          as(installation, one).stream(job, { messages }),
        ];
        // The echo model answers with the prompt. Only the answers of the other team must not contain it.
        const received = await Promise.all([called, streamed]);
        if (one === failing) answers.push(...received.map(({ text }) => text));
        await as(installation, one).complete(job, 'completed', {});
      }
      const unreadable = await as(installation, team).post('/api/jobs/create-and-call', { messages, model: 7 });
      const unknownKey = await sendRequest(url, 'get', '/api/jobs', { key: `${team.key}x` });
      answers.push(refused.text, unreadable.text, unknownKey.text);
      const done = `select from webhook_deliveries where status = 'exhausted'`;
      await until(async () => (await pool.query(done)).rowCount === 1);
    }

    /** The histories, with their base64 payloads decoded. */
    async function histories(): Promise<string> {
      const texts: string[] = [];
      const query = `TaskQueue = '${environment.TEMPORAL_TASK_QUEUE}'`;
      for await (const { workflowId } of temporal.workflow.list({ query })) {
        const text = historyToJSON(await temporal.workflow.getHandle(workflowId).fetchHistory());
        const inside = [...text.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g)];
        texts.push(text, ...inside.map(([, data]) => Buffer.from(data!, 'base64').toString()));
      }
      return texts.join('\n');
    }

    /** Every column of every table except the payloads, as text, like a plain dump. */
    async function dump(): Promise<string> {
      const { rows: tables } = await pool.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> $1`,
        [payloads],
      );
      const texts: string[] = [];
      for (const { name } of tables) {
        const { rows } = await pool.query<{ text: string }>(`select t::text as text from "${name}" t`);
        texts.push(name, ...rows.map(({ text }) => withBytesReadable(text)));
      }
      return texts.join('\n');
    }
  },
  minutes(2, 5),
);

/** Adds to a text with bytea values (`\x…`) these values as text. */
const withBytesReadable = (text: string): string =>
  [text, ...[...text.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1'))].join(
    '\n',
  );
