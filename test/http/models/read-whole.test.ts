import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';
import { sized } from '../../support/sizes.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

const readings = sized({ short: 50, full: 150 });

/** What is changed together: the description says what the rest is to be. */
interface Kind {
  path: string;
  make(): Promise<string>;
  states(): Promise<string[]>;
  change(state: string): object;
  stateOf(shown: Json): string[];
}

const kinds: Record<string, Kind> = {
  'model group': {
    path: '/api/model-groups',
    make: () => given.modelGroup(['a']),
    states: async () => ['a', 'b'],
    change: (state) => ({ models: [{ model_name: state }] }),
    stateOf: ({ models }) => models.map(({ model_name }: { model_name: string }) => model_name),
  },
  alias: {
    path: '/api/model-aliases',
    make: () => given.alias(),
    states: () => Promise.all([given.accessGroup(), given.accessGroup()]),
    change: (state) => ({ access_groups: [state] }),
    stateOf: ({ access_groups }) => access_groups,
  },
  'access group': {
    path: '/api/model-access-groups',
    make: () => given.accessGroup(),
    states: () => Promise.all([given.alias(), given.alias()]),
    change: (state) => ({ model_aliases: [state] }),
    stateOf: ({ model_aliases }) => model_aliases,
  },
};

test.each(Object.entries(kinds))('%s is read in one consistent state', async (_, kind) => {
  const name = await kind.make();
  const states = await kind.states();
  const change = async (state: string) =>
    expectOk(await admin.put(`${kind.path}/${name}`, { description: state, ...kind.change(state) }));
  await change(states[0]!);
  const reading = { over: false };
  const changing = (async () => {
    for (let turn = 1; !reading.over; turn += 1) await change(states[turn % 2]!);
  })();

  const shown: { described: string; is: string[] }[] = [];
  try {
    for (let read = 0; read < readings; read += 1) {
      const one = expectOk(await admin.get(`${kind.path}/${name}`));
      const list: Json[] = expectOk(await admin.get(kind.path)) as unknown as Json[];
      const inList = list.find(({ group_name, alias_name }) => name === (alias_name ?? group_name))!;
      for (const each of [one, inList]) shown.push({ described: each.description, is: kind.stateOf(each) });
    }
  } finally {
    reading.over = true;
    await changing;
  }

  expect(shown.filter(({ described, is }) => is.join() !== described)).toEqual([]);
});
