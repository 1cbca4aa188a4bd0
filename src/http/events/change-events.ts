import { type ChangeKind, selectChanges } from '../../domain/changes.ts';
import { version } from '../../version.ts';
import { lineOf } from '../stream/chunks.ts';
import type { FeedReader } from './change-feed.ts';

/** An event of a stream, as it is written. */
export const namedEvent = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${lineOf(data)}\n\n`;

/** What a stream is of: kinds of changes, of one team or of all. */
export interface Selection {
  kinds: readonly ChangeKind[];
  teamId: string | undefined;
}

/**
 * A reader whose id is much older than a minute cannot go on from it. One that gets nothing for so long while others do is told how
 * far it is.
 */
const tellPositionMs = 15_000;

/** The events of one stream. */
export async function* changeEvents(
  reader: FeedReader,
  { kinds, teamId }: Selection,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { isComplete, id } = reader;
  yield namedEvent('ready', { complete: isComplete, version }, id);
  if (!isComplete) yield namedEvent('resync', {}, id);
  let toldAt = performance.now();
  for await (const batch of reader.batches(signal)) {
    const selected = batch.changes && selectChanges(batch.changes, kinds, teamId);
    const isTold = batch.changes === null || selected !== undefined;
    if (!isTold && performance.now() - toldAt < tellPositionMs) continue;
    toldAt = performance.now();
    if (selected) yield namedEvent('changes', selected, batch.id);
    else yield isTold ? namedEvent('resync', {}, batch.id) : `id: ${batch.id}\n\n`;
  }
}
