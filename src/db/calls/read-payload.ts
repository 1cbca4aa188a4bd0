import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** The texts of a call, each as JSON text, cut to `:most` characters. Sizes are those of the whole texts, in bytes. */
export interface PayloadRow {
  request: string;
  request_bytes: number;
  response: string | null;
  response_bytes: number | null;
}

const sql = statement(
  'read_payload',
  `select left(request, :most::int) as request, octet_length(request) as request_bytes,
          left(response, :most::int) as response, octet_length(response) as response_bytes
     from call_payloads where call_id = :call_id`,
);

/** Undefined: it is no longer stored. No text is longer than `most` characters, so that a part of a large one is read as such. */
export async function readPayload(database: Database, callId: string, most: number): Promise<PayloadRow | undefined> {
  const [row] = await database.reports.query<PayloadRow>(sql, { call_id: callId, most });
  return row;
}
