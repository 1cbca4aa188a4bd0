import { asAdmin } from '../../support/as-admin.ts';
import type { Gateway } from '../../support/gateway.ts';
import { expectOk, type GivenTeam, unique } from '../../support/given.ts';
import type { Json } from '../../support/send-request.ts';

type Fields = Record<string, unknown>;

/** Further keys of teams, as an admin makes them. */
export function keysIn(gateway: { readonly current: Gateway }) {
  const admin = asAdmin(gateway);
  const pathOf = ({ teamId }: GivenTeam, keyId = '') => `/api/teams/${teamId}/keys${keyId && `/${keyId}`}`;
  const keys = {
    create: (team: GivenTeam, fields: Fields = {}, headers?: Record<string, string>) =>
      admin.post(pathOf(team), { name: unique('key'), ...fields }, headers),
    list: async (team: GivenTeam): Promise<Json> => expectOk(await admin.get(pathOf(team))),
    change: (team: GivenTeam, keyId: string, fields: Fields) => admin.patch(pathOf(team, keyId), fields),
    delete: (team: GivenTeam, keyId: string) => admin.delete(pathOf(team, keyId)),
    /** A new key with its id, and the team as it calls with this key. */
    async given(team: GivenTeam, fields: Fields = {}): Promise<{ keyId: string; team: GivenTeam }> {
      const { key_id, virtual_key } = expectOk(await keys.create(team, fields));
      return { keyId: key_id, team: { ...team, key: virtual_key } };
    },
    async find(team: GivenTeam, keyId: string): Promise<Json> {
      return (await keys.list(team)).keys.find(({ key_id }: Json) => key_id === keyId);
    },
  };
  return keys;
}
