import type { Database } from '../connection/database.ts';
import type { Webhook } from '../entities/webhook.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { statement } from '../sql/statement.ts';

export type WebhookOrder = 'oldest' | 'failing';
/** Webhooks of teams, or of the installation. */
export type WebhookScope = 'team' | 'platform';

export type WebhookRow = Pick<
  Webhook,
  | 'webhook_id'
  | 'team_id'
  | 'webhook_url'
  | 'events'
  | 'is_active'
  | 'auth_header_sealed'
  | 'failing_since'
  | 'last_triggered_at'
  | 'created_at'
> & { last_status_code: number | null };

export interface WebhookCounts {
  failing: number;
  inactive: number;
}

const byAge = [
  { sql: 'w.created_at', type: 'timestamptz', direction: 'asc' },
  { sql: 'w.webhook_id', type: 'uuid', direction: 'asc' },
] as const;
const keysets = {
  oldest: { name: 'webhooks', columns: byAge },
  failing: {
    name: 'failing_webhooks',
    columns: [{ sql: 'w.failing_since', type: 'timestamptz', direction: 'asc', isNullable: true }, ...byAge],
  },
} as const;

/** The status code of the newest delivery that was tried, to the webhook of this id. */
const lastStatusCode = (webhookId: string) =>
  `select d.last_status_code from webhook_deliveries d where d.webhook_id = ${webhookId} and d.attempts > 0
    order by d.created_at desc, d.delivery_id limit 1`;

const lastStatusSql = statement('last_status_code', lastStatusCode(':webhook_id'));

export async function readLastStatusCode(database: Database, webhookId: string): Promise<number | null> {
  const [row] = await database.query<{ last_status_code: number | null }>(lastStatusSql, { webhook_id: webhookId });
  return row?.last_status_code ?? null;
}

const columns = `w.webhook_id, w.team_id, w.webhook_url, w.events, w.is_active, w.auth_header_sealed, w.failing_since,
  w.last_triggered_at, w.created_at,
  (${lastStatusCode('w.webhook_id')}) as last_status_code`;

const ofScope = { team: 'w.team_id is not null', platform: 'w.team_id is null' };

/** The webhooks of one team or of all, and how many of them fail or are switched off. */
export function listWebhooks(
  database: Database,
  { team_id, scope, order }: { team_id?: string | undefined; scope?: WebhookScope | undefined; order: WebhookOrder },
  page: KeysetPage,
) {
  const chosen = [...(team_id === undefined ? [] : ['w.team_id = :team_id']), ...(scope ? [ofScope[scope]] : [])];
  const matching = chosen.join(' and ') || 'true';
  return readKeysetPage<WebhookRow, WebhookCounts>(
    database,
    {
      columns,
      keyset: keysets[order],
      from: (after) => `webhooks w where ${matching} and ${after}`,
      count: `select count(*) as total, count(*) filter (where w.is_active and w.failing_since is not null) as failing,
                     count(*) filter (where not w.is_active) as inactive
                from webhooks w where ${matching}`,
    },
    team_id === undefined ? {} : { team_id },
    page,
  );
}
