import { type ChangeKind, selectChanges } from '../../../domain/changes.ts';
import type { Batch, FeedReader } from '../../../services/changes/change-feed.ts';
import { version } from '../../../version.ts';
import { namedEvent } from '../../stream/event-stream.ts';

/** What a stream is of: kinds of changes, of one team or of all. */
export interface Selection {
  kinds: readonly ChangeKind[];
  teamId: string | undefined;
}

/**
 * A client can resume only from an id of the last minute. So a stream that has written nothing for this long sends the id of the next
 * batch.
 */
const positionEveryMs = 15_000;

/** The texts by selection: streams of the same selection write the same text, which is made once. */
const texts = new WeakMap<Batch, Map<string, string | undefined>>();

/** The event that a batch is for this selection; undefined: none. */
function toEvent(batch: Batch, { kinds, teamId }: Selection): string | undefined {
  if (batch.changes === null) return namedEvent('resync', {}, batch.id);
  const known = texts.get(batch) ?? new Map<string, string | undefined>();
  texts.set(batch, known);
  const name = `${kinds} ${teamId ?? ''}`;
  if (!known.has(name)) {
    const selected = selectChanges(batch.changes, kinds, teamId);
    known.set(name, selected && namedEvent('changes', selected, batch.id));
  }
  return known.get(name);
}

/** The events of one stream. */
export async function* changeEvents(
  reader: FeedReader,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { isComplete, id } = reader;
  yield namedEvent('ready', { complete: isComplete, version }, id);
  if (!isComplete) yield namedEvent('resync', {}, id);
  let positionSentAt = performance.now();
  for await (const batch of reader.batches(signal)) {
    const event = toEvent(batch, selection);
    if (event === undefined && performance.now() - positionSentAt < positionEveryMs) continue;
    positionSentAt = performance.now();
    yield event ?? `id: ${batch.id}\n\n`;
  }
}
