import { createHash } from 'node:crypto';

/** A row of LiteLLM's team table: the columns that a gateway writes or reads. */
export type Team = {
  team_id: string;
  team_alias: string | null;
  organization_id: string | null;
  admins: string[];
  members: string[];
  members_with_roles: unknown[];
  metadata: Record<string, unknown>;
  max_budget: number | null;
  soft_budget: number | null;
  spend: number;
  models: unknown[];
  max_parallel_requests: number | null;
  tpm_limit: number | null;
  rpm_limit: number | null;
  tpd_limit: number | null;
  budget_duration: string | null;
  budget_reset_at: string | null;
  blocked: boolean;
  created_at: string;
  updated_at: string;
  model_id: number | null;
};

/** A row of LiteLLM's key table. `token` is the hash: the key itself is never stored. */
export type Key = {
  token: string;
  key_name: string;
  key_alias: string | null;
  spend: number;
  expires: string | null;
  models: unknown[];
  aliases: Record<string, unknown>;
  config: Record<string, unknown>;
  user_id: string | null;
  team_id: string | null;
  organization_id: string | null;
  permissions: Record<string, unknown>;
  max_parallel_requests: number | null;
  metadata: Record<string, unknown>;
  blocked: boolean | null;
  tpm_limit: number | null;
  rpm_limit: number | null;
  tpd_limit: number | null;
  max_budget: number | null;
  budget_duration: string | null;
  allowed_routes: unknown[];
  created_at: string;
  updated_at: string;
};

/** LiteLLM accepts a key or its hash wherever it accepts a key. */
export const hashKey = (key: string): string =>
  key.startsWith('sk-') ? createHash('sha256').update(key).digest('hex') : key;

/** A key in the form in which LiteLLM's errors show it. */
export const maskKey = (key: string): string => (key.length > 8 ? `${key.slice(0, 4)}****${key.slice(-4)}` : '****');

/** How long LiteLLM checks the requests of a team by what it has read of it. */
const teamCachedMs = 60_000;

/** Teams and keys, in memory. */
export class Registry {
  readonly teams = new Map<string, Team>();
  readonly keys = new Map<string, Key>();
  private readonly readTeams = new Map<string, { team: Team; until: number }>();

  /**
   * The team as its requests are checked: as it was when a request read it last, at most a minute ago, or since then was refreshed.
   * LiteLLM refreshes it with `/team/update`, and not with `/team/block` and `/team/unblock`. Its spend is never old.
   */
  teamOfRequests(teamId: string): Team | undefined {
    const read = this.readTeams.get(teamId);
    const team = this.teams.get(teamId);
    if (read && read.until > Date.now()) return { ...read.team, spend: team?.spend ?? read.team.spend };
    this.refreshTeam(teamId);
    return team;
  }

  refreshTeam(teamId: string): void {
    const team = this.teams.get(teamId);
    if (team) this.readTeams.set(teamId, { team: { ...team }, until: Date.now() + teamCachedMs });
    else this.readTeams.delete(teamId);
  }

  keysOfTeam(teamId: string): Key[] {
    return [...this.keys.values()].filter((key) => key.team_id === teamId);
  }

  keyByAlias(alias: string): Key | undefined {
    return [...this.keys.values()].find((key) => key.key_alias === alias);
  }

  /** Adds the cost of an answer to the spend of the caller's key and of its team. */
  spend(bearer: string | null, costUsd: number): void {
    const key = bearer === null ? undefined : this.keys.get(hashKey(bearer));
    if (!key) return;
    key.spend += costUsd;
    const team = this.teams.get(key.team_id ?? '');
    if (team) team.spend += costUsd;
  }
}
