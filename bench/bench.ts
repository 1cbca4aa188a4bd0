import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { answersOf } from './drive/send.ts';
import { type Books, checkBooks } from './measure/check-books.ts';
import { countHistoryEvents } from './measure/history-events.ts';
import { measureLists } from './measure/lists.ts';
import { measureMemory } from './measure/memory.ts';
import { measureRelayDelay } from './measure/relay-delay.ts';
import { compare } from './measure/rounds.ts';
import { measureSettlements } from './measure/settlements.ts';
import { drawWaterfall } from './measure/waterfall.ts';
import { type Plan, readPlan } from './plan.ts';
import { figuresOf } from './report/figures.ts';
import { writeTable } from './report/table.ts';
import { type Stage, setStage } from './stage/stage.ts';
import { singleCallPath } from './stage/team.ts';

/** `npm run bench` measures all subjects on one machine in one run. The ratios within a run are the result. */
const plan = readPlan(process.argv.slice(2));
const print = (line: string) => process.stdout.write(`${line}\n`);
const at = new Date().toISOString();
const machine = { cpu: cpus()[0]?.model ?? '', cores: cpus().length, loadBefore: loadavg()[0]! };
const stage = await setStage(plan);
try {
  const measured = await measure(stage, plan);
  const result = { at, machine: { ...machine, loadAfter: loadavg()[0]! }, plan, ...measured };
  const file = `bench/results/${at.slice(0, 10)}${plan.name === 'full' ? '' : `-${plan.name}`}.json`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(file, `${JSON.stringify(result)}\n`);
  print(`\n${writeTable(figuresOf(result))}\n\nAll of it is in ${file}.`);
  if (!isRight(result.books)) throw new Error(`the books are wrong: ${JSON.stringify(result.books)}`);
} finally {
  await stage.end();
}

export type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(stage: Stage, plan: Plan) {
  const { services, llmCall, team } = stage;
  const compared = await compare(stage, plan, print);
  print('history events, waterfall');
  const historyEvents = await countHistoryEvents(services.temporalAddress, stage);
  const waterfall = await drawWaterfall(stage, plan.waterfallCalls);
  print(`relay delay, ${plan.relayStreams} streams`);
  const streams = stage.streamed(plan.relayTokens);
  const relay = {
    direct: await measureRelayDelay(streams.direct, plan.relayStreams, plan.relayTokens),
    llmCallStream: await measureRelayDelay(streams.llmCallStream, plan.relayStreams, plan.relayTokens),
  };
  if (plan.memoryCalls) print(`memory after ${plan.memoryCalls.join(' and ')} calls`);
  const memory = plan.memoryCalls && (await measureMemory(llmCall, plan.memoryCalls, team.completeJobs));
  print('books');
  const books = await checkBooks(services.databaseUrl, (await team.completeJobs()) + answersOf(singleCallPath));
  print('settlements');
  const settlements = await measureSettlements(services.databaseUrl, plan.settlements);
  if (plan.listedJobs) print(`lists over ${plan.listedJobs.join(' and ')} jobs`);
  const lists = plan.listedJobs && (await measureLists(stage, plan.listedJobs));
  return { compared, historyEvents, waterfall, relay, memory, books, settlements, lists };
}

function isRight({ successes, deductions, offences }: Books): boolean {
  return successes === deductions && offences.length === 0;
}
