import { writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import {
  type DeliveriesToRepeat,
  findWaiting,
  type ReopenedDelivery,
  reopenExhausted,
} from '../../db/webhooks/reopen-deliveries.ts';
import { requireTeam, visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { publishWebhook } from './change-webhook.ts';

export interface DeliveryFilter extends DeliveriesToRepeat {
  status: 'exhausted' | 'pending';
}

export interface RedeliveredMany {
  redelivered: number;
  remaining: number;
}

/** With one request: a process keeps as many starts of workflows waiting. */
const maxExhausted = 1_000;
/** Each of these is a signal to a workflow, which the answer waits for. */
const maxPending = 200;
const signalsAtOnce = 8;

/** Delivers again what matches, the oldest first: what has failed with its whole schedule, what waits with an attempt now. `spec 19.79`, decision 137 */
export async function redeliverMany(
  context: ServiceContext,
  { status, ...selection }: DeliveryFilter,
  limit: (holder: string) => Promise<void>,
): Promise<RedeliveredMany> {
  const { caller } = context;
  if (selection.team_id !== undefined) requireTeam(caller, selection.team_id);
  const team_id = visibleTeam(caller, selection.team_id);
  await limit(selection.webhook_id ?? team_id ?? 'all');
  const wanted = { ...selection, team_id };
  return status === 'exhausted' ? redeliverExhausted(context, wanted) : attemptNow(context, wanted);
}

async function redeliverExhausted(context: ServiceContext, selection: DeliveriesToRepeat): Promise<RedeliveredMany> {
  const { deps } = context;
  const { reopened, remaining } = await deps.database.transaction(async (entities) => {
    const found = await reopenExhausted(entities, selection, maxExhausted);
    if (found.reopened.length > 0)
      await writeRepeatableEntry(entities, context, changeOf('exhausted', selection, found.reopened.length));
    return found;
  });
  for (const [teamId, ofTeam] of Map.groupBy(reopened, ({ team_id }) => team_id))
    deps.deliveries.start(
      teamId,
      ofTeam.map(({ delivery_id }) => delivery_id),
    );
  publishAll(context, reopened);
  return { redelivered: reopened.length, remaining };
}

async function attemptNow(context: ServiceContext, selection: DeliveriesToRepeat): Promise<RedeliveredMany> {
  const { deps } = context;
  const { waiting, total } = await findWaiting(deps.database, selection, maxPending);
  if (waiting.length === 0) return { redelivered: 0, remaining: 0 };
  await deps.database.transaction((entities) =>
    writeRepeatableEntry(entities, context, changeOf('pending', selection, waiting.length)),
  );
  const left = waiting.values();
  const signalNext = async () => {
    for (const { delivery_id } of left) await deps.deliveries.redeliver(delivery_id);
  };
  await Promise.all(Array.from({ length: signalsAtOnce }, signalNext));
  publishAll(context, waiting);
  return { redelivered: waiting.length, remaining: total - waiting.length };
}

const changeOf = (status: string, { team_id, webhook_id, ...more }: DeliveriesToRepeat, redelivered: number) => ({
  action: 'redelivered_deliveries',
  resource_type: webhook_id ? 'webhook' : team_id ? 'team' : 'installation',
  resource_id: webhook_id ?? team_id ?? 'all',
  details: { status, redelivered, ...more },
});

function publishAll({ deps }: ServiceContext, deliveries: readonly ReopenedDelivery[]): void {
  const webhooks = new Map(deliveries.map(({ webhook_id, team_id }) => [webhook_id, { webhook_id, team_id }]));
  for (const webhook of webhooks.values()) publishWebhook(deps, webhook);
}
