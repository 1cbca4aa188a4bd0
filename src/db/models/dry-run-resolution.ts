import type { Candidate } from '../../domain/call-state.ts';
import type { ModelRefusal } from '../calls/admit-call-to-job.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { resolution } from './resolve-model.ts';

/** What the statement that admits a call would find. */
export interface ResolvedModel {
  /** Null for an alias. */
  model_group_used: string | null;
  candidates: Candidate[] | null;
  refusal: ModelRefusal | null;
  /** The active ones through which the team reaches the alias. */
  access_groups: string[];
}

const sql = statement(
  'dry_run_resolution',
  `with ${resolution}
   select model_group_used, candidates, refusal,
          array(select g.group_name from team_access_groups tg
                  join model_access_groups g on g.model_access_group_id = tg.model_access_group_id and g.status = 'active'
                  join model_access_group_aliases ga on ga.model_access_group_id = g.model_access_group_id
                  join model_aliases a on a.model_alias_id = ga.model_alias_id
                 where tg.team_id = :team_id and a.alias_name = :requested_model order by g.group_name collate "C") as access_groups
     from resolved`,
);

/** Resolves a name for a team with the fragment that a call uses, and makes no call. */
export async function dryRunResolution(database: Database, teamId: string, name: string): Promise<ResolvedModel> {
  const [row] = await database.query<ResolvedModel>(sql, {
    team_id: teamId,
    requested_model: name,
    vectors_kept_minutes: null,
    most_unfinished: null,
    call_id: null,
  });
  return row!;
}
