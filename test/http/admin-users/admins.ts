import { randomBytes } from 'node:crypto';
import { type Answer, ask, type Json } from '../../support/ask.ts';
import { type Gateway, gatewayForTests } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';

/** Hashing at its least allowed cost: a file logs in some hundred times. */
export const gatewayForAdmins = () => gatewayForTests({ worker: false, settings: { BCRYPT_COST: '10' } });

export const goodPassword = 'correct horse battery staple';
export const uniqueEmail = (name = 'user') => `${name}-${randomBytes(5).toString('hex')}@example.com`;

export interface Admin {
  userId: string;
  email: string;
  password: string;
  token: string;
}

/** Requests under `/api/admin-users`, and accounts with a session; the owner is set up by the first who needs one. */
export function adminsIn(gateway: { readonly current: Gateway }) {
  const send = (
    method: string,
    path: string,
    { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> => ask(gateway.current.url, method, `/api/admin-users${path}`, { key: token, body, headers });

  const login = (email: string, password: string, headers?: Record<string, string>) =>
    send('post', '/login', { body: { email, password }, headers });

  let owner: Promise<Admin> | undefined;
  const setUp = async (): Promise<Admin> => {
    const email = uniqueEmail('owner');
    const body = { email, display_name: 'The first owner', password: goodPassword };
    const { access_token, user } = expectOk(await send('post', '/setup', { body }));
    return { userId: user.user_id, email, password: goodPassword, token: access_token };
  };

  const admins = {
    send,
    login,
    owner: () => (owner ??= setUp()),
    token: async (email: string, password = goodPassword): Promise<string> =>
      expectOk(await login(email, password)).access_token,
    async create(role: string, fields: Record<string, unknown> = {}): Promise<Json> {
      const { token } = await admins.owner();
      const body = { email: uniqueEmail(role), display_name: `A ${role}`, password: goodPassword, role, ...fields };
      return expectOk(await send('post', '', { token, body }));
    },
    /** A new account of this role, logged in. */
    async admin(role: string): Promise<Admin> {
      const { user_id, email } = await admins.create(role);
      return { userId: user_id, email, password: goodPassword, token: await admins.token(email) };
    },
  };
  return admins;
}
