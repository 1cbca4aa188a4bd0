import { vectorsKeptMinutes } from '../../domain/embeddings.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const { usually, repeatable } = vectorsKeptMinutes;

/** A stored answer begins with what is kept of its vectors: `call-record.ts`. */
const rest = `position(',"content"' in p.response)`;

const sql = statement(
  'delete_vectors',
  `with due as (
     select p.call_id
       from (values (${usually}), (${repeatable})) times (minutes)
       join call_payloads p on p.vectors_kept_minutes = times.minutes and p.created_at < now() - make_interval(mins => times.minutes)
       join calls c on c.call_id = p.call_id
      where p.vectors_kept_minutes is not null and c.finished_at < now() - make_interval(mins => times.minutes)
      limit :at_most
   )
   update call_payloads p
      set response = case when ${rest} > 0 then left(p.response, ${rest} - 1) || '}' else p.response end, vectors_kept_minutes = null
     from due where p.call_id = due.call_id
   returning p.call_id`,
);

/** Deletes the vectors of up to `atMost` calls whose time is over; their number, dimensions and SHA-256 stay. Returns of how many. */
export const deleteVectors = async (database: Database, atMost: number): Promise<number> =>
  (await database.query(sql, { at_most: atMost })).length;
