import { pagesOf } from './pages.ts';
import { path, type RequestOptions, type Transport } from './transport.ts';
import type {
  BurnRate,
  ChangedModelGroups,
  ChangedTeamStatus,
  CreatedTeam,
  CreatedTeamKey,
  EndedKeys,
  ErasedUser,
  GetOrganizationUsageQuery,
  GetTeamStatementQuery,
  GetTeamUsageQuery,
  KeyRotation,
  ListOrganizationsQuery,
  ListTeamsQuery,
  Message,
  ModelGroupsOfTeam,
  ModelsOfTeam,
  Organization,
  OrganizationCreation,
  OrganizationList,
  OrganizationTeams,
  OrganizationUpdate,
  OrganizationUsage,
  RevealedKey,
  RotatedKey,
  Statement,
  Team,
  TeamCreation,
  TeamKey,
  TeamKeyCreation,
  TeamKeyList,
  TeamKeyUpdate,
  TeamList,
  TeamUpdate,
  TeamUsage,
  TeamWithKey,
  UserErasure,
} from './types.generated.ts';

export class Organizations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: OrganizationCreation, options?: RequestOptions): Promise<Organization> {
    return this.#transport.post('/api/organizations/create', body, options);
  }

  list(query: ListOrganizationsQuery = {}, options?: RequestOptions) {
    const itemsOf = ({ organizations }: OrganizationList) => organizations;
    return pagesOf(this.#transport, '/api/organizations', query, itemsOf, options);
  }

  retrieve(organizationId: string, options?: RequestOptions): Promise<Organization> {
    return this.#transport.get(path`/api/organizations/${organizationId}`, {}, options);
  }

  /** A status `deleted` is how an organization is deleted. */
  update(organizationId: string, body: OrganizationUpdate, options?: RequestOptions): Promise<Organization> {
    return this.#transport.put(path`/api/organizations/${organizationId}`, body, options);
  }

  listTeams(organizationId: string, options?: RequestOptions): Promise<OrganizationTeams> {
    return this.#transport.get(path`/api/organizations/${organizationId}/teams`, {}, options);
  }

  getUsage(
    organizationId: string,
    query: GetOrganizationUsageQuery,
    options?: RequestOptions,
  ): Promise<OrganizationUsage> {
    return this.#transport.get(path`/api/organizations/${organizationId}/usage`, query, options);
  }
}

export class Teams {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Its answer is the only one that has `virtual_key` without being asked to reveal it. */
  create(body: TeamCreation, options?: RequestOptions): Promise<CreatedTeam> {
    return this.#transport.post('/api/teams/create', body, options);
  }

  list(query: ListTeamsQuery = {}, options?: RequestOptions) {
    return pagesOf(this.#transport, '/api/teams', query, ({ teams }: TeamList) => teams, options);
  }

  retrieve(teamId: string, options?: RequestOptions): Promise<TeamWithKey> {
    return this.#transport.get(path`/api/teams/${teamId}`, {}, options);
  }

  update(teamId: string, body: TeamUpdate, options?: RequestOptions): Promise<Team> {
    return this.#transport.put(path`/api/teams/${teamId}`, body, options);
  }

  replaceModelGroups(teamId: string, body: ModelGroupsOfTeam, options?: RequestOptions): Promise<ChangedModelGroups> {
    return this.#transport.put(path`/api/teams/${teamId}/model-groups`, body, options);
  }

  suspend(teamId: string, options?: RequestOptions): Promise<ChangedTeamStatus> {
    return this.#transport.post(path`/api/teams/${teamId}/suspend`, undefined, options);
  }

  resume(teamId: string, options?: RequestOptions): Promise<ChangedTeamStatus> {
    return this.#transport.post(path`/api/teams/${teamId}/resume`, undefined, options);
  }

  /** Replaces the first key; the old one is valid for `grace_seconds` more. */
  rotateKey(teamId: string, body: KeyRotation = {}, options?: RequestOptions): Promise<RotatedKey> {
    return this.#transport.post(path`/api/teams/${teamId}/rotate-key`, body, options);
  }

  /** Ends at once the keys that serve on after a rotation. */
  endPreviousKeys(teamId: string, options?: RequestOptions): Promise<EndedKeys> {
    return this.#transport.post(path`/api/teams/${teamId}/end-previous-keys`, undefined, options);
  }

  revealKey(teamId: string, options?: RequestOptions): Promise<RevealedKey> {
    return this.#transport.post(path`/api/teams/${teamId}/reveal-key`, undefined, options);
  }

  /** Deletes what is stored of one of the team's own users, but sums and ledger. */
  eraseUser(teamId: string, body: UserErasure, options?: RequestOptions): Promise<ErasedUser> {
    return this.#transport.post(path`/api/teams/${teamId}/erase`, body, options);
  }

  getUsage(teamId: string, query: GetTeamUsageQuery, options?: RequestOptions): Promise<TeamUsage> {
    return this.#transport.get(path`/api/teams/${teamId}/usage`, query, options);
  }

  /** A month's balances, what changed them, and its jobs. `period` is a month: `2026-01`. */
  getStatement(teamId: string, query: GetTeamStatementQuery, options?: RequestOptions): Promise<Statement> {
    return this.#transport.get(path`/api/teams/${teamId}/statement`, query, options);
  }

  /** The names that the team can call, with what they accept. */
  listModels(teamId: string, options?: RequestOptions): Promise<ModelsOfTeam> {
    return this.#transport.get(path`/api/teams/${teamId}/models`, {}, options);
  }

  getBurnRate(teamId: string, options?: RequestOptions): Promise<BurnRate> {
    return this.#transport.get(path`/api/teams/${teamId}/burn-rate`, {}, options);
  }
}

/** Further keys of a team, with limits of their own. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(teamId: string, body: TeamKeyCreation, options?: RequestOptions): Promise<CreatedTeamKey> {
    return this.#transport.post(path`/api/teams/${teamId}/keys`, body, options);
  }

  list(teamId: string, options?: RequestOptions): Promise<TeamKeyList> {
    return this.#transport.get(path`/api/teams/${teamId}/keys`, {}, options);
  }

  update(teamId: string, keyId: string, body: TeamKeyUpdate, options?: RequestOptions): Promise<TeamKey> {
    return this.#transport.patch(path`/api/teams/${teamId}/keys/${keyId}`, body, options);
  }

  delete(teamId: string, keyId: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/teams/${teamId}/keys/${keyId}`, options);
  }
}
