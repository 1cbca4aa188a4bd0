import type { Database } from '../connection/database.ts';
import { notKept } from '../sql/not-kept.ts';
import { statement } from '../sql/statement.ts';
import { advanceCursor, readCursor } from './sweep-cursors.ts';

/** A repetition of a request receives its answer for so long: `spec 10.9`. */
const repeatableFor = `interval '24 hours'`;

const sql = statement(
  'shorten_answers',
  `with page as (
     select call_id, created_at, vectors_kept_minutes is null and octet_length(response) > :keep_bytes as is_long
       from call_payloads where created_at > :after and created_at <= now() - ${repeatableFor}
      order by created_at limit :at_most
   ), shortened as (
     update call_payloads p set response = ${notKept('p.response')}
       from page where p.call_id = page.call_id and page.is_long
     returning p.call_id
   )
   select count(*)::int as rows, max(created_at) as until, (select count(*)::int from shortened) as shortened from page`,
);

const pageSize = 5_000;
/** A round reads so many pages, so that the steps after this one are not held up. The next round continues. */
const maxPagesPerRound = 20;

/** Each answer once, when it is 24 hours old: of a longer one the length and SHA-256 are kept. Returns how many were shortened. */
export async function shortenOldAnswers(
  database: Database,
  keepBytes: number,
  afterPage: () => void,
  atMost = pageSize,
): Promise<number> {
  let { created_at: after } = await readCursor(database, 'long answers');
  let shortened = 0;
  for (let page = 1; page <= maxPagesPerRound; page += 1) {
    const [read] = await database.query<{ rows: number; until: Date | null; shortened: number }>(sql, {
      keep_bytes: keepBytes,
      after,
      at_most: atMost,
    });
    shortened += read!.shortened;
    if (!read!.until) break;
    const isLast = read!.rows < atMost;
    // The next page may begin with rows of the same millisecond.
    after = isLast ? read!.until : new Date(read!.until.getTime() - 1);
    await advanceCursor(database, 'long answers', after);
    afterPage();
    if (isLast) break;
  }
  return shortened;
}
