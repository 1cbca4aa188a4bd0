import { readCallEnd } from '../../db/calls/read-call-end.ts';
import type { Database } from '../../db/connection/database.ts';
import type { CallEnd } from '../../domain/call-result.ts';
import type { Delta } from '../../domain/chat-message.ts';
import { errorEvent, finalChunk, firstChunk, lostEvent, type Naming, nextChunk } from '../../http/stream/chunks.ts';
import type { RedisHealth } from '../../liveness/redis-watch.ts';
import type { CallEvents } from '../../redis/call-events.ts';
import type { CallSubscriptions } from '../call-subscriptions.ts';
import { FrameQueue } from './frame-queue.ts';
import { FrameReorder, type Output } from './frame-reorder.ts';

export interface RelayDeps {
  database: Database;
  callEvents: CallEvents;
  redisHealth: RedisHealth;
  callSubscriptions: CallSubscriptions;
}

/** `spec 5.6` promises an end within 10 s of Redis going away. */
const patienceWithoutRedisMs = 5_000;
const tickMs = 1_000;
/** A gap that Redis cannot fill is asked for ever less often, and not with every frame. */
const firstCatchUpPauseMs = 200;
const longestCatchUpPauseMs = 3_000;

/** Opened before the call is signalled, so that its first frame cannot be missed; `events` is read once. */
export interface FrameSubscription {
  /** The first message about the call: its end, or undefined for anything else. */
  firstWord: Promise<CallEnd | undefined>;
  /** `ended` is waited for before the events end, and so before `[DONE]`. */
  events(naming: Naming, ended?: (end: CallEnd) => Promise<unknown>): AsyncGenerator<string>;
  /** Ends the events with `end`, whatever becomes of the call. */
  end(end: CallEnd): void;
  close(): void;
}

/** `late`: frames of the call may have been published already; they are read first. */
export async function subscribeToFrames(
  deps: RelayDeps,
  callId: string,
  { late = false } = {},
): Promise<FrameSubscription> {
  const inbox = new FrameQueue();
  const { promise: firstWord, resolve: hear } = Promise.withResolvers<CallEnd | undefined>();
  const endWith = (end: CallEnd) => {
    inbox.put((state) => state.finish(end));
    hear(end);
  };
  const leave = await deps.callSubscriptions.watch(callId, {
    frame(said) {
      if (said.type !== 'started') inbox.put((state) => state.accept(said), { mayBeDropped: true });
      hear(said.type === 'end' ? said.end : undefined);
    },
    recorded: endWith,
    leaving() {
      inbox.put((state) => state.giveUp());
      hear(undefined);
    },
  });
  return {
    firstWord,
    events: (naming, ended) => relay(deps, inbox, { naming, ended, late, leave }),
    end: endWith,
    close: leave,
  };
}

/** The outputs of a call, in order, up to its end. Sends nothing twice and never hangs. */
async function* outputs(deps: RelayDeps, inbox: FrameQueue, callId: string, late: boolean): AsyncGenerator<Output> {
  const state = new FrameReorder();
  let caughtUpAt = 0;
  let pauseMs = firstCatchUpPauseMs;
  const catchUp = async () => {
    caughtUpAt = Date.now();
    return (await deps.callEvents.storedFrames(callId).catch(() => [])).flatMap((frame) => state.accept(frame));
  };
  if (late) yield* await catchUp();
  while (!state.isOver) {
    const arrival = await inbox.take(tickMs);
    if (arrival) yield* arrival(state);
    if (!state.hasGap) pauseMs = firstCatchUpPauseMs;
    else if (Date.now() - caughtUpAt > pauseMs) {
      yield* await catchUp();
      pauseMs = Math.min(pauseMs * 2, longestCatchUpPauseMs);
    }
    if (!arrival && deps.redisHealth.downMs() > patienceWithoutRedisMs) {
      const end = await readCallEnd(deps.database, callId).catch(() => undefined);
      yield* end ? state.finish(end) : state.giveUp();
    }
  }
}

interface Relay {
  naming: Naming;
  ended: ((end: CallEnd) => Promise<unknown>) | undefined;
  late: boolean;
  leave: () => void;
}

async function* relay(
  deps: RelayDeps,
  inbox: FrameQueue,
  { naming, ended, late, leave }: Relay,
): AsyncGenerator<string> {
  let begun = false;
  const inTurn = (delta: Delta) => {
    const event = begun ? nextChunk(naming, delta) : firstChunk(naming, delta);
    begun = true;
    return event;
  };
  try {
    for await (const output of outputs(deps, inbox, naming.callId, late)) {
      if (output.type === 'delta') yield inTurn(output.delta);
      if (output.type === 'lost') yield lostEvent;
      if (output.type !== 'end') continue;
      const { end } = output;
      if (end.status === 'succeeded' && !begun) yield inTurn({ content: '' });
      yield end.status === 'succeeded' ? finalChunk(naming, end) : errorEvent(end);
      await ended?.(end);
    }
  } finally {
    leave();
  }
}
