import type { Database } from '../../db/connection/database.ts';
import { isForeignKeyViolation } from '../../db/connection/failures.ts';
import { type Grants, type NamedGroup, resolveGrants } from '../../db/teams/resolve-grants.ts';
import { type Refusal, refuse } from '../../errors.ts';

const notFound = (kind: NamedGroup['kind'], name: string): Refusal =>
  refuse(kind === 'model' ? 'model_group_not_found' : 'access_group_not_found', name);

/** Refuses with 404 for the first name without a group. `spec 7.6` */
async function requireGrants(
  database: Database,
  modelGroups: readonly string[],
  accessGroups: readonly string[],
): Promise<Grants> {
  const rows = await resolveGrants(database, modelGroups, accessGroups);
  const requireId = (kind: NamedGroup['kind'], name: string): string => {
    const id = rows.find((row) => row.kind === kind && row.name === name)?.id;
    if (!id) throw notFound(kind, name);
    return id;
  };
  return {
    modelGroupIds: modelGroups.map((name) => requireId('model', name)),
    accessGroupIds: accessGroups.map((name) => requireId('access', name)),
  };
}

function firstChanged(kind: NamedGroup['kind'], names: readonly string[], before: string[], now: string[]) {
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
  let grants = await requireGrants(database, modelGroups, accessGroups);
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(grants);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      const now = await requireGrants(database, modelGroups, accessGroups);
      const replaced =
        firstChanged('model', modelGroups, grants.modelGroupIds, now.modelGroupIds) ??
        firstChanged('access', accessGroups, grants.accessGroupIds, now.accessGroupIds);
      if (!replaced || tries === maxTries) throw replaced ?? error;
      grants = now;
    }
  }
}
