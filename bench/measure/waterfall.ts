import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../src/domain/ids.ts';
import { post } from '../drive/send.ts';
import { median } from '../drive/statistics.ts';
import type { Stage } from '../stage/stage.ts';
import { type LoggedStatement, withLoggedStatements } from './logged-statements.ts';

/** One stage of a call and its median duration in milliseconds. */
export interface CallStage {
  stage: string;
  ms: number;
}

export interface Waterfall {
  stages: CallStage[];
  /** From the record of the call until a worker has started it, beside the request to the upstream. Absent in older results. */
  beside?: CallStage[];
  /** The names of the statements of one call: before the request to the upstream, before the answer, and after it. */
  statements: { before: string[]; until: string[]; behind: string[] };
}

type Moment = { what: string; at: number };
interface Call {
  sentAt: number;
  answeredAt: number;
  upstreamRequestedAt: number;
  upstreamAnsweredAt: number;
}

/** Long enough for a call and the work after its answer to end before the next call. */
const everyMs = 250;
const now = () => performance.timeOrigin + performance.now();

/**
 * The durations of the stages of one call, from the times of the driver, the statement log of PostgreSQL, the history of Temporal and the
 * upstream; the gateway measures nothing itself. The log has a resolution of one millisecond, the others a higher one.
 */
export async function drawWaterfall(stage: Stage, count: number): Promise<Waterfall> {
  const { llmCall, services, postgresLog } = stage;
  const [shot] = await llmCall.prepare(1);
  const calls: Call[] = [];
  const logged = await withLoggedStatements(services.databaseUrl, postgresLog, async () => {
    for (let made = 0; made < count; made += 1) {
      const sentAt = now();
      const answer = JSON.parse(await post(llmCall.url, shot!)) as { response: { content: string } };
      const answeredAt = now();
      const [upstreamRequestedAt = 0, upstreamAnsweredAt = 0] = answer.response.content.split(' ').map(Number);
      calls.push({ sentAt, answeredAt, upstreamRequestedAt, upstreamAnsweredAt });
      await pause(Math.max(0, sentAt + everyMs - now()));
    }
  });
  const events = await readHistory(services.temporalAddress, shot!.path.split('/')[3]!);
  const found = calls.map((call) => findMoments(call, logged, events));
  const complete = (way: 'answer' | 'start') =>
    found.map((moments) => moments[way]).filter((moments) => moments.every(isComplete));
  return {
    stages: toStages(complete('answer')),
    beside: toStages(complete('start')),
    statements: countStatements(calls, logged),
  };
}

async function readHistory(address: string, jobId: string): Promise<Moment[]> {
  const connection = await Connection.connect({ address });
  try {
    const { events } = await new Client({ connection }).workflow.getHandle(workflowId.job(jobId)).fetchHistory();
    return (events ?? []).flatMap(({ eventType, eventTime }) => {
      const at = Number(eventTime?.seconds ?? 0) * 1_000 + (eventTime?.nanos ?? 0) / 1e6;
      // The start event of an activity is written at its end, with the time of its start.
      const what = eventNames[eventType ?? 0];
      return what ? [{ what, at }] : [];
    });
  } finally {
    await connection.close();
  }
}

/** By their numbers in Temporal's protocol: workflow signalled, workflow task started. Later events are not on the path of the call. */
const eventNames: Record<number, string> = { 26: 'signalled', 6: 'task begun' };

const isComplete = (moment: { what: string; at: number | undefined }): moment is Moment => moment.at !== undefined;

/** In the order of their occurrence, on the way to the answer and on that through Temporal to the start of the call. */
function findMoments(call: Call, logged: LoggedStatement[], events: Moment[]) {
  const within = ({ at }: { at: number }) => at >= call.sentAt - 1 && at <= call.answeredAt + 1;
  const statement = (name: string) => logged.find((one) => one.name === name && within(one))?.at;
  const event = (what: string) => events.find((one) => one.what === what && within(one))?.at;
  const moments = (all: [string, number | undefined][]) => all.map(([what, at]) => ({ what, at }));
  const recordedAt = statement('admit_call_to_job');
  return {
    answer: moments([
      ['sent', call.sentAt],
      ['api: HTTP, body, limits, key and record of the call', recordedAt],
      ['api → Redis → worker: notice, attempt recorded', statement('insert_early_attempt')],
      ['worker → upstream: request', call.upstreamRequestedAt],
      ['upstream', call.upstreamAnsweredAt],
      ['worker: answer read and recorded', statement('finish_call')],
      ['worker → Redis → api → client: answer', call.answeredAt],
    ]),
    start: moments([
      ['recorded', recordedAt],
      ['api → Temporal: signal', event('signalled')],
      ['Temporal → worker: workflow task', event('task begun')],
      ['worker: workflow decides, call marked', statement('start_call')],
    ]),
  };
}

function toStages(calls: { what: string; at: number | undefined }[][]): CallStage[] {
  const [first = []] = calls;
  if (calls.length === 0) console.error('  waterfall: no call has every stage');
  return first.slice(1).map(({ what }, index) => ({
    stage: what,
    ms: Math.round(median(calls.map((moments) => moments[index + 1]!.at! - moments[index]!.at!)) * 100) / 100,
  }));
}

/** The statements that most calls have. */
function countStatements(calls: Call[], logged: LoggedStatement[]): Waterfall['statements'] {
  const usual = (from: (call: Call) => number, until: (call: Call) => number) => {
    const counts = new Map<string, number>();
    for (const call of calls)
      for (const { name, at } of logged)
        if (at >= from(call) && at < until(call)) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].filter(([, times]) => times > calls.length * 0.6).map(([name]) => name);
  };
  return {
    before: usual((call) => call.sentAt - 1, (call) => call.upstreamRequestedAt + 1), // biome-ignore format: a table
    until: usual((call) => call.upstreamRequestedAt + 2, (call) => call.answeredAt), // biome-ignore format: a table
    behind: usual((call) => call.answeredAt, (call) => call.sentAt + everyMs - 10), // biome-ignore format: a table
  };
}
