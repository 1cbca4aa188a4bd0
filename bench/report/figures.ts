import { median, quantile } from '../drive/statistics.ts';
import type { Latency } from '../measure/latency.ts';
import type { Measured } from '../measure/measure-all.ts';
import type { Throughput } from '../measure/throughput.ts';

/** One line of the table: the measured value, the value it is compared with, and the goal. */
export interface Figure {
  figure: string;
  found: string;
  against: string;
  ratio: number;
  /** The bound of the ratio. */
  goal: { atMost: number } | { atLeast: number };
}

export const isMet = ({ ratio, goal }: Figure): boolean =>
  'atMost' in goal ? ratio <= goal.atMost : ratio >= goal.atLeast;

export const goalOf = ({ goal }: Figure): string => ('atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`);

const ms = (value: number): string => `${value.toFixed(1)} ms`;
const perSecond = (value: number): string => `${value.toFixed(0)}/s`;

/** The p50 of all rounds together. */
export const p50 = (rounds: Latency[] | undefined): number => median((rounds ?? []).flatMap(({ values }) => values));
const p99 = (rounds: Latency[] | undefined): number =>
  quantile(
    (rounds ?? []).flatMap(({ values }) => values),
    0.99,
  );
export const rate = (rounds: Throughput[] | undefined): number =>
  median((rounds ?? []).map((round) => round.perSecond));
const cpu = (rounds: { cpuMsPerCall: number }[] | undefined): number =>
  median((rounds ?? []).map((round) => round.cpuMsPerCall));

/** The figures that were set as goals, in their order. */
export function toFigures({
  compared,
  historyEvents,
  waterfall,
  relay,
  memory,
  settlements,
  lists,
}: Measured): Figure[] {
  const { latencyAt5, firstTokenAt5, latencyAt20, firstTokenAt20, latencyAt50, throughputOf16, throughputOf64 } =
    compared;
  const added = (name: string, at = latencyAt5) => p50(at[name]) - p50(at.direct);
  const addedToken = (name: string, at = firstTokenAt5) => p50(at[name]) - p50(at['direct, streamed']);
  const floor = added('floor: call');
  const latencies = [
    [5, latencyAt5],
    [20, latencyAt20],
    [50, latencyAt50],
  ] as const;
  const firstTokens = [
    [5, firstTokenAt5],
    [20, firstTokenAt20],
  ] as const;
  const figure = (name: string, found: number, against: number, unit: (value: number) => string, goal: Figure['goal']): Figure => ({
    figure: name, found: unit(found), against: unit(against), ratio: found / against, goal,
  }); // biome-ignore format: a table
  const rates = (name: string, at16: boolean) => rate((at16 ? throughputOf16 : throughputOf64)[name]);
  const { before, until } = waterfall.statements;
  const count = (name: string, found: number, most: number): Figure =>
    figure(name, found, most, (value) => value.toFixed(found % 1 === 0 ? 0 : 1), { atMost: 1 });
  return [
    figure('added by `llm-call` at 5/s, p50, against the floor', added('llm-call'), floor, ms, { atMost: 1.25 }),
    ...latencies.flatMap(([perSecond, at]) => at ? [figure(`… at ${perSecond}/s, against LiteLLM`, added('llm-call', at), added('LiteLLM', at), ms, { atMost: 0.9 })] : []),
    figure('added by `create-and-call` at 5/s, p50, against `llm-call`', added('create-and-call'), added('llm-call'), ms, { atMost: 1 }),
    ...firstTokens.flatMap(([perSecond, at]) => at ? [figure(`first token added by \`llm-call-stream\` at ${perSecond}/s, p50, against LiteLLM`, addedToken('llm-call-stream', at), addedToken('LiteLLM, streamed', at), ms, { atMost: 0.9 })] : []),
    figure('`llm-call` at 20/s, p99, against the floor', p99(latencyAt20['llm-call']), p99(latencyAt20['floor: call']), ms, { atMost: 1.5 }),
    ...latencies.slice(1).flatMap(([perSecond, at]) => at ? [figure(`… at ${perSecond}/s, against LiteLLM`, p99(at['llm-call']), p99(at.LiteLLM), ms, { atMost: 1.25 })] : []),
    ...[true, false].flatMap((at16) => [
      figure(`\`llm-call\`, ${at16 ? 16 : 64} at once, against the floor`, rates('llm-call', at16), rates('floor: call', at16), perSecond, { atLeast: 0.8 }),
      figure('… against LiteLLM', rates('llm-call', at16), rates('LiteLLM', at16), perSecond, { atLeast: 1.2 }),
    ]),
    ...[true, false].map((at16) =>
      figure(`\`create-and-call\`, ${at16 ? 16 : 64} at once, against its floor`, rates('create-and-call', at16), rates('floor: create-and-call', at16), perSecond, { atLeast: at16 ? 1 : 0.75 }),
    ),
    figure('first token added by `llm-call-stream` at 5/s, p50, against the floor’s call', addedToken('llm-call-stream'), floor, ms, { atMost: 1.25 }),
    figure('`chat/completions` in a job at 5/s, p50, against `llm-call`', p50(latencyAt5['chat/completions in a job']), p50(latencyAt5['llm-call']), ms, { atMost: 1.05 }),
    figure('… first token against `llm-call-stream`', p50(firstTokenAt5['chat/completions in a job, streamed']), p50(firstTokenAt5['llm-call-stream']), ms, { atMost: 1.05 }),
    figure('… CPU of api + worker a call, 16 at once, against `llm-call`', cpu(throughputOf16['chat/completions in a job']), cpu(throughputOf16['llm-call']), ms, { atMost: 1.05 }),
    figure('`chat/completions` alone at 5/s, p50, against `create-and-call`', p50(latencyAt5['chat/completions alone']), p50(latencyAt5['create-and-call']), ms, { atMost: 1.05 }),
    figure('… CPU of api + worker a call, 16 at once, against `create-and-call`', cpu(throughputOf16['chat/completions alone']), cpu(throughputOf16['create-and-call']), ms, { atMost: 1.05 }),
    figure(`added to a token, p99, ${relay.llmCallStream.streams} streams of 20/s (goal: 20 ms)`, relay.llmCallStream.delayP99 - relay.direct.delayP99, 20, ms, { atMost: 1 }),
    figure('CPU of api + worker a call, 16 at once, against the floor', cpu(throughputOf16['llm-call']), cpu(throughputOf16['floor: call']), ms, { atMost: 1.4 }),
    count('history events of a call in a running job (goal: 10)', historyEvents.llmCall, 10),
    ...(historyEvents.llmCallAfterThought ? [count('… 50 ms after the last answer', historyEvents.llmCallAfterThought, 10)] : []),
    count('… 16 at once in one job', historyEvents.llmCallAtOnce, 10),
    count('history events of a whole create-and-call (goal: 20)', historyEvents.createAndCall, 20),
    count('SQL round trips before the request to the upstream (goal: 2)', before.length, 2),
    count('SQL round trips before the answer (goal: 4)', before.length + until.length, 4),
    figure('settlements on one team, against plain SQL', settlements.settleJob, settlements.plainSql, perSecond, { atLeast: 0.6 }),
    ...(memory ? [figure(`memory of api + worker after ${memory[1]!.calls} calls, against ${memory[0]!.calls}`, memory[1]!.mib, memory[0]!.mib, (mib) => `${mib} MiB`, { atMost: 1.15 })] : []),
    // The list whose time grows most; the others are in the results.
    ...(lists ? [Object.keys(lists[0]!.p95).map((read) =>
      figure(`${read}, p95 over ${lists[1]!.jobs} jobs, against ${lists[0]!.jobs}`, lists[1]!.p95[read]!, lists[0]!.p95[read]!, ms, { atMost: 3 }),
    ).toSorted((one, other) => other.ratio - one.ratio)[0]!] : []),
  ]; // biome-ignore format: a table
}
