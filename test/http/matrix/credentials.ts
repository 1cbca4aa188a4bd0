import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { generateVirtualKey } from '../../../src/auth/virtual-key-format.ts';
import type { Gateway } from '../../support/gateway.ts';
import { expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import type { Who } from './access-rules.ts';

export interface Credential {
  name: string;
  who: Who;
  headers: Record<string, string>;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const mistyped = (key: string) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

/** Every kind of credential, and the team that the requests are about. */
export async function everyCredential(gateway: { readonly current: Gateway }) {
  const given = givenIn(gateway);
  const admins = adminsIn(gateway);
  const { masterKey, deps } = gateway.current;
  const own = await given.team();
  const sibling = await given.team({ organizationId: own.organizationId });
  const [foreign, suspended, ofSuspended, rotated] = [
    await given.team(),
    await given.team(),
    await given.team(),
    await given.team(),
  ];
  await given.admin('post', `/api/teams/${suspended.teamId}/suspend`);
  await given.admin('put', `/api/organizations/${ofSuspended.organizationId}`, { status: 'suspended' });
  await given.admin('post', `/api/teams/${rotated.teamId}/rotate-key`, {});

  const owner = await admins.owner();
  const [admin, user, inactive] = [
    await admins.admin('admin'),
    await admins.admin('user'),
    await admins.admin('admin'),
  ];
  await admins.send('put', `/${inactive.userId}`, { token: owner.token, body: { is_active: false } });
  const loggedOut = await admins.token(admin.email);
  expectOk(await admins.send('post', '/logout', { token: loggedOut }));

  const claims = jwt.decode(owner.token) as Record<string, unknown>;
  const { iat: _iat, exp: _exp, ...lasting } = claims;
  const expired = jwt.sign({ ...lasting, exp: 1 }, deps.secrets.jwtKey);
  const forged = jwt.sign(claims, 'another secret of more than thirty-two bytes');
  const unsigned = jwt.sign(claims, '', { algorithm: 'none' });
  const otherAlgorithm = jwt.sign(claims, deps.secrets.jwtKey, { algorithm: 'HS512' });
  const withoutSession = jwt.sign({ ...claims, jti: 'none' }, deps.secrets.jwtKey);

  const nobody = (name: string, headers: Record<string, string>): Credential => ({ name, who: 'nobody', headers });
  const team = (name: string, who: Who, { key }: GivenTeam): Credential => ({ name, who, headers: bearer(key) });
  const credentials: Credential[] = [
    nobody('no credential', {}),
    nobody('garbage', bearer('garbage')),
    nobody('basic', { authorization: `Basic ${btoa(`user:${goodPassword}`)}` }),
    nobody('a mistyped key', bearer(mistyped(own.key))),
    nobody('a key that was never given out', bearer(generateVirtualKey(randomBytes(64)))),
    nobody('a key that was replaced', bearer(rotated.key)),
    nobody('a wrong platform key', bearer(`${masterKey}x`)),
    nobody("a team's key in the header of the platform key", { 'x-admin-key': own.key }),
    nobody("an owner's token in the header of the platform key", { 'x-admin-key': owner.token }),
    nobody('an expired token', bearer(expired)),
    nobody('a forged token', bearer(forged)),
    nobody('an unsigned token', bearer(unsigned)),
    nobody('a token of another algorithm', bearer(otherAlgorithm)),
    nobody('a token without a session', bearer(withoutSession)),
    nobody('a token that was logged out', bearer(loggedOut)),
    nobody('a token of an inactive user', bearer(inactive.token)),
    team('the own team', 'own team', own),
    team('a team of the same organization', 'sibling team', sibling),
    team('a foreign team', 'foreign team', foreign),
    team('a suspended team', 'suspended team', suspended),
    team('a team of a suspended organization', 'suspended team', ofSuspended),
    { name: 'the platform key', who: 'platform key', headers: bearer(masterKey) },
    { name: 'the platform key by its own header', who: 'platform key', headers: { 'x-admin-key': masterKey } },
    { name: 'an owner', who: 'owner', headers: bearer(owner.token) },
    { name: 'an admin', who: 'admin', headers: bearer(admin.token) },
    { name: 'a user', who: 'user', headers: bearer(user.token) },
  ];
  return { own, credentials, freshToken: () => admins.token(user.email) };
}
