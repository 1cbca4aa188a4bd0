import { setTimeout as pause, setImmediate as turnEnds } from 'node:timers/promises';
import type { Redis } from 'ioredis';

/** A frame to publish on `channel` and keep under `key`; with `keptSeconds`, the expiry of `key` is renewed. */
export interface KeptFrame {
  channel: string;
  key: string;
  text: string;
  keptSeconds: number | undefined;
  /** Does not wait to be gathered: a reader notices each millisecond. */
  isUrgent: boolean;
}

/** A stream that is still read this long after its last frame is read from PostgreSQL. */
export const keptAfterSeconds = 300;

/** Frames kept of one call: with coalescing, minutes of tokens. What is cut off is read from PostgreSQL. */
const keptFrames = 5_000;

/** Between two commands: at 4,000 tokens a second a fifth less CPU than one command a turn, and two milliseconds more for a token. */
const gatheredMs = 4;

/** In characters: a longer command holds up all others in Redis. */
const longestBatch = 262_144;

/**
 * Keeps a frame before it publishes it, so that a reader that hears of it finds those before it. Three arguments a frame. A key
 * to which nothing can be added, because others have made it of another type or used up its ids, is made anew: it would fail
 * the frames of all calls in the command. A full Redis is another matter.
 */
const sayScript = `
local function keep(call, key, text)
  return call('xadd', key, 'MAXLEN', '~', ${keptFrames}, '*', 'frame', text)
end
for i, key in ipairs(KEYS) do
  local channel, text, seconds = ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  local kept = keep(redis.pcall, key, text)
  if type(kept) == 'table' and kept.err then
    if string.find(kept.err, 'OOM') then return kept end
    redis.call('del', key)
    keep(redis.call, key, text)
    redis.call('expire', key, ${keptAfterSeconds})
  end
  if seconds ~= '' then redis.call('expire', key, seconds) end
  redis.call('publish', channel, text)
end`;

interface Scripts {
  publishFrames(keys: number, ...keysAndArguments: (string | number)[]): Promise<null>;
}

interface Batch {
  frames: KeptFrame[];
  length: number;
  said: PromiseWithResolvers<unknown>;
}

/**
 * Publishes frames in the order in which they come. An urgent frame, or one that comes alone, leaves with the turn of the event
 * loop, with all that wait; others that come within `gatheredMs` of a command leave together: with many streams a worker would
 * spend more on commands than on tokens. Rejects when Redis is away.
 */
export function createFramePublishing(redis: Redis): (frame: KeptFrame) => Promise<unknown> {
  redis.defineCommand('publishFrames', { lua: sayScript });
  const scripts = redis as Redis & Scripts;
  let open: Batch | undefined;
  let saidAt = 0;

  function say({ frames, said }: Batch): void {
    open = undefined;
    saidAt = performance.now();
    const keys = frames.map(({ key }) => key);
    const rest = frames.flatMap(({ channel, text, keptSeconds }) => [channel, text, keptSeconds ?? '']);
    said.resolve(scripts.publishFrames(frames.length, ...keys, ...rest));
  }

  async function sayAfter(wait: Promise<void>, batch: Batch): Promise<void> {
    await wait;
    if (open === batch) say(batch);
  }

  function begin(): Batch {
    const batch = { frames: [], length: 0, said: Promise.withResolvers<unknown>() };
    const rest = saidAt + gatheredMs - performance.now();
    sayAfter(rest > 0 ? pause(rest) : turnEnds(), batch);
    return batch;
  }

  return (frame) => {
    if (open && open.length + frame.text.length > longestBatch) say(open);
    open ??= begin();
    open.frames.push(frame);
    open.length += frame.text.length;
    if (frame.isUrgent) sayAfter(turnEnds(), open);
    return open.said.promise;
  };
}
