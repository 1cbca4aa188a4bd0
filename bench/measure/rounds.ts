import type { Stage } from '../stage/stage.ts';
import type { Subject } from '../subject.ts';
import { type Latency, measureLatency } from './latency.ts';
import { measureThroughput, type Throughput } from './throughput.ts';

/** The result of each round, by subject. */
export type Rounds<Found> = Record<string, Found[]>;

export interface Compared {
  latencyAt5: Rounds<Latency>;
  firstTokenAt5: Rounds<Latency>;
  latencyAt20: Rounds<Latency>;
  /** Absent in runs before 2026-11-27, like the next one. */
  firstTokenAt20?: Rounds<Latency>;
  latencyAt50?: Rounds<Latency>;
  throughputOf16: Rounds<Throughput>;
  throughputOf64: Rounds<Throughput>;
}

/** Few, because only the first token is measured. */
const tokensOfAStream = 4;

/** Measures every subject in every round, each round starting with another subject, so that other load affects all equally. */
export async function compare(
  stage: Stage,
  { rounds, seconds }: { rounds: number; seconds: number },
  print: (line: string) => void,
): Promise<Compared> {
  const { direct, floorCall, floorSingle, litellm, portkey, llmCall, createAndCall, chatInJob, chatAlone } = stage;
  const streams = stage.streamed(tokensOfAStream);
  const all = [direct, floorCall, litellm, portkey, llmCall, chatInJob, floorSingle, createAndCall, chatAlone];
  const calls = [direct, floorCall, litellm, llmCall];
  const found = {
    latencyAt5: {},
    firstTokenAt5: {},
    latencyAt20: {},
    firstTokenAt20: {},
    latencyAt50: {},
    throughputOf16: {},
    throughputOf64: {},
  } satisfies Compared;
  const measureEach = async <Found>(
    into: Rounds<Found>,
    round: number,
    subjects: Subject[],
    measure: (subject: Subject) => Promise<Found>,
  ) => {
    for (let index = 0; index < subjects.length; index += 1) {
      const subject = subjects[(index + round) % subjects.length]!;
      const one = await measure(subject);
      into[subject.name] = [...(into[subject.name] ?? []), one];
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    print(`round ${round + 1} of ${rounds}: latency at 5/s`);
    await measureEach(found.latencyAt5, round, all, (subject) => measureLatency(subject, 5, seconds));
    await measureEach(found.firstTokenAt5, round, Object.values(streams), (subject) =>
      measureLatency(subject, 5, seconds, tokensOfAStream),
    );
    print('  latency at 20/s');
    await measureEach(found.latencyAt20, round, all, (subject) => measureLatency(subject, 20, seconds));
    await measureEach(found.firstTokenAt20, round, Object.values(streams), (subject) =>
      measureLatency(subject, 20, seconds, tokensOfAStream),
    );
    print('  latency at 50/s');
    await measureEach(found.latencyAt50, round, calls, (subject) => measureLatency(subject, 50, seconds));
    print('  throughput, 16 at once');
    await measureEach(found.throughputOf16, round, all, (subject) => measureThroughput(subject, 16, seconds));
    print('  throughput, 64 at once');
    await measureEach(found.throughputOf64, round, all, (subject) => measureThroughput(subject, 64, seconds));
  }
  return found;
}
