import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { givenIn, unique } from '../../support/given.ts';

/** What the tests of creating teams have in common: a gateway, requests, and what has become of a team upstream. */
export function creatingTeams() {
  const gateway = gatewayForTests({ worker: false });
  beforeEach(() => gateway.current.simulator.clearScripts());
  const given = givenIn(gateway);
  const admin = asAdmin(gateway);
  return {
    gateway,
    given,
    admin,
    create: (body: object, headers?: Record<string, string>) => admin.post('/api/teams/create', body, headers),
    /** No more than has to be in a body. */
    bare: async () => ({
      organization_id: await given.organization(),
      team_id: unique('team'),
      model_groups: [] as string[],
    }),
    upstreamOf: (teamId: string) => gateway.current.simulator.registry.teams.get(teamId),
    keysUpstream: (teamId: string) =>
      [...gateway.current.simulator.registry.keys.values()].filter((key) => key.team_id === teamId),
  };
}
