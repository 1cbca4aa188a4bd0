import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { jobHasEnded } from '../sql/status.ts';

/** A call that later requests of its team may name. */
export interface NamedCallRow {
  call_id: string;
  job_id: string;
  status: string;
  error: string | null;
  streamed: boolean;
  asynchronous: boolean;
  created_at: Date;
  finished_at: Date | null;
  /** JSON text. */
  client_request: string;
  /** The answer, JSON text; null while there is none. */
  response: string | null;
}

const ofTeam = `c.team_id = :team_id and p.client_request is not null and c.status <> 'refused'`;

const sql = statement(
  'named_calls',
  `select c.call_id, c.job_id, c.status, c.error, c.streamed, c.asynchronous, c.created_at, c.finished_at, p.client_request, p.response
     from calls c join call_payloads p on p.call_id = c.call_id
    where c.call_id = any (:call_ids) and ${ofTeam}`,
);

const inputSql = statement(
  'input_of_named_call',
  `select p.client_input from calls c join call_payloads p on p.call_id = c.call_id where c.call_id = :call_id and ${ofTeam}`,
);

const deleteSql = statement(
  'delete_payload_of_named_call',
  `with named as (
     select c.call_id, c.finished_at is not null and (not j.ends_with_call or ${jobHasEnded('j.status')}) as has_ended
       from calls c join jobs j on j.job_id = c.job_id join call_payloads p on p.call_id = c.call_id
      where c.call_id = :call_id and ${ofTeam}
   ), deleted as (
     delete from call_payloads p using named where p.call_id = named.call_id and named.has_ended
   )
   select has_ended from named`,
);

/** Those of these calls that are the team's, still stored, and made to be named. */
export const findNamedCalls = (
  database: Database,
  teamId: string,
  callIds: readonly string[],
): Promise<NamedCallRow[]> => database.query<NamedCallRow>(sql, { team_id: teamId, call_ids: callIds });

/** The conversation of such a call, JSON text. */
export async function readInputOfNamedCall(
  database: Database,
  teamId: string,
  callId: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ client_input: string }>(inputSql, { team_id: teamId, call_id: callId });
  return row?.client_input;
}

/** Deletes the request and the answer of such a call, if it has ended: its figures stay. Undefined: there is none. */
export async function deletePayloadOfNamedCall(
  database: Database,
  teamId: string,
  callId: string,
): Promise<{ has_ended: boolean } | undefined> {
  const [row] = await database.query<{ has_ended: boolean }>(deleteSql, { team_id: teamId, call_id: callId });
  return row;
}

const finishedSql = statement('finished_at_of_call', 'select finished_at from calls where call_id = :call_id');

/** When a call ended; null while it runs. */
export async function readFinishedAt(database: Database, callId: string): Promise<Date | null> {
  const [row] = await database.query<{ finished_at: Date | null }>(finishedSql, { call_id: callId });
  return row?.finished_at ?? null;
}
