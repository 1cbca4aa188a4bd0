import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { startOf } from '../../contracts/date-range.ts';
import { type Change, writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { TeamKey } from '../../db/entities/team-key.ts';
import { timeOfTransaction } from '../../db/sql/database-clock.ts';
import { invalid, refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

type NamedKey = Pick<TeamKey, 'key_id' | 'team_id' | 'name'>;

/** The entry names the key by its id and name: it has nothing of the key itself. */
export const auditKey = (
  entities: SqlEntityManager,
  context: ServiceContext,
  action: 'created_key' | 'changed_key' | 'deleted_key',
  { key_id, team_id, name }: NamedKey,
  details: Change['details'] = {},
): Promise<void> =>
  writeAuditEntry(entities, context, {
    action,
    resource_type: 'key',
    resource_id: key_id,
    details: { team_id, name, ...details },
  });

/** Refuses a name that another key of the team has. The team is locked. */
export async function requireFreeName(entities: SqlEntityManager, { key_id, team_id, name }: NamedKey): Promise<void> {
  if ((await entities.count(TeamKey, { team_id, name, key_id: { $ne: key_id } })) > 0) throw refuse('key_exists', name);
}

/** The end that a body gives a key, which has to be in the future by the clock that keys are checked by. */
export async function expiry(
  entities: SqlEntityManager,
  expiresAt: string | null | undefined,
): Promise<Date | null | undefined> {
  if (typeof expiresAt !== 'string') return expiresAt;
  const at = startOf(expiresAt);
  if (at <= (await timeOfTransaction(entities)))
    throw invalid(['body', 'expires_at'], 'Input should be in the future', 'datetime_future');
  return at;
}
