import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { workflowId } from '../../src/domain/ids.ts';
import { newJobSnapshot } from '../../workflows/contract/workflows.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';
import type { Installation } from './installation.ts';

/** Begins a fault. Resolves with what ends it. */
export type Fault = (at: Installation) => Promise<() => unknown>;

/** Does something ten times a second until it is stopped. Its answers may be errors. */
function repeatedly(work: () => Promise<unknown>, everyMs = 100): () => Promise<void> {
  const running = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    if (running.size >= 40) return;
    const one: Promise<unknown> = work()
      .catch(() => undefined)
      .finally(() => running.delete(one));
    running.add(one);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
  };
}

const pool = (at: Installation): Pool => at.gateway.deps.database.pool;
const teamOf = (at: Installation, models: string[]) => givenIn(at.addressed).team({ models, credits: 10_000 });
const callsOf =
  (model: string): Fault =>
  async (at) => {
    const team = await teamOf(at, [model]);
    return repeatedly(() => as(at.addressed, team).single());
  };
const killing =
  (program: 'api' | 'worker', indexes: number[]): Fault =>
  async (at) => {
    for (const index of indexes) await at.kill(program, index);
    return async () => {
      for (const index of indexes) await at.start(program, index);
    };
  };
const freezing =
  (service: keyof Installation['proxies']): Fault =>
  async ({ proxies }) => {
    proxies[service].freeze();
    return () => proxies[service].thaw();
  };
const wrongKeys =
  (headers: Record<string, string>, path: string): Fault =>
  async ({ addressed }) =>
    repeatedly(() => sendRequest(addressed.current.url, 'get', path, { headers }));

/** Holds a lock of a transaction that somebody has left open. */
async function locking(at: Installation, lock: string): Promise<() => Promise<void>> {
  const holder: PoolClient = await pool(at).connect();
  await holder.query('begin');
  await holder.query(lock);
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

/** Stops and continues the first api, as on a machine without a free core. */
const starving: Fault = async (at) => {
  const pid = at.pid('api', 0);
  const timers: NodeJS.Timeout[] = [];
  const pulse = setInterval(() => {
    process.kill(pid, 'SIGSTOP');
    timers.push(setTimeout(() => process.kill(pid, 'SIGCONT'), 600));
  }, 800);
  return () => {
    clearInterval(pulse);
    for (const timer of timers) clearTimeout(timer);
    process.kill(pid, 'SIGCONT');
  };
};

async function webhookOf(at: Installation): Promise<GivenTeam> {
  const team = await teamOf(at, ['sim-ok']);
  const webhook = { team_id: team.teamId, webhook_url: 'http://127.0.0.1:9/hook', events: ['job.completed'] };
  expectOk(await as(at.addressed, team).post('/api/webhooks/register', webhook));
  for (let jobs = 0; jobs < 5; jobs += 1) expectOk(await as(at.addressed, team).single());
  return team;
}

/** The alerts of `deploy/monitoring/rules.yml`, each with a fault that it has to find. */
export const faults: Record<string, Fault> = {
  GatewayApiDown: killing('api', [1]),
  GatewayNoApi: killing('api', [0, 1]),
  GatewayWorkerDown: killing('worker', [1]),
  GatewayNoWorker: killing('worker', [0, 1]),
  GatewayVersionsDiffer: async ({ other }) => {
    other.serve('gateway_build_info{service="api",version="0.0.1",node="v24.0.0"} 1\n');
    return () => other.serve('');
  },
  GatewayDatabaseDown: freezing('database'),
  GatewayTemporalDown: freezing('temporal'),
  GatewayRedisDown: freezing('redis'),
  GatewayUpstreamDown: freezing('upstream'),
  GatewayRefusesRequests: async (at) => {
    const team = await teamOf(at, ['sim-ok']);
    await at.kill('worker', 0);
    await at.kill('worker', 1);
    const stop = repeatedly(() => as(at.addressed, team).single());
    return async () => {
      await stop();
      await at.start('worker', 0);
      await at.start('worker', 1);
    };
  },
  GatewayInternalErrors: async (at) => {
    await pool(at).query('alter table organizations rename column name to moved');
    const { url, masterKey: key } = at.addressed.current;
    const stop = repeatedly(() => sendRequest(url, 'get', '/api/organizations', { key }));
    return async () => {
      await stop();
      await pool(at).query('alter table organizations rename column moved to name');
    };
  },
  GatewayKeysInvalid: wrongKeys({ authorization: 'Bearer sk-of-nobody' }, '/api/jobs'),
  GatewayLoginsRefused: wrongKeys({ 'x-admin-key': 'guessed' }, '/api/teams'),
  GatewayAddsLatency: async (at) => {
    const stopCalls = await callsOf('sim-ok')(at);
    const pulse = setInterval(() => {
      at.proxies.temporal.freeze();
      setTimeout(() => at.proxies.temporal.thaw(), 500);
    }, 700);
    return async () => {
      clearInterval(pulse);
      at.proxies.temporal.thaw();
      await stopCalls();
    };
  },
  GatewayThreadBusy: starving,
  GatewayWaitsForDatabase: async (at) => {
    const team = await teamOf(at, ['sim-ok']);
    const unlock = await locking(at, 'lock table calls in exclusive mode');
    const stop = repeatedly(() => as(at.addressed, team).single());
    return async () => {
      await unlock();
      await stop();
    };
  },
  GatewayCallsFail: callsOf('sim-fail-503'),
  GatewayModelUnusable: callsOf('sim-fail-404'),
  GatewayModelRateLimited: callsOf('sim-fail-429'),
  GatewayCallsWait: async (at) => {
    const team = await teamOf(at, ['sim-ok']);
    const job = await givenIn(at.addressed).job(team);
    const call = await insertUnsentCall(at.gateway, team, job);
    await pool(at).query("update calls set created_at = now() - interval '1 minute' where call_id = $1", [call]);
    return async () => {
      await pool(at).query('delete from call_payloads where call_id = $1', [call]);
      await pool(at).query('delete from calls where call_id = $1', [call]);
    };
  },
  GatewayWorkerFull: async (at) => {
    const team = await teamOf(at, ['sim-slow-15000']);
    const calls = Array.from({ length: 40 }, () => as(at.addressed, team).single());
    return () => Promise.allSettled(calls);
  },
  GatewayCallsHang: async (at) => {
    const team = await teamOf(at, ['sim-slow-20000']);
    const calls = Array.from({ length: 15 }, () => as(at.addressed, team).single());
    return () => Promise.allSettled(calls);
  },
  GatewayActivitiesFail: async (at) => {
    const team = await teamOf(at, ['sim-ok']);
    await at.kill('worker', 0);
    await at.kill('worker', 1);
    await at.start('worker', 0, { MASTER_KEY: `another-${randomUUID()}${randomUUID()}` });
    const stop = repeatedly(() => as(at.addressed, team).single(), 500);
    return async () => {
      await at.kill('worker', 0);
      await at.start('worker', 0);
      await at.start('worker', 1);
      await stop();
    };
  },
  GatewayTemporalRefuses: async (at) => {
    const team = await teamOf(at, ['sim-slow-700']);
    return repeatedly(async () => {
      const job = await givenIn(at.addressed).job(team);
      const call = as(at.addressed, team).call(job);
      await until(async () => {
        const { rows } = await pool(at).query("select from calls where job_id = $1 and status = 'running'", [job]);
        return rows.length > 0;
      });
      // Its worker answers a workflow that has ended.
      await at.gateway.deps.temporal.client.workflow.getHandle(workflowId.job(job)).terminate();
      await call;
    }, 300);
  },
  GatewayJobsStuck: async (at) => {
    const { client, taskQueue } = at.gateway.deps.temporal;
    const team = await teamOf(at, ['sim-ok']);
    const job_id = randomUUID();
    const identity = {
      job_id,
      team_id: team.teamId,
      organization_id: team.organizationId,
      job_type: 'report',
      single_call: false,
      for_task: false,
    };
    const now = Date.now();
    const view = {
      status: 'in_progress',
      started_at: now,
      model_groups_used: [],
      metadata: {},
      updated_at: now,
    } as const;
    const handle = await client.workflow.start('job', {
      taskQueue,
      workflowId: workflowId.job(job_id),
      args: [{ state: newJobSnapshot(99, identity, { ...view, model_groups_used: [] }), idle_timeout_ms: 60_000 }],
    });
    return () => handle.terminate();
  },
  GatewaySettlementsFail: async (at) => {
    const team = await teamOf(at, ['sim-ok']);
    const jobs = await Promise.all(Array.from({ length: 4 }, () => givenIn(at.addressed).job(team)));
    const lock = `select from credit_accounts where team_id = '${team.teamId}' for update`;
    const unlock = await locking(at, lock);
    const ends = jobs.map((job) => as(at.addressed, team).complete(job));
    return async () => {
      await unlock();
      await Promise.allSettled(ends);
    };
  },
  GatewayLedgerMismatch: async (at) => {
    const { teamId } = await teamOf(at, ['sim-ok']);
    await pool(at).query(`begin; set local session_replication_role = replica;
      update credit_accounts set credits_allocated = credits_allocated + 7 where team_id = '${teamId}'; commit`);
    // A worker compares once in five minutes, and when it starts.
    await at.kill('worker', 1);
    await at.start('worker', 1);
    return async () => {
      // As the runbook has it, under the triggers.
      const { rows } = await pool(at).query(
        'select credits_after from credit_transactions where team_id = $1 order by position desc limit 1',
        [teamId],
      );
      const values = [rows[0].credits_after, teamId];
      await pool(at).query(
        'update credit_accounts set credits_allocated = $1 + credits_used where team_id = $2',
        values,
      );
      await at.kill('worker', 1);
      await at.start('worker', 1);
    };
  },
  GatewayMaintenanceStopped: async (at) => {
    const stop = repeatedly(() => pool(at).query("update maintenance_steps set ran_at = now() - interval '1 hour'"));
    return async () => {
      await stop();
      await pool(at).query('update maintenance_steps set ran_at = now()');
    };
  },
  GatewayMaintenanceFails: async (at) => {
    await pool(at).query("update maintenance_steps set handled = null where step = 'rollUpCalls'");
    return () => pool(at).query("update maintenance_steps set handled = 0 where step = 'rollUpCalls'");
  },
  GatewayWebhooksFail: async (at) => {
    await webhookOf(at);
    return () => pool(at).query('update webhooks set is_active = false');
  },
  GatewayDeliveriesWait: async (at) => {
    await webhookOf(at);
    const stop = repeatedly(() => pool(at).query('update webhook_deliveries set started_at = null'));
    return async () => {
      await stop();
      await pool(at).query('update webhook_deliveries set started_at = now()');
      await pool(at).query('update webhooks set is_active = false');
    };
  },
};

/** Requests of each kind, so that every panel of a dashboard has something to show. */
export async function makeTraffic(at: Installation): Promise<number> {
  const team = await teamOf(at, ['sim-tokens-7']);
  const limited = await givenIn(at.addressed).team({ rpm_limit: 1 });
  const failing = await teamOf(at, ['sim-fail-503']);
  for (let turn = 0; turn < 3; turn += 1) {
    expectOk(await as(at.addressed, team).single());
    expectOk(await as(at.addressed, team).singleStream());
    await as(at.addressed, failing).single();
    await as(at.addressed, limited).single({ messages: hello });
  }
  await sendRequest(at.addressed.current.url, 'get', '/nowhere');
  // Three of each, and the one that the limit permits.
  return 10;
}
