import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

type Test = { path: string };
type Sequencer = new (options: unknown) => { sort(tests: Test[]): Test[] };

const require = createRequire(import.meta.url);
const { default: UsualOrder }: { default: Sequencer } = require('@jest/test-sequencer');
const folder = fileURLToPath(new URL('..', import.meta.url));

/** The files that take 20 s or more, the longest first. Nearly all of that is waiting: for a timeout, or for what follows a fault. */
const longFiles = [
  'scenarios/worker-death',
  'faults/drain',
  'concurrency/dead-connections',
  'faults/crash-points',
  'scenarios/lost-workflows',
  'scenarios/answers-match-the-record',
  'scenarios/speculative-start',
  'scenarios/postgres-frozen',
  'scenarios/unavailable-worker',
  'faults/rolling-restart',
  'scenarios/documented-commands',
  'scenarios/stopped-worker',
  'scenarios/unsent-work',
  'faults/postgres-outage',
  'scenarios/racing-commands',
  'scenarios/resumed-jobs',
  'scenarios/terminated-work',
  'upstream/encodings',
  'faults/temporal-outage',
  'faults/redis-outage',
  'security/workflow-floods',
  'security/login-floods',
  'workflows/long-job',
  'http/webhooks/bad-receivers',
  'http/webhooks/retry-deliveries',
  'dev/start',
  'dev/development',
];

/** The share of all files that run after the last long one. */
const restAtTheEnd = 0.25;

/**
 * Jest's own order without a cache is by size, so that files that wait for a minute ran last, one beside the other, on idle cores. They are
 * spread over the run, beside files that need the cores. The list may be out of date: a run then takes longer, and proves the same.
 */
class SpreadLongFiles extends UsualOrder {
  override sort(tests: Test[]): Test[] {
    const rankOf = ({ path }: Test) => longFiles.indexOf(relative(folder, path).replace('.test.ts', ''));
    const { long = [], others = [] } = Object.groupBy(super.sort(tests), (test) =>
      rankOf(test) < 0 ? 'others' : 'long',
    );
    long.sort((a, b) => rankOf(a) - rankOf(b));
    const between = Math.floor((others.length * (1 - restAtTheEnd)) / long.length);
    return [...long.flatMap((test, n) => [test, ...others.splice(0, n === 0 ? 1 : between)]), ...others];
  }
}

export { SpreadLongFiles as default };
