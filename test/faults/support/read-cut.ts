export interface NamedEvent {
  id: string;
  data: string;
}

export interface CutReading {
  key: string;
  /** Read on behind this event. */
  lastId?: string | undefined;
  /** Leave after so many events. */
  events: number;
  /** Called with the first bytes. */
  onBegun?: () => void;
}

/** A comment ends with its line, and the next event follows. */
const comments = /^:.*\n/gm;
const pattern = /^id: (\S+)\ndata: (.*)$/;

/** Reads a stream of events with ids, and disconnects after the first ones: what has arrived behind them is dropped. */
export async function readCut(
  url: string,
  { key, lastId, events: most, onBegun }: CutReading,
): Promise<{ status: number; events: NamedEvent[] }> {
  const left = new AbortController();
  const headers = { authorization: `Bearer ${key}`, ...(lastId !== undefined && { 'last-event-id': lastId }) };
  const response = await fetch(url, { headers, signal: left.signal });
  const events: NamedEvent[] = [];
  if (response.status === 200) {
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body!) {
      onBegun?.();
      const blocks = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, id, data] = pattern.exec(block.replace(comments, '')) ?? [];
        if (id !== undefined && events.length < most) events.push({ id, data: data! });
      }
      if (events.length >= most) break;
    }
  }
  left.abort();
  return { status: response.status, events };
}
