import { setImmediate as turnEnds } from 'node:timers/promises';
import type { Redis } from 'ioredis';

/** A frame on its way out: told to whoever listens on `channel`, and kept under `key`, for so long where it says. */
export interface KeptFrame {
  channel: string;
  key: string;
  text: string;
  keptSeconds: number | undefined;
}

/** Frames kept of one call: with coalescing, minutes of tokens. What is cut off is read from PostgreSQL. */
const keptFrames = 5_000;

/** A command that is longer holds up everybody behind it. In characters. */
const longestBatch = 262_144;

/** Kept before it is told: who hears of a frame finds those before it. Three arguments a frame. */
const sayScript = `
for i, key in ipairs(KEYS) do
  local channel, text, seconds = ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  redis.call('xadd', key, 'MAXLEN', '~', ${keptFrames}, '*', 'frame', text)
  if seconds ~= '' then redis.call('expire', key, seconds) end
  redis.call('publish', channel, text)
end`;

interface Scripts {
  sayFrames(keys: number, ...keysAndArguments: (string | number)[]): Promise<null>;
}

interface Batch {
  frames: KeptFrame[];
  length: number;
  said: Promise<unknown>;
}

/**
 * Says frames in the order in which they come, those of one turn of the event loop in one command: with many streams a
 * worker would spend more on commands than on tokens. Rejects when Redis is away.
 */
export function createFrameSpeaker(redis: Redis): (frame: KeptFrame) => Promise<unknown> {
  redis.defineCommand('sayFrames', { lua: sayScript });
  const scripts = redis as Redis & Scripts;
  let open: Batch | undefined;

  async function sayWhenTurnEnds(frames: KeptFrame[]): Promise<void> {
    await turnEnds();
    if (open?.frames === frames) open = undefined;
    await scripts.sayFrames(
      frames.length,
      ...frames.map(({ key }) => key),
      ...frames.flatMap(({ channel, text, keptSeconds }) => [channel, text, keptSeconds ?? '']),
    );
  }

  function begin(): Batch {
    const frames: KeptFrame[] = [];
    return { frames, length: 0, said: sayWhenTurnEnds(frames) };
  }

  return (frame) => {
    if (!open || open.length + frame.text.length > longestBatch) open = begin();
    open.frames.push(frame);
    open.length += frame.text.length;
    return open.said;
  };
}
