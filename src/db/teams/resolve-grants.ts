import { type Refusal, refuse } from '../../errors.ts';
import type { Database } from '../connection/database.ts';
import { isForeignKeyViolation } from '../connection/failures.ts';
import { statement } from '../sql/statement.ts';

/** A team's grants: ids of model groups in the order of their names, and of access groups. */
export interface Grants {
  modelGroupIds: string[];
  accessGroupIds: string[];
}

interface Row {
  kind: 'model' | 'access';
  name: string;
  id: string | null;
}

const sql = statement(
  'resolve_grants',
  `select 'model' as kind, name, model_group_id as id
     from unnest(:model_groups::text[]) with ordinality as wanted (name, place)
     left join model_groups on group_name = name
   union all
   select 'access', name, model_access_group_id
     from unnest(:access_groups::text[]) with ordinality as wanted (name, place)
     left join model_access_groups on group_name = name`,
);

const notFound = (kind: Row['kind'], name: string): Refusal =>
  refuse(kind === 'model' ? 'model_group_not_found' : 'access_group_not_found', name);

/** Refuses with 404 for the first name without a group. `spec 7.6` */
async function resolveGrants(
  database: Database,
  modelGroups: readonly string[],
  accessGroups: readonly string[],
): Promise<Grants> {
  const rows = await database.query<Row>(sql, { model_groups: modelGroups, access_groups: accessGroups });
  const idOf = (kind: Row['kind'], name: string): string => {
    const id = rows.find((row) => row.kind === kind && row.name === name)?.id;
    if (!id) throw notFound(kind, name);
    return id;
  };
  return {
    modelGroupIds: modelGroups.map((name) => idOf('model', name)),
    accessGroupIds: accessGroups.map((name) => idOf('access', name)),
  };
}

function firstChanged(kind: Row['kind'], names: readonly string[], before: string[], now: string[]) {
  const name = names.find((_, at) => before[at] !== now[at]);
  return name === undefined ? undefined : notFound(kind, name);
}

/** A name whose group is deleted and created again this often in the meantime is refused. */
const maxTries = 3;

/**
 * Works on the groups that names resolve to, and begins again if a name stands for another group by the end. A group that is
 * deleted meanwhile is a 404 too, not an internal error.
 */
export async function withGrants<T>(
  database: Database,
  modelGroups: readonly string[],
  accessGroups: readonly string[],
  work: (grants: Grants) => Promise<T>,
): Promise<T> {
  let grants = await resolveGrants(database, modelGroups, accessGroups);
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(grants);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      const now = await resolveGrants(database, modelGroups, accessGroups);
      const replaced =
        firstChanged('model', modelGroups, grants.modelGroupIds, now.modelGroupIds) ??
        firstChanged('access', accessGroups, grants.accessGroupIds, now.accessGroupIds);
      if (!replaced || tries === maxTries) throw replaced ?? error;
      grants = now;
    }
  }
}
