import { attacksByCalling } from './support/attacks/calling.ts';
import { attacksByFilling } from './support/attacks/filling.ts';
import { attacksOnJobEnds } from './support/attacks/job-ends.ts';
import { attacksByReading } from './support/attacks/reading.ts';
import { attacksOfStrangers } from './support/attacks/strangers.ts';
import { attacksByWebhooks } from './support/attacks/webhooks.ts';
import { measureEffects } from './support/holder-attack.ts';

const attacks = [
  ...attacksOfStrangers,
  ...attacksOnJobEnds,
  ...attacksByReading,
  ...attacksByCalling,
  ...attacksByWebhooks,
  ...attacksByFilling,
].map((attack) => [attack.title, attack] as const);

test.each(attacks)(
  'other teams, /health and the memory of all processes are within their bounds beside %s',
  async (_title, attack) => {
    expect(await measureEffects(attack)).toEqual([]);
  },
);
