import { expectOk, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

export interface Admin {
  userId: string;
  email: string;
  password: string;
  token: string;
}

/** A password that is in no list of common passwords. */
export const newPassword = () => unique('violet-Harbour-92');

interface SetUpOptions {
  headers?: Record<string, string>;
  password?: string;
}

export const setUp = (url: string, { headers, password = newPassword() }: SetUpOptions = {}): Promise<Answer> =>
  sendRequest(url, 'post', '/api/admin-users/setup', {
    headers,
    body: { email: 'owner@example.com', display_name: 'The owner', password },
  });

export async function givenOwner(url: string, masterKey: string): Promise<Admin> {
  const password = newPassword();
  const { access_token, user } = expectOk(await setUp(url, { password, headers: { 'x-admin-key': masterKey } }));
  return { userId: user.user_id, email: user.email, password, token: access_token };
}

export async function givenAdmin(url: string, owner: Admin, role = 'admin'): Promise<Admin> {
  const [email, password] = [`${unique('admin')}@example.com`, newPassword()];
  const body = { email, display_name: 'An admin', password, role };
  const { user_id } = expectOk(await sendRequest(url, 'post', '/api/admin-users', { key: owner.token, body }));
  const { access_token } = expectOk(await logIn(url, { email, password }));
  return { userId: user_id, email, password, token: access_token };
}

interface Login {
  email: string;
  password: string;
  /** The client address in `X-Forwarded-For`, which the api trusts. */
  from?: string;
}

export const logIn = (url: string, { email, password, from }: Login): Promise<Answer> =>
  sendRequest(url, 'post', '/api/admin-users/login', {
    body: { email, password },
    headers: from ? { 'x-forwarded-for': from } : {},
  });

/** Address `n` of the /64 of `2001:db8:<network>::`. */
export const addressIn = (network: number, n: number): string =>
  `2001:db8:${network.toString(16)}:0:${((n >> 16) + 1).toString(16)}:${(n & 0xffff).toString(16)}:aaaa:1`;
