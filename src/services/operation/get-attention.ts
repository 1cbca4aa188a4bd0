import type { z } from 'zod';
import type { Attention } from '../../contracts/attention.ts';
import { type AttentionFigures, readAttention } from '../../db/figures/read-attention.ts';
import type { Health } from '../../health/health.ts';
import type { UpstreamState } from '../../health/watch-upstream.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

type Item = z.input<typeof Attention>['items'][number];

/** A job in which nothing has happened for this part of its idle timeout is near its end. */
const nearIdleEnd = 0.9;
/** The sums by the hour lag behind far less. */
const lateMs = 10 * 60_000;

const item = (
  kind: Item['kind'],
  severity: Item['severity'],
  { type, id }: Item['link'],
  texts: Pick<Item, 'title' | 'detail' | 'since'>,
): Item => ({ kind, severity, ...texts, link: { type, id } });

const downItems = (health: Health & { upstream: UpstreamState }): Item[] =>
  Object.entries(health)
    .filter(([, status]) => status === 'down')
    .map(([name]) =>
      item(
        'dependency_down',
        'critical',
        { type: 'system', id: name },
        {
          title: `${name} is down`,
          detail: 'It does not respond, or not as it has to',
          since: null,
        },
      ),
    );

const teamItems = ({ teams }: AttentionFigures): Item[] =>
  teams.rows.map(({ team_id, team_alias, credits_remaining, base, since }) => {
    const isEmpty = credits_remaining <= 0;
    const name = team_alias ?? team_id;
    return item(
      isEmpty ? 'team_empty' : 'team_low',
      isEmpty ? 'critical' : 'warning',
      { type: 'team', id: team_id },
      {
        title: isEmpty ? `${name} has no credits` : `Credits of ${name} run out`,
        detail:
          base === null ? `${credits_remaining} credits are left` : `${credits_remaining} of ${base} credits are left`,
        since,
      },
    );
  });

const budgetItems = ({ budgets }: AttentionFigures): Item[] =>
  budgets.rows.map(({ team_id, calls, since }) =>
    item(
      'upstream_over_budget',
      'critical',
      { type: 'team', id: team_id },
      {
        title: `A budget at the upstream is spent: calls of ${team_id} fail`,
        detail: `${calls} calls failed in the last hour. The log of the worker has the model; the budget is that of the team, the proxy or the provider`,
        since,
      },
    ),
  );

const webhookItems = ({ webhooks }: AttentionFigures): Item[] =>
  webhooks.rows.map(({ webhook_id, team_id, failing_since }) =>
    item(
      'webhook_failing',
      'warning',
      { type: 'webhook', id: webhook_id },
      {
        title: `A webhook of ${team_id} fails`,
        detail: 'Its deliveries have failed since then. After five days it is switched off',
        since: failing_since,
      },
    ),
  );

const modelItems = ({ models }: AttentionFigures): Item[] =>
  models.rows.map(({ model, attempts, errors, counted_from }) =>
    item(
      'model_errors',
      errors * 2 > attempts ? 'critical' : 'warning',
      { type: 'model', id: model },
      {
        title: `${model} fails`,
        detail: `${errors} of ${attempts} requests failed since ${counted_from.slice(11, 16)} UTC`,
        // Requests are counted by the hour, so that the first error is not known.
        since: null,
      },
    ),
  );

const jobItems = ({ jobs }: AttentionFigures, idleMs: number): Item[] =>
  jobs.rows.map(({ job_id, team_id, job_type, idle_since }) =>
    item(
      'job_idle',
      'warning',
      { type: 'job', id: job_id },
      {
        title: `A job of ${team_id} is about to be ended`,
        detail: `Nothing happens in this ${job_type}: it fails at ${new Date(Date.parse(idle_since) + idleMs).toISOString()}`,
        since: idle_since,
      },
    ),
  );

function lateItems({ now, calls_complete_until }: AttentionFigures): Item[] {
  if (now.getTime() - calls_complete_until.getTime() < lateMs) return [];
  return [
    item(
      'figures_late',
      'warning',
      { type: 'system', id: 'maintenance' },
      {
        title: 'Figures of calls are not up to date',
        detail: 'Maintenance has not added new calls: no worker runs it, or a transaction stays open',
        // Before the first round of maintenance it is the beginning of time.
        since: calls_complete_until.getTime() === 0 ? null : calls_complete_until.toISOString(),
      },
    ),
  ];
}

async function readNow(deps: ServiceDeps): Promise<z.input<typeof Attention>> {
  const idleMs = deps.config.JOB_IDLE_TIMEOUT;
  const [figures, health] = await Promise.all([
    readAttention(deps.database, new Date(Date.now() - nearIdleEnd * idleMs)),
    deps.health(),
  ]);
  const ofRecord = [figures.teams, figures.budgets, figures.webhooks, figures.models, figures.jobs];
  const others = [...downItems({ ...health, upstream: deps.upstreamWatch.state() }), ...lateItems(figures)];
  const items = [
    ...others,
    ...teamItems(figures),
    ...budgetItems(figures),
    ...webhookItems(figures),
    ...modelItems(figures),
    ...jobItems(figures, idleMs),
  ];
  return {
    items: items.toSorted((one, other) => Number(one.severity === 'warning') - Number(other.severity === 'warning')),
    total: ofRecord.reduce((sum, { total }) => sum + total, others.length),
  };
}

/** What needs attention now, critical ones first. */
export const getAttention = ({ deps }: ServiceContext): Promise<z.input<typeof Attention>> =>
  deps.figures('attention', () => readNow(deps));
