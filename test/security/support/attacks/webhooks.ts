import { sendRequest } from '../../../support/send-request.ts';
import { answering, type Behaviour, hanging, startReceiver } from '../../../webhook-delivery/receiver.ts';
import type { Attacker } from '../attacker.ts';
import type { Attack, Bound } from '../holder-attack.ts';

const onLoopback = { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' };
const events = ['job.created', 'job.started', 'job.completed', 'job.failed', 'job.cancelled'];

/** As many webhooks as the team may have, each with every event, at one receiver. */
async function registerAll({ team, url, atEnd }: Attacker, behave: Behaviour): Promise<string[]> {
  const receiver = await startReceiver(behave);
  atEnd(() => receiver.close());
  const ids: string[] = [];
  for (let n = 0; n < 250; n += 1) {
    const body = { team_id: team.teamId, webhook_url: `${receiver.url}/${n}`, events };
    const answer = await sendRequest(url, 'post', '/api/webhooks/register', { key: team.key, body });
    if (answer.status !== 200) break;
    ids.push(answer.body.webhook_id);
  }
  return ids;
}

/** Deliveries that have begun: what strangers and the worker get. */
const begun = async ({ installation, team }: Attacker): Promise<Bound> => {
  const sql = `select count(*)::int as begun from webhook_deliveries join webhooks using (webhook_id) where team_id = $1 and started_at is not null`;
  const { rows } = await installation.pool.query(sql, [team.teamId]);
  return { what: 'deliveries that were begun', is: (rows[0] as { begun: number }).begun, below: 1_300 };
};

const creating = (title: string, behave: Behaviour, sending: { count?: number; perMinute?: number }): Attack => ({
  title,
  settings: onLoopback,
  prepare: async (attacker) => {
    await registerAll(attacker, behave);
    const create = attacker.post('/api/jobs/create', { team_id: attacker.team.teamId, job_type: 'report' });
    return () => attacker.flood({ requests: [create], atOnce: 20, ...sending });
  },
  bounds: async (attacker) => [await begun(attacker)],
});

export const attacksByWebhooks: Attack[] = [
  creating('60 jobs of a team with all webhooks that it may have, at a fast receiver', answering(200), { count: 60 }),
  creating('60 jobs of a team with all webhooks that it may have, at a receiver that hangs', hanging, { count: 60 }),
  creating('60 jobs of a team with all webhooks that it may have, at a receiver that refuses', answering(500), {
    count: 60,
  }),
  creating('jobs of a team with all webhooks that it may have, created at the permitted rate', answering(200), {
    perMinute: 1_180,
  }),
  {
    title: 'calls of a team with all webhooks that it may have, at its permitted rate',
    settings: onLoopback,
    prepare: async (attacker) => {
      await registerAll(attacker, answering(200));
      return () => attacker.flood({ requests: [attacker.call()], atOnce: 10 });
    },
    bounds: async (attacker) => [await begun(attacker)],
  },
  {
    title: 'tests of all webhooks that a team may have, at a receiver that hangs',
    settings: onLoopback,
    prepare: async (attacker) => {
      const ids = await registerAll(attacker, hanging);
      const requests = ids.map((id) => attacker.post(`/api/webhooks/${id}/test`, {}));
      return () => attacker.flood({ requests, atOnce: 20 });
    },
    bounds: async (attacker) => [await begun(attacker)],
  },
  {
    title: 'registration and deletion of webhooks without a pause',
    settings: onLoopback,
    prepare: async (attacker) => {
      const [id] = await registerAll(attacker, answering(200));
      const { team, post, patch, flood } = attacker;
      const register = post('/api/webhooks/register', {
        team_id: team.teamId,
        webhook_url: 'http://127.0.0.1:9/',
        events,
      });
      return () =>
        flood({ requests: [register, patch(`/api/webhooks/${id}`, { events: ['job.created'] })], atOnce: 10 });
    },
    bounds: async ({ installation }) => {
      const { rows } = await installation.pool.query('select count(*)::int as rows from audit_log');
      return [{ what: 'rows of the audit log', is: (rows[0] as { rows: number }).rows, below: 400 }];
    },
  },
];
