import { rereadOnce } from '../../concurrency/reread-once.ts';
import type { Database } from '../connection/database.ts';
import { isUniqueViolation } from '../connection/failures.ts';
import { statement } from '../sql/statement.ts';

export interface TeamClaim {
  team_id: string;
  organization_id: string;
  proxy_team_id: string;
  /** The same when the request is carried out again. */
  operation_id: string;
}

/**
 * `made`: this very request made the team, before its process died. `taken`: the team exists, or another request is making it.
 * `proxy_taken`: the upstream id belongs to another team.
 */
export type Claimed = 'claimed' | 'made' | 'taken' | 'proxy_taken';

/** A claim lasts for 60 s: longer than a registration with a slow upstream, of seven requests of 5 s, and the statements around it. */
const claimSql = statement(
  'claim_team',
  `with claimed as (
     insert into team_registrations as r (team_id, organization_id, proxy_team_id, operation_id, claimed_until)
     select :team_id, :organization_id, :proxy_team_id, :operation_id, clock_timestamp() + interval '60 s' where not exists (select from teams where team_id = :team_id)
     on conflict (team_id) do update set operation_id = :operation_id, claimed_until = excluded.claimed_until
      where (r.claimed_until < clock_timestamp() or (r.claimed_until is not null and r.operation_id = :operation_id))
        and r.organization_id = :organization_id and r.proxy_team_id = :proxy_team_id
     returning team_id
   )
   select case when exists (select from claimed) then 'claimed'
               when exists (select from team_registrations
                             where team_id = :team_id and operation_id = :operation_id and claimed_until is null) then 'made'
               else 'taken' end as outcome`,
);

/**
 * Lets one of many simultaneous requests make a team of this id. The row stays when the team is made, so that no claim can come
 * between the commit of the team and the next look.
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

const madeSql = statement(
  'team_is_made',
  'select from team_registrations where team_id = :team_id and operation_id = :operation_id and claimed_until is null',
);

/** Whether this very request has made the team. */
export async function isMade(database: Database, claim: TeamClaim): Promise<boolean> {
  return (await database.query(madeSql, ownValues(claim))).length > 0;
}

const lapseSql = statement(
  'lapse_claim',
  `update team_registrations set claimed_until = clock_timestamp()
    where team_id = :team_id and operation_id = :operation_id and claimed_until is not null`,
);

/** The next request may try at once; what is left upstream is swept, or replaced by that try. */
export const lapseClaim = (database: Database, claim: TeamClaim) => database.query(lapseSql, ownValues(claim));

const takeOverSql = statement(
  'take_over_claim',
  `update team_registrations set operation_id = :new_operation_id, claimed_until = clock_timestamp() + interval '60 s'
    where team_id = :team_id and operation_id = :operation_id and claimed_until is not null
   returning team_id`,
);

/** False: the team was made after all, or another request has the claim. */
export async function takeOverClaim(database: Database, claim: TeamClaim, operationId: string): Promise<boolean> {
  return (await database.query(takeOverSql, { ...ownValues(claim), new_operation_id: operationId })).length > 0;
}

const dropSql = statement(
  'drop_claim',
  'delete from team_registrations where team_id = :team_id and operation_id = :operation_id and claimed_until is not null',
);

export const dropClaim = (database: Database, claim: TeamClaim) => database.query(dropSql, ownValues(claim));

const inTheWaySql = statement(
  'list_claims_in_the_way',
  `select team_id, organization_id, proxy_team_id, operation_id from team_registrations
    where claimed_until < clock_timestamp() and (team_id = :team_id or proxy_team_id = :proxy_team_id)
      and (team_id, organization_id, proxy_team_id) <> (:team_id, :organization_id, :proxy_team_id)`,
);

/**
 * Lapsed claims on the same id, here or upstream, for a different team. Their columns hold what they may have left upstream, so
 * they have to end before the new claim begins.
 */
export const listClaimsInTheWay = (database: Database, { team_id, organization_id, proxy_team_id }: TeamClaim) =>
  database.query<TeamClaim>(inTheWaySql, { team_id, organization_id, proxy_team_id });

const lapsedSql = statement(
  'list_lapsed_claims',
  `select team_id, organization_id, proxy_team_id, operation_id from team_registrations
    where claimed_until < clock_timestamp() order by claimed_until limit :limit`,
);

/** Claims of teams that were never made. */
export const listLapsedClaims = (database: Database, limit: number) => database.query<TeamClaim>(lapsedSql, { limit });
