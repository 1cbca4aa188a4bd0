import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { rereadOnce } from '../../concurrency/reread-once.ts';
import type { Database } from '../connection/database.ts';
import { executeIn } from '../connection/execute-in.ts';
import { isUniqueViolation } from '../connection/failures.ts';
import { statement, unnamed } from '../sql/statement.ts';

export interface TeamClaim {
  team_id: string;
  organization_id: string;
  proxy_team_id: string;
  /** The same when the request is executed again. */
  operation_id: string;
}

/**
 * `created`: this very request created the team, before its process died. `taken`: the team exists, or another request creates it.
 * `proxy_taken`: the upstream id belongs to another team.
 */
export type Claimed = 'claimed' | 'created' | 'taken' | 'proxy_taken';

/** A claim lasts for 60 s: longer than a registration with a slow upstream, of seven requests of 5 s, and the statements around it. */
const claimSql = statement(
  'claim_team',
  `with claimed as (
     insert into team_registrations as r (team_id, organization_id, proxy_team_id, operation_id, claimed_until)
     select :team_id, :organization_id, :proxy_team_id, :operation_id, clock_timestamp() + interval '60 s'
      where not exists (select from teams where team_id = :team_id)
     on conflict (team_id) do update set operation_id = :operation_id, claimed_until = excluded.claimed_until
      where (r.claimed_until < clock_timestamp() or (r.claimed_until is not null and r.operation_id = :operation_id))
        and r.organization_id = :organization_id and r.proxy_team_id = :proxy_team_id
     returning team_id
   )
   select case when exists (select from claimed) then 'claimed'
               when exists (select from team_registrations
                             where team_id = :team_id and operation_id = :operation_id and claimed_until is null) then 'created'
               else 'taken' end as outcome`,
);

/**
 * Lets one of many simultaneous requests create a team of this id. The row stays when the team is created, so that no claim can
 * come between the commit of the team and the next check.
 */
export async function claimTeam(database: Database, claim: TeamClaim): Promise<Claimed> {
  const { team_id, organization_id, proxy_team_id, operation_id } = claim;
  try {
    const values = { team_id, organization_id, proxy_team_id, operation_id };
    const [row] = await rereadOnce(
      () => database.query<{ outcome: Claimed }>(claimSql, values),
      ([found]) => found!.outcome !== 'taken',
    );
    return row!.outcome;
  } catch (error) {
    if (isUniqueViolation(error)) return 'proxy_taken';
    throw error;
  }
}

/** Identifies a claim of this very operation. */
const ownValues = ({ team_id, operation_id }: TeamClaim) => ({ team_id, operation_id });

const createdSql = statement(
  'is_team_created',
  'select from team_registrations where team_id = :team_id and operation_id = :operation_id and claimed_until is null',
);

/** Whether this very request has created the team. */
export async function isCreated(database: Database, claim: TeamClaim): Promise<boolean> {
  return (await database.query(createdSql, ownValues(claim))).length > 0;
}

const completeSql = unnamed(
  `update team_registrations set claimed_until = null
    where team_id = :team_id and operation_id = :operation_id and claimed_until is not null returning team_id`,
);

/** Ends the claim in the transaction that inserts the team. False: the claim was lost. */
export async function completeClaim(entities: SqlEntityManager, claim: TeamClaim): Promise<boolean> {
  return (await executeIn(entities, completeSql, ownValues(claim))).length > 0;
}

const expireSql = statement(
  'expire_claim',
  `update team_registrations set claimed_until = clock_timestamp()
    where team_id = :team_id and operation_id = :operation_id and claimed_until is not null`,
);

/** The next request may try at once; what is left upstream is removed by maintenance, or replaced by that request. */
export const expireClaim = (database: Database, claim: TeamClaim) => database.query(expireSql, ownValues(claim));

const takeOverSql = statement(
  'take_over_claim',
  `update team_registrations set operation_id = :new_operation_id, claimed_until = clock_timestamp() + interval '60 s'
    where team_id = :team_id and operation_id = :operation_id and claimed_until is not null
   returning team_id`,
);

/** False: the team was created after all, or another request has the claim. */
export async function takeOverClaim(database: Database, claim: TeamClaim, operationId: string): Promise<boolean> {
  return (await database.query(takeOverSql, { ...ownValues(claim), new_operation_id: operationId })).length > 0;
}

const deleteSql = statement(
  'delete_claim',
  'delete from team_registrations where team_id = :team_id and operation_id = :operation_id and claimed_until is not null',
);

export const deleteClaim = (database: Database, claim: TeamClaim) => database.query(deleteSql, ownValues(claim));

const conflictingSql = statement(
  'list_conflicting_claims',
  `select team_id, organization_id, proxy_team_id, operation_id from team_registrations
    where claimed_until < clock_timestamp() and (team_id = :team_id or proxy_team_id = :proxy_team_id)
      and (team_id, organization_id, proxy_team_id) <> (:team_id, :organization_id, :proxy_team_id)`,
);

/**
 * Expired claims on the same id, here or upstream, for a different team. Their columns hold what they may have left upstream, so
 * they have to end before the new claim begins.
 */
export const listConflictingClaims = (database: Database, { team_id, organization_id, proxy_team_id }: TeamClaim) =>
  database.query<TeamClaim>(conflictingSql, { team_id, organization_id, proxy_team_id });

const expiredSql = statement(
  'list_expired_claims',
  `select team_id, organization_id, proxy_team_id, operation_id from team_registrations
    where claimed_until < clock_timestamp() order by claimed_until limit :limit`,
);

/** Claims of teams that were never created. */
export const listExpiredClaims = (database: Database, limit: number) =>
  database.query<TeamClaim>(expiredSql, { limit });
