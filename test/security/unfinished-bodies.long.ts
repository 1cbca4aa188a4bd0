import { figures } from '../faults/support/figures.ts';
import { sized } from '../support/sizes.ts';
import { installationForTests } from './support/installation.ts';
import { healthTimes, watchHighest } from './support/probe.ts';
import { holdConnections, unfinishedRequest } from './support/sockets.ts';

const bodies = sized({ short: 500, full: 4_000 });
const installation = installationForTests({ worker: false, api: false });

const body = 'x'.repeat(65_535);
const paths = ['/api/admin-users/login', '/api/admin-users/setup'];
const bytes = (n: number) => unfinishedRequest(`POST ${paths[n % 2]}`, {}, body, 65_536);

test.each([1, 100])(
  'unfinished bodies without a credential from %i addresses take less than 150 MB',
  async (addresses) => {
    const api = await installation.current.startApi();
    await healthTimes(api.url, 2);
    const before = api.memory();
    const highest = watchHighest(() => api.memory());

    const held = [];
    for (let n = 0; n < addresses; n += 1)
      held.push(
        await holdConnections({
          url: api.url,
          from: `127.0.1.${n + 1}`,
          count: bodies / addresses,
          bytes,
          reads: true,
        }),
      );
    const health = await healthTimes(api.url, 5);
    const open = held.reduce((sum, one) => sum + one.open(), 0);
    const more = highest.end() - before;
    for (const one of held) one.close();

    figures('unfinished bodies', {
      [`${bodies} from ${addresses} addresses: open, memory, /health p50`]: `${open}, +${Math.round(more)} MB, ${Math.round(health.p50)} ms`,
    });
    expect(more).toBeLessThan(150);
  },
);
