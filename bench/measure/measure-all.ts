import type { Print } from '../../tools/dev/print.ts';
import { jobsAnswered } from '../drive/send.ts';
import type { Plan } from '../plan.ts';
import type { Stage } from '../stage/stage.ts';
import { checkBooks } from './check-books.ts';
import { countHistoryEvents } from './history-events.ts';
import { measureLists } from './lists.ts';
import { measureMemory } from './memory.ts';
import { measureRelayDelay } from './relay-delay.ts';
import { compare } from './rounds.ts';
import { measureSettlements } from './settlements.ts';
import { drawWaterfall } from './waterfall.ts';

export type Measured = Awaited<ReturnType<typeof measureAll>>;

/** Everything that `plan` names, one measurement after the other. */
export async function measureAll(stage: Stage, plan: Plan, print: Print) {
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
  const memory = plan.memoryCalls && (await measureMemory(llmCall, plan.memoryCalls, team.completeJobs, print));
  print('books');
  const books = await checkBooks(services.databaseUrl, (await team.completeJobs()) + jobsAnswered());
  print('settlements');
  const settlements = await measureSettlements(services.databaseUrl, plan.settlements);
  if (plan.listedJobs) print(`lists over ${plan.listedJobs.join(' and ')} jobs`);
  const lists = plan.listedJobs && (await measureLists(stage, plan.listedJobs));
  return { compared, historyEvents, waterfall, relay, memory, books, settlements, lists };
}
