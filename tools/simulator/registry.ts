import { createHash } from 'node:crypto';

/** A row of LiteLLM's team table, as far as a gateway writes or reads it. */
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

/** A row of LiteLLM's key table. `token` is the hash: the key itself is never kept. */
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

/** LiteLLM takes a key, or its hash, wherever it takes a key. */
export const hashKey = (key: string): string =>
  key.startsWith('sk-') ? createHash('sha256').update(key).digest('hex') : key;

/** A key as LiteLLM shows one that it refuses. */
export const maskKey = (key: string): string => (key.length > 8 ? `${key.slice(0, 4)}****${key.slice(-4)}` : '****');

/** Teams and keys, in memory. */
export class Registry {
  readonly teams = new Map<string, Team>();
  readonly keys = new Map<string, Key>();

  keysOfTeam(teamId: string): Key[] {
    return [...this.keys.values()].filter((key) => key.team_id === teamId);
  }

  keyByAlias(alias: string): Key | undefined {
    return [...this.keys.values()].find((key) => key.key_alias === alias);
  }

  /** The cost of an answer is charged to the key that asked, and to its team. */
  spend(bearer: string | null, costUsd: number): void {
    const key = bearer === null ? undefined : this.keys.get(hashKey(bearer));
    if (!key) return;
    key.spend += costUsd;
    const team = this.teams.get(key.team_id ?? '');
    if (team) team.spend += costUsd;
  }
}
