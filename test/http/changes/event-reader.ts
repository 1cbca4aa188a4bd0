import type { Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';

export interface ReceivedEvent {
  name: string;
  id: string | undefined;
  data: Json;
}

/** The fields of one event, or of what only sets the id. */
function parse(block: string): ReceivedEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { name: field('event') ?? '', id: field('id'), data: JSON.parse(field('data') ?? 'null') };
}

/** A stream of events, read until it ends or is left. */
export async function readEvents(url: string, headers: Record<string, string>, query = '') {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events${query}`, { headers, signal: leaving.signal });
  const events: ReceivedEvent[] = [];
  let text = '';
  const read = async () => {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      events.push(...blocks.filter((block) => !block.startsWith(':')).map(parse));
    }
  };
  const ended = response.status === 200 ? read().catch(() => undefined) : Promise.resolve();
  const all = (kind: string): Json[] =>
    events.filter(({ name }) => name === 'changes').flatMap(({ data }) => data[kind] ?? []);
  return {
    response,
    events,
    /** Everything of this kind that was received so far. */
    all,
    /** Resolves when the stream has ended. */
    ended,
    /** Waits for an event of this name. */
    event: (name: string) =>
      until(
        () => events.find((one) => one.name === name),
        (one) => one !== undefined,
      ).then((one) => one!),
    /** Waits until something of this kind was received that `holds`. */
    seen: (kind: string, holds: (item: Json) => boolean) => until(() => all(kind).some(holds)),
    async leave() {
      leaving.abort();
      await ended;
    },
  };
}

export type EventReader = Awaited<ReturnType<typeof readEvents>>;
