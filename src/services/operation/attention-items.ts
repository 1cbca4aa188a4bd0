import type { z } from 'zod';
import type { Attention } from '../../contracts/attention.ts';
import type { AttentionFigures } from '../../db/figures/read-attention.ts';

type AttentionItem = z.input<typeof Attention>['items'][number];

/** An item with what its events say of its subject besides. */
export type Item = AttentionItem & { subject: { name: string; team_id: string | null } };

/** What a process knows of the dependencies that it asks. */
export type Dependencies = Readonly<Record<string, 'up' | 'down' | 'unknown'>>;

const kindsOf = {
  teams: ['team_empty', 'team_low'],
  budgets: ['upstream_over_budget'],
  webhooks: ['webhook_failing'],
  models: ['model_errors'],
  jobs: ['job_idle'],
} as const satisfies Record<string, Item['kind'][]>;

/** The sums by the hour lag behind far less. */
const lateMs = 10 * 60_000;

/** `name` is the id where nothing else names the subject. */
const item = (
  kind: Item['kind'],
  severity: Item['severity'],
  { type, id, name = id, team_id = null }: Item['link'] & { name?: string; team_id?: string | null },
  texts: Pick<Item, 'title' | 'detail' | 'since'>,
): Item => ({ kind, severity, ...texts, link: { type, id }, subject: { name, team_id } });

const downItems = (dependencies: Dependencies): Item[] =>
  Object.entries(dependencies)
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
      { type: 'team', id: team_id, name, team_id },
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
      { type: 'team', id: team_id, team_id },
      {
        title: `A budget at the upstream is spent: calls of ${team_id} fail`,
        detail: `${calls} calls failed in the last hour. The log of the worker has the model; the budget is that of the team, the proxy or the provider`,
        since,
      },
    ),
  );

const webhookItems = ({ webhooks }: AttentionFigures): Item[] =>
  webhooks.rows.map(({ webhook_id, team_id, webhook_url, failing_since }) =>
    item(
      'webhook_failing',
      'warning',
      // Its path may contain a token.
      { type: 'webhook', id: webhook_id, name: new URL(webhook_url).host, team_id },
      {
        title: `A webhook of ${team_id ?? 'the installation'} fails`,
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
      { type: 'job', id: job_id, name: job_type, team_id },
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

interface FoundAttention {
  items: Item[];
  /** How many there are in all. */
  total: number;
  /** The kinds of which not all are among the items. */
  partial: Item['kind'][];
}

/** What needs attention by these figures, and by what is known of the dependencies. */
export function attentionItems(figures: AttentionFigures, dependencies: Dependencies, idleMs: number): FoundAttention {
  const others = [...downItems(dependencies), ...lateItems(figures)];
  const { teams, budgets, webhooks, models, jobs } = figures;
  const kinds = { teams, budgets, webhooks, models, jobs };
  const isPartial = ({ rows, total }: { rows: readonly unknown[]; total: number }) => rows.length < total;
  return {
    items: [
      ...others,
      ...teamItems(figures),
      ...budgetItems(figures),
      ...webhookItems(figures),
      ...modelItems(figures),
      ...jobItems(figures, idleMs),
    ],
    total: Object.values(kinds).reduce((sum, { total }) => sum + total, others.length),
    partial: (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((name) =>
      isPartial(kinds[name]) ? kindsOf[name] : [],
    ),
  };
}
