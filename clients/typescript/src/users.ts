import { arrayPagesOf } from './pages.ts';
import { path, type RequestOptions, type Transport } from './transport.ts';
import type {
  AdminSession,
  AdminUser,
  AuditEntry,
  ChangePassword,
  ConfirmSecondFactor,
  CreateAdminUser,
  DisableSecondFactor,
  InvitationList,
  InvitationWithLink,
  InviteAdminUser,
  ListAdminUsersQuery,
  ListAuditEntriesQuery,
  LogIn,
  Message,
  OwnSessionList,
  RecoveryCodes,
  SetUpOwner,
  SetupStatus,
  StartedSecondFactor,
  StartSecondFactor,
  UpdateAdminUser,
} from './types.generated.ts';

/**
 * The users who administrate the gateway. They need the access token of a user: the platform key is refused here. Their `POST`s take no
 * Idempotency-Key, so that they are not repeated when the connection is lost.
 */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  #post<T>(path: string, body: object | undefined, options?: RequestOptions): Promise<T> {
    return this.#transport.json({ method: 'POST', path, body, isKeyless: true }, options);
  }

  getSetupStatus(options?: RequestOptions): Promise<SetupStatus> {
    return this.#transport.get('/api/admin-users/setup/status', {}, options);
  }

  /** Creates the owner of a new installation. Unless the gateway listens on a loopback address, `headers` need `X-Admin-Key`. */
  setUp(body: SetUpOwner, options?: RequestOptions): Promise<AdminSession> {
    return this.#post('/api/admin-users/setup', body, options);
  }

  /** Its `access_token` is the `token` of a `JobGatewayAdmin`, for 24 hours. */
  logIn(body: LogIn, options?: RequestOptions): Promise<AdminSession> {
    return this.#post('/api/admin-users/login', body, options);
  }

  logOut(options?: RequestOptions): Promise<Message> {
    return this.#post('/api/admin-users/logout', undefined, options);
  }

  getMe(options?: RequestOptions): Promise<AdminUser> {
    return this.#transport.get('/api/admin-users/me', {}, options);
  }

  /** Deletes the account of the token. */
  deleteOwnAccount(options?: RequestOptions): Promise<Message> {
    return this.#transport.delete('/api/admin-users/me', options);
  }

  /** Its `path` is a link from the address of the gateway on, which only this answer and that of `renewInvitation` have. */
  invite(body: InviteAdminUser, options?: RequestOptions): Promise<InvitationWithLink> {
    return this.#post('/api/admin-users/invitations', body, options);
  }

  listInvitations(options?: RequestOptions): Promise<InvitationList> {
    return this.#transport.get('/api/admin-users/invitations', {}, options);
  }

  renewInvitation(invitationId: string, options?: RequestOptions): Promise<InvitationWithLink> {
    return this.#post(path`/api/admin-users/invitations/${invitationId}/renew`, undefined, options);
  }

  withdrawInvitation(invitationId: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/admin-users/invitations/${invitationId}`, options);
  }

  list(query: ListAdminUsersQuery = {}, options?: RequestOptions) {
    return arrayPagesOf<AdminUser>(this.#transport, '/api/admin-users', query, options);
  }

  create(body: CreateAdminUser, options?: RequestOptions): Promise<AdminUser> {
    return this.#post('/api/admin-users', body, options);
  }

  update(userId: string, body: UpdateAdminUser, options?: RequestOptions): Promise<AdminUser> {
    return this.#transport.put(path`/api/admin-users/${userId}`, body, options);
  }

  delete(userId: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/admin-users/${userId}`, options);
  }

  /** `me` is the user of the token. */
  changePassword(userId: string, body: ChangePassword, options?: RequestOptions): Promise<Message> {
    return this.#post(path`/api/admin-users/${userId}/change-password`, body, options);
  }

  /** The secret of an authenticator; logins need a code only once `confirmSecondFactor` has had the first one. */
  startSecondFactor(body: StartSecondFactor, options?: RequestOptions): Promise<StartedSecondFactor> {
    return this.#post('/api/admin-users/me/second-factor', body, options);
  }

  /** Its `recovery_codes` are not shown again. */
  confirmSecondFactor(body: ConfirmSecondFactor, options?: RequestOptions): Promise<RecoveryCodes> {
    return this.#post('/api/admin-users/me/second-factor/confirm', body, options);
  }

  disableSecondFactor(body: DisableSecondFactor, options?: RequestOptions): Promise<Message> {
    return this.#post('/api/admin-users/me/second-factor/disable', body, options);
  }

  /** Of another user, who has lost it. */
  resetSecondFactor(userId: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/admin-users/${userId}/second-factor`, options);
  }

  listAuditEntries(query: ListAuditEntriesQuery = {}, options?: RequestOptions) {
    return arrayPagesOf<AuditEntry>(this.#transport, '/api/admin-users/audit-logs', query, options);
  }

  listOwnSessions(options?: RequestOptions): Promise<OwnSessionList> {
    return this.#transport.get('/api/admin-users/me/sessions', {}, options);
  }

  endOtherSessions(options?: RequestOptions): Promise<Message> {
    return this.#transport.delete('/api/admin-users/me/sessions', options);
  }

  endOwnSession(sessionId: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/admin-users/me/sessions/${sessionId}`, options);
  }
}
