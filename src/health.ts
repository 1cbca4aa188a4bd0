import { statement } from './db/database.ts';
import type { Deps } from './deps.ts';
import { inTime } from './in-time.ts';

export type Dependency = 'database' | 'redis' | 'temporal' | 'worker';
export type Health = Record<Dependency, 'up' | 'down'>;

/** A probe is answered in time to be a probe. */
const patienceMs = 1_000;
/** However many ask, the dependencies are asked so often. */
const keptMs = 500;

const selectOne = statement('select_one', 'select 1');

type Parts = Pick<Deps, 'database' | 'redisHealth' | 'temporal' | 'workers'>;

/** Who answers late is down. */
const isUp = (answers: Promise<boolean>): Promise<boolean> => inTime(answers, patienceMs).catch(() => false);

async function ask({ database, redisHealth, temporal, workers }: Parts): Promise<Health> {
  const [databaseUp, temporalUp] = await Promise.all([
    isUp(database.query(selectOne, []).then(() => true)),
    isUp(temporal.answers(patienceMs)),
  ]);
  const say = (up: boolean) => (up ? 'up' : 'down');
  return {
    database: say(databaseUp),
    redis: say(redisHealth.isUp()),
    temporal: say(temporalUp),
    worker: say(!workers.away()),
  };
}

/** What the gateway stands on, asked when somebody wants to know and kept for a moment. Never rejects. */
export function watchHealth(parts: Parts): () => Promise<Health> {
  let asked: Promise<Health> | undefined;
  const forget = () => {
    asked = undefined;
  };
  return () => {
    asked ??= ask(parts).finally(() => setTimeout(forget, keptMs).unref());
    return asked;
  };
}
