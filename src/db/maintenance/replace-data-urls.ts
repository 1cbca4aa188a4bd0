import type { StoredRequest } from '../calls/read-request.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const findSql = statement(
  'find_data_urls',
  `select p.call_id, p.request, p.options from call_payloads p join calls c on c.call_id = p.call_id
    where p.has_data_urls and c.finished_at is not null order by p.created_at limit :at_most`,
);

const replaceSql = statement(
  'replace_data_urls',
  `update call_payloads set request = :request, options = :options, has_data_urls = false where call_id = :call_id`,
);

/**
 * Replaces the stored requests with data URLs of up to so many calls that ended without an attempt that did it. Returns how many.
 */
export async function replaceStoredDataUrls(
  database: Database,
  atMost: number,
  replaced: (stored: StoredRequest) => StoredRequest,
): Promise<number> {
  const rows = await database.query<StoredRequest & { call_id: string }>(findSql, { at_most: atMost });
  for (const { call_id, ...stored } of rows) await database.query(replaceSql, { call_id, ...replaced(stored) });
  return rows.length;
}
