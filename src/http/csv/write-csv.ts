import type { Response } from 'express';
import { drained } from '../stream/write-event-stream.ts';
import type { CsvFile } from './csv-file.ts';

/** Sends the file, as fast as the client reads it. Throws where it cannot be completed: the connection has to be closed then. */
export async function writeCsv(
  response: Response,
  { name, parts }: CsvFile,
  disconnected: AbortSignal,
  drainTimeoutMs: number,
): Promise<void> {
  response.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${name}"`,
  });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  for await (const part of parts) {
    if (!response.write(part)) await drained(response, disconnected, drainTimeoutMs);
    if (disconnected.aborted) return;
  }
  response.end();
}
