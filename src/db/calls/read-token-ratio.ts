import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** So many of the newest calls of all models are looked through. */
const maxSearched = 5_000;
const maxCalls = 100;
/** Before that few are known, their texts may be of an unusual kind. */
const minCalls = 20;

const sql = statement(
  'read_token_ratio',
  `select count(*)::int as calls, sum(prompt_tokens)::float8 / nullif(sum(bytes), 0) as ratio
     from (select c.prompt_tokens, octet_length(p.request) as bytes
             from (select call_id, requested_model, prompt_tokens, status, recorded_at from calls
                    where recorded_at is not null order by recorded_at desc limit ${maxSearched}) c
             join call_payloads p on p.call_id = c.call_id
            where c.requested_model = :model and c.status = 'succeeded' and c.prompt_tokens > 0
            order by c.recorded_at desc limit ${maxCalls}) newest`,
);

/**
 * How many tokens a byte of the newest calls of a model had, as the upstream counted them; undefined before there are 20 of them whose
 * requests are stored. Their images are not stored.
 */
export async function readTokenRatio(database: Database, model: string): Promise<number | undefined> {
  const [row] = await database.query<{ calls: number; ratio: number | null }>(sql, { model });
  return row && row.calls >= minCalls && row.ratio !== null ? row.ratio : undefined;
}
