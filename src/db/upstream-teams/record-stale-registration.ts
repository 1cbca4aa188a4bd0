import { isDeepStrictEqual } from 'node:util';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed } from '../sql/statement.ts';
import type { NewTeam } from '../teams/insert-team.ts';
import { type GrantedModels, grantedModelsOfTeam } from './list-granted-models.ts';
import { recordUpstreamChange } from './record-change.ts';

const lockSql = unnamed('select status from organizations where organization_id = :organization_id for share');
const modelsSql = unnamed(`select ${grantedModelsOfTeam('t.team_id')} from teams t where t.team_id = :team_id`);

/**
 * Records, in the transaction that has inserted the team, that the upstream has to receive it again if its organization or its
 * models have changed since it was registered. True if they have. A change at the same time is waited for, or waits
 * and finds the team: by the lock here, and for models by the locks of `insertTeam`.
 */
export async function recordStaleRegistration(
  entities: SqlEntityManager,
  { team_id, organization_id }: NewTeam,
  registered: GrantedModels,
): Promise<boolean> {
  const [organization] = await executeIn<{ status: string }>(entities, lockSql, { organization_id });
  const [models] = await executeIn<GrantedModels>(entities, modelsSql, { team_id });
  if (organization?.status === 'active' && isDeepStrictEqual({ ...models }, registered)) return false;
  await recordUpstreamChange(entities, team_id);
  return true;
}
