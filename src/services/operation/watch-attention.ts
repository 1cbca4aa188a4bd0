import type { Config } from '../../config.ts';
import { recordAttention } from '../../db/attention/record-attention.ts';
import type { Database } from '../../db/connection/database.ts';
import { readAttention } from '../../db/figures/read-attention.ts';
import type { ChangePublisher } from '../../redis/change-channel.ts';
import type { Deliveries } from '../../temporal/commands/deliveries.ts';
import { attentionItems, type Dependencies, type Item } from './attention-items.ts';

interface Watching {
  config: Config;
  database: Database;
  changes: Pick<ChangePublisher, 'publish'>;
  deliveries: Pick<Deliveries, 'start'>;
  /** The dependencies that this process asks. */
  dependencies(): Dependencies;
}

/** Of each kind. */
const mostWatched = 100;
/** What is not found for less has not ended, so that a value that swings around its limit is one event and not many. */
const endsAfterMs = 5 * 60_000;

const pages: Record<Item['link']['type'], (id: string) => string> = {
  team: (id) => `/teams/${id}?tab=credits`,
  webhook: (id) => `/webhooks/${id}`,
  model: () => '/models?tab=health',
  job: (id) => `/jobs/${id}`,
  system: () => '/system',
};

const toRecord = (
  { PUBLIC_URL, PUBLIC_PATH }: Config,
  { kind, severity, title, detail, link, subject, since }: Item,
) => ({
  kind,
  subject_id: link.id,
  title,
  data: {
    kind,
    severity,
    subject: { ...link, ...subject },
    since,
    sentence: `${title}. ${detail}.`,
    link: `${PUBLIC_URL ?? PUBLIC_PATH}/console${pages[link.type](encodeURIComponent(link.id))}`,
  },
});

/**
 * Records what needs attention now, with an event to the webhooks of the installation for each item that has begun or ended. Returns how
 * many have. `spec 11.16`
 */
export async function watchAttention(deps: Watching, withinMs = endsAfterMs): Promise<number> {
  const { config, database, changes, deliveries } = deps;
  const idleMs = config.JOB_IDLE_TIMEOUT;
  const figures = await readAttention(database, { idleMs, listed: mostWatched });
  const { items, partial } = attentionItems(figures, deps.dependencies(), idleMs);
  const found = items.map((item) => toRecord(config, item));
  // Credits that are used up are few credits too: one end follows for both.
  const stillLow = figures.teams.rows.map(({ team_id }) => ({ kind: 'team_low', subject_id: team_id }));
  const recorded = await recordAttention(database, {
    found,
    holds: [...found, ...stillLow],
    partial,
    endsAfterMs: withinMs,
  });
  for (const webhook_id of recorded.webhook_ids) changes.publish('webhooks', { webhook_id, team_id: null });
  deliveries.start(null, recorded.webhook_ids);
  return recorded.changed;
}
