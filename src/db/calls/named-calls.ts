import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

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
