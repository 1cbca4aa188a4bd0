import type { hitTypes } from '../../contracts/search.ts';
import type { UuidRange } from '../../domain/formats/uuid-range.ts';
import type { Database } from '../connection/database.ts';
import { beginsWith, beginsWithValues } from '../sql/begins-with.ts';
import { byCharacters } from '../sql/by-characters.ts';
import { oneContains } from '../sql/contains.ts';
import { unnamed } from '../sql/statement.ts';

export interface Hit {
  type: (typeof hitTypes)[number];
  id: string;
  label: string;
  detail: string;
  job_id: string | null;
  team_id: string | null;
}

export interface Search {
  q: string;
  /** Ranges of ids, one of which that of a hit is in. */
  ranges: UuidRange[];
  /** Ids that are exactly what is looked for. */
  ids: string[];
  /** The search finds only what is of this team; null: of all, and the platform's own. */
  teamId: string | null;
}

const maxHits = 20;
const maxHitsOfType = 10;
/** At most so many jobs are found by an external_task_id that begins with the text. */
const maxJobsOfTeam = 200;
/** A part of the search: `hits` selects the columns of a hit and `is_exact`. */
interface Part {
  type: Hit['type'];
  hits: string;
}

const isOwn = (column: string): string => `(:team_id::text is null or ${column} = :team_id)`;

/** What has a UUID that begins with the text. */
const byId: Part[] = [
  {
    type: 'job',
    hits: `select job_id::text as id, job_type as label, status as detail, job_id::text, team_id
             from jobs where job_id between range.first_id and range.last_id and ${isOwn('team_id')}`,
  },
  {
    type: 'call',
    hits: `select call_id::text as id, coalesce(purpose, requested_model) as label, status as detail, job_id::text, team_id
             from calls where call_id between range.first_id and range.last_id and ${isOwn('team_id')}`,
  },
  {
    type: 'delivery',
    hits: `select d.delivery_id::text as id, d.event as label, d.status as detail, d.job_id::text, w.team_id
             from webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id
            where d.delivery_id between range.first_id and range.last_id and ${isOwn('w.team_id')}`,
  },
  {
    type: 'transaction',
    hits: `select transaction_id::text as id, reason as label, transaction_type as detail, job_id::text, team_id
             from credit_transactions where transaction_id between range.first_id and range.last_id and ${isOwn('team_id')}`,
  },
  {
    type: 'webhook',
    hits: `select webhook_id::text as id, webhook_url as label, case when is_active then 'active' else 'inactive' end as detail,
                  null as job_id, team_id
             from webhooks where webhook_id between range.first_id and range.last_id and ${isOwn('team_id')}`,
  },
];

/** Jobs whose external_task_id begins with the text, by the index of each team. */
const byTask: Part = {
  type: 'job',
  hits: `select j.job_id::text as id, j.job_type as label, j.external_task_id || ', ' || j.status as detail, j.job_id::text, j.team_id,
                j.external_task_id = :q as is_exact
           from teams t cross join lateral
                (select * from jobs where team_id = t.team_id and ${beginsWith('external_task_id', 'q')} limit ${maxJobsOfTeam}) j
          where ${isOwn('t.team_id')}`,
};

/** The calls of a request by the id that its client gave to it. What the service's own ids find is found above. */
const byRequest: Part = {
  type: 'call',
  hits: `select call_id::text as id, coalesce(purpose, requested_model) as label, status as detail, job_id::text, team_id, true as is_exact
           from calls where request_id = any(:q::text || :ids::text[]) and not call_id = any(:ids::uuid[]) and ${isOwn('team_id')} limit ${maxHitsOfType}`,
};

/** What an admin made: there are few enough to compare each. `names` are the columns of which one contains the text. */
const named = (type: Hit['type'], table: string, columns: string, names: readonly string[]): Part => ({
  type,
  hits: `select ${columns}, null as job_id, ${type === 'team' ? 'team_id' : 'null as team_id'},
                (${names.map((name) => `${name} = :q`).join(' or ')}) as is_exact
           from ${table} where ${oneContains(names)}`,
});

const byName: Part[] = [
  named('team', 'teams', 'team_id as id, coalesce(team_alias, team_id) as label, status as detail', [
    'team_id',
    'team_alias',
  ]),
  named('organization', 'organizations', 'organization_id as id, name as label, status as detail', [
    'organization_id',
    'name',
  ]),
  named(
    'model_group',
    'model_groups',
    'group_name as id, coalesce(display_name, group_name) as label, status as detail',
    ['group_name', 'display_name'],
  ),
  named(
    'model_alias',
    'model_aliases',
    'alias_name as id, coalesce(display_name, alias_name) as label, status as detail',
    ['alias_name', 'display_name'],
  ),
  named('admin_user', 'admin_users', 'user_id::text as id, email as label, role as detail', ['email', 'display_name']),
];

/** What begins with, or is named by, the text: exact ones first. `spec 19.30` */
export function search(database: Database, { q, ranges, ids, teamId }: Search): Promise<Hit[]> {
  // The limit keeps each range a reading of an index.
  const withId = byId.map(
    ({ type, hits }): Part => ({
      type,
      hits: `select distinct by_id.*, by_id.id = any(:ids::text[]) as is_exact
               from unnest(:first_ids::uuid[], :last_ids::uuid[]) range (first_id, last_id)
              cross join lateral (${hits} limit ${maxHitsOfType}) by_id`,
    }),
  );
  const parts = [...(ranges.length > 0 ? withId : []), byTask, byRequest, ...(teamId === null ? byName : [])];
  const selects = parts.map(
    ({ type, hits }, position) =>
      `(select '${type}' as type, ${position} as position, coalesce(is_exact, false) as is_exact, id, label, detail, job_id, team_id
          from (${hits}) hit order by is_exact desc nulls last, ${byCharacters('id')} limit ${maxHitsOfType})`,
  );
  const sql = unnamed(`
    select type, id, label, detail, job_id, team_id from (${selects.join(' union all ')}) found
     order by is_exact desc, position, ${byCharacters('id')} limit ${maxHits}`);
  const values = {
    ...beginsWithValues('q', q),
    ids,
    ...(ranges.length > 0 && {
      first_ids: ranges.map(({ from }) => from),
      last_ids: ranges.map(({ to }) => to),
    }),
    team_id: teamId,
  };
  return database.reports.query<Hit>(sql, values);
}
