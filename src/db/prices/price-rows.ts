import type { BillingPolicy } from '../../domain/billing-policy.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { statement } from '../sql/statement.ts';

/** A row of the price list. */
export interface PriceRow {
  /** Null: it is for all teams. */
  team_id: string | null;
  job_type: string;
  credits: number | null;
  billing_policy: BillingPolicy | null;
  budget: Record<string, unknown> | null;
  created_at: Date;
  updated_at: Date;
}

/** Names a row. A `team_id` of null: that for all teams. */
export type PriceKey = Pick<PriceRow, 'team_id' | 'job_type'>;

const columns = 'team_id, job_type, credits, billing_policy, budget, created_at, updated_at';

const setSql = (name: string, team: string, from: string, conflict: string) =>
  statement(
    name,
    `with written as (
       insert into job_type_prices as p (team_id, job_type, credits, billing_policy, budget)
       select ${team}, :job_type, :credits::integer, :billing_policy, :budget::jsonb ${from}
       on conflict ${conflict} do update
          set credits = excluded.credits, billing_policy = excluded.billing_policy, budget = excluded.budget, updated_at = now()
       returning ${columns}
     ), audited as (${audit('written')})
     select * from written`,
  );
const setForAllSql = setSql('set_price', 'null', '', '(job_type) where team_id is null');
const setForTeamSql = setSql(
  'set_price_of_team',
  't.team_id',
  'from teams t where t.team_id = :team_id',
  '(team_id, job_type) where team_id is not null',
);

/** Writes the whole row. Undefined: there is no such team. */
export async function setPrice(
  database: Database,
  { team_id, job_type }: PriceKey,
  { credits, billing_policy, budget }: Pick<PriceRow, 'credits' | 'billing_policy' | 'budget'>,
  audit_entry: string,
): Promise<PriceRow | undefined> {
  const values = { job_type, credits, billing_policy, budget, audit_entry };
  const [row] =
    team_id === null
      ? await database.query<PriceRow>(setForAllSql, values)
      : await database.query<PriceRow>(setForTeamSql, { ...values, team_id });
  return row;
}

const deleteSql = statement(
  'delete_price',
  `with deleted as (
     delete from job_type_prices where job_type = :job_type and team_id is not distinct from :team_id returning job_type
   ), audited as (${audit('deleted')})
   select * from deleted`,
);

/** False: there is no such row. */
export async function deletePrice(database: Database, key: PriceKey, audit_entry: string): Promise<boolean> {
  const rows = await database.query(deleteSql, { ...key, audit_entry });
  return rows.length > 0;
}

/** The rows that hold for the team, or with null for those teams that have none of their own. */
const holding = `(select distinct on (job_type) ${columns} from job_type_prices
                   where team_id is null or team_id = :team_id order by job_type, team_id nulls last) prices`;

const findSql = statement(
  'find_price',
  `select ${columns} from job_type_prices
    where job_type = :job_type and (team_id is null or team_id = :team_id) order by team_id nulls last limit 1`,
);

/** The row that holds for the team. */
export async function findPrice(database: Database, key: PriceKey): Promise<PriceRow | undefined> {
  const [row] = await database.query<PriceRow>(findSql, { ...key });
  return row;
}

const listing = {
  columns,
  keyset: { name: 'job_types', columns: [{ sql: 'job_type', type: 'text', direction: 'asc' }] },
  from: (after: string) => `${holding} where ${after}`,
  count: `select count(*) as total from ${holding}`,
} as const;

/** The rows that hold for the team, by their job types. */
export const listPrices = (database: Database, team_id: string | null, page: KeysetPage) =>
  readKeysetPage<PriceRow>(database, listing, { team_id }, page);
