import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';

/** A frame to publish on `channel` and append to `key`; with `expirySeconds`, the expiry of `key` is renewed. */
export interface StoredFrame {
  channel: string;
  key: string;
  text: string;
  expirySeconds: number | undefined;
  /** An urgent frame is not delayed for the batch: a reader notices each millisecond. */
  isUrgent: boolean;
}

/** A stream that is still read this long after its last frame is read from PostgreSQL. */
export const storedSeconds = 300;

/** Frames stored of one call: with coalescing, minutes of tokens. Older ones are deleted, and read from PostgreSQL. */
const maxStoredFrames = 5_000;

/** The pause between two commands: at 4,000 tokens a second it saves a fifth of the CPU, and delays a token by two milliseconds. */
const batchMs = 4;

/** The characters of a command: a longer one blocks all others in Redis. */
const maxBatchCharacters = 262_144;

/**
 * Stores a frame before it publishes it, so that a reader that receives it finds those before it. Three arguments a frame. A key
 * to which nothing can be added, because others have made it of another type or used up its ids, is replaced: otherwise the
 * frames of all calls in the command would fail. When Redis is full, the command fails.
 */
const publishScript = `
local function store(call, key, text)
  return call('xadd', key, 'MAXLEN', '~', ${maxStoredFrames}, '*', 'frame', text)
end
for i, key in ipairs(KEYS) do
  local channel, text, seconds = ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  local stored = store(redis.pcall, key, text)
  if type(stored) == 'table' and stored.err then
    if string.find(stored.err, 'OOM') then return stored end
    redis.call('del', key)
    store(redis.call, key, text)
    redis.call('expire', key, ${storedSeconds})
  end
  if seconds ~= '' then redis.call('expire', key, seconds) end
  redis.call('publish', channel, text)
end`;

interface Scripts {
  publishFrames(keys: number, ...keysAndArguments: (string | number)[]): Promise<null>;
}

interface Batch {
  frames: StoredFrame[];
  length: number;
  published: PromiseWithResolvers<unknown>;
}

/**
 * Publishes frames in the order in which they come. An urgent frame, or the only one in `batchMs`, is sent at the end of the turn
 * of the event loop, together with all that wait. Others that come within `batchMs` of a command are sent together: with many
 * streams a worker would spend more on commands than on tokens. Rejects when Redis is unavailable.
 */
export function createFramePublishing(redis: Redis): (frame: StoredFrame) => Promise<unknown> {
  redis.defineCommand('publishFrames', { lua: publishScript });
  const scripts = redis as Redis & Scripts;
  let open: Batch | undefined;
  let lastSentAt = 0;

  function send({ frames, published }: Batch): void {
    open = undefined;
    lastSentAt = performance.now();
    const keys = frames.map(({ key }) => key);
    const rest = frames.flatMap(({ channel, text, expirySeconds }) => [channel, text, expirySeconds ?? '']);
    published.resolve(scripts.publishFrames(frames.length, ...keys, ...rest));
  }

  async function sendAfter(wait: Promise<void>, batch: Batch): Promise<void> {
    await wait;
    if (open === batch) send(batch);
  }

  function openBatch(): Batch {
    const batch = { frames: [], length: 0, published: Promise.withResolvers<unknown>() };
    const remainingMs = lastSentAt + batchMs - performance.now();
    sendAfter(remainingMs > 0 ? pause(remainingMs) : nextTurn(), batch);
    return batch;
  }

  return (frame) => {
    if (open && open.length + frame.text.length > maxBatchCharacters) send(open);
    open ??= openBatch();
    open.frames.push(frame);
    open.length += frame.text.length;
    if (frame.isUrgent) sendAfter(nextTurn(), open);
    return open.published.promise;
  };
}
