import { request } from 'undici';
import { readServerClock as readDatabaseClock } from '../../db/connection/read-server.ts';
import { clockGapMs, type StatedTime, toleratedGapMs } from '../../domain/clock-gap.ts';
import { noFindings } from '../../domain/findings.ts';
import { readRedisClock } from '../../redis/find-redis-problems.ts';
import { readServerClock as readTemporalClock } from '../../temporal/connection/read-server.ts';
import { type Check, type Checkable, checkedAs } from './checked.ts';

const timeoutMs = 3_000;
const secondMs = 1_000;

async function between(read: () => Promise<Date>): Promise<StatedTime> {
  const before = Date.now();
  const stated = await read();
  return { before, after: Date.now(), stated: stated.getTime() };
}

/** Any answer has the header, also a refusal. */
async function readUpstreamClock({ config }: Checkable): Promise<StatedTime> {
  const before = Date.now();
  const { headers, body } = await request(config.UPSTREAM_BASE_URL, { signal: AbortSignal.timeout(timeoutMs) });
  const after = Date.now();
  await body.dump();
  const stated = Date.parse(String(headers.date));
  if (Number.isNaN(stated)) throw new Error('no header Date');
  return { before, after, stated, resolutionMs: secondMs };
}

const clocks: Record<string, (of: Checkable) => Promise<StatedTime>> = {
  PostgreSQL: async ({ openDatabase }) => {
    const database = await openDatabase();
    return between(() => readDatabaseClock(database));
  },
  Redis: ({ config }) => readRedisClock(config.REDIS_URL),
  Temporal: ({ temporal }) => readTemporalClock(temporal),
  'the upstream': readUpstreamClock,
};

/** The clocks of all that states times, against that of this machine. A service that does not respond is the matter of its own check. */
export const checkClocks: Check = async (of) => {
  const found = noFindings();
  const compared: string[] = [];
  for (const [name, read] of Object.entries(clocks)) {
    const time = await read(of).catch(() => undefined);
    if (!time) continue;
    compared.push(name);
    const gapMs = clockGapMs(time);
    if (Math.abs(gapMs) > toleratedGapMs)
      found.warnings.push(
        `the clock of ${name} is ${(Math.abs(gapMs) / secondMs).toFixed(1)} s ${gapMs > 0 ? 'ahead of' : 'behind'} this machine's: chronyc tracking, on both`,
      );
  }
  return checkedAs(`${compared.join(', ')}: within ${toleratedGapMs / secondMs} s of this machine's`, found);
};
