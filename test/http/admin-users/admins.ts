import { randomBytes, randomInt } from 'node:crypto';
import { type Gateway, type GatewayOptions, gatewayForTests } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import { type Answer, type Json, sendRequest } from '../../support/send-request.ts';

/** Hashing at its least allowed cost: a file logs in some hundred times. An address is what the test says it is. */
export const forAdmins: GatewayOptions = { worker: false, settings: { TRUST_PROXY: 'on' } };

export const gatewayForAdmins = (settings: GatewayOptions['settings'] = {}) =>
  gatewayForTests({ ...forAdmins, settings: { ...forAdmins.settings, ...settings } });

export const goodPassword = 'correct horse battery staple';
export const uniqueEmail = (name = 'user') => `${name}-${randomBytes(5).toString('hex')}@example.com`;
export const uniqueAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

export interface Admin {
  userId: string;
  email: string;
  token: string;
}

export interface RequestOptions {
  token?: string;
  body?: unknown;
  /** Where it comes from; failed logins are counted by it, in a Redis that other files use too. */
  address?: string;
  headers?: Record<string, string>;
}

/** Requests under `/api/admin-users`, and accounts with a session; the owner is set up by the first who needs one. */
export function adminsIn(gateway: { readonly current: Gateway }) {
  const ownAddress = uniqueAddress();
  const send = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> => {
    const { token, body, address = ownAddress, headers } = options;
    return sendRequest(gateway.current.url, method, `/api/admin-users${path}`, {
      key: token,
      body,
      headers: { 'x-forwarded-for': address, ...headers },
    });
  };
  const login = (email: string, password = goodPassword, address?: string) =>
    send('post', '/login', { body: { email, password }, address });

  const setUp = async (): Promise<Admin> => {
    const body = { email: uniqueEmail('owner'), display_name: 'The first owner', password: goodPassword };
    const { access_token, user } = expectOk(await send('post', '/setup', { body }));
    return { userId: user.user_id, email: body.email, token: access_token };
  };
  let owner: Promise<Admin> | undefined;

  const admins = {
    send,
    login,
    owner(): Promise<Admin> {
      owner ??= setUp();
      return owner;
    },
    /** Asks to create an account; whatever the test is not about has a default. */
    async create(fields: Record<string, unknown> = {}, token?: string): Promise<Answer> {
      const body = { email: uniqueEmail(), display_name: 'Somebody', password: goodPassword, role: 'user', ...fields };
      return send('post', '', { token: token ?? (await admins.owner()).token, body });
    },
    created: async (fields: Record<string, unknown> = {}): Promise<Json> => expectOk(await admins.create(fields)),
    token: async (email: string): Promise<string> => expectOk(await login(email)).access_token,
    /** A new account of this role, logged in. */
    async admin(role: string): Promise<Admin> {
      const { user_id, email } = await admins.created({ role });
      return { userId: user_id, email, token: await admins.token(email) };
    },
  };
  return admins;
}
