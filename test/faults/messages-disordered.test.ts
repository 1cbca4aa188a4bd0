import { givenIn } from '../support/given.ts';
import { seededRandom } from '../support/random.ts';
import { minutes, sized } from '../support/sizes.ts';
import { type Disorder, disorderMessages } from './support/disorder-messages.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const streams = sized({ short: 60, full: 1_000 });

const installation = installationForTests();
const given = givenIn(installation);

test(
  'streams whose Redis messages are lost, duplicated and reordered have the text of the upstream (spec 5.3)',
  async () => {
    const { apis, checker } = installation.current;
    const team = await given.team({ credits: streams, models: ['sim-echo-every-5'] });
    const client = new RetryingClient(installation.current, team);
    const disorder: Disorder = { dropped: 0, duplicated: 0, swapped: 0 };
    const { redis } = apis[0]!.links;
    redis.divert(disorderMessages(seededRandom(jest.getSeed(), 'disorder'), disorder));
    redis.cut();
    await installation.current.ready();

    await repeat(streams, 10, () => client.createAndStream(somePrompt()));

    expect(await checker.conclude()).toEqual([]);
    expect(client.streams).toEqual({ whole: streams, failed: 0 });
    expect(Math.min(disorder.dropped, disorder.duplicated, disorder.swapped)).toBeGreaterThan(10);
    figures('pub/sub disordered', {
      'streams, texts equal to the upstream’s': `${streams}, ${client.streams.whole}`,
      'messages dropped, duplicated, swapped': `${disorder.dropped}, ${disorder.duplicated}, ${disorder.swapped}`,
    });
  },
  minutes(2, 10),
);
