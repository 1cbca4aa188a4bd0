import Big from 'big.js';
import type { Secrets } from '../auth/secrets.ts';
import type { UpstreamTeamRow } from '../db/upstream-teams/find-upstream-team.ts';
import { everyModel } from '../db/upstream-teams/list-granted-models.ts';

/** A team as it should be at the upstream. */
export interface UpstreamTeam
  extends Pick<
    UpstreamTeamRow,
    | 'team_id'
    | 'proxy_team_id'
    | 'team_alias'
    | 'organization_id'
    | 'proxy_organization_id'
    | 'suspended'
    | 'max_budget'
    | 'credits_allocated'
    | 'credit_limit'
  > {
  /** The concrete models of its groups and aliases. */
  models: string[];
  virtual_key: string;
}

/** The team of the row, with its key opened, or with the key that is to replace it. */
export function toUpstreamTeam(
  row: UpstreamTeamRow,
  secrets: Secrets,
  virtual_key = secrets.open(row.key_sealed, row.team_id),
): UpstreamTeam {
  return {
    team_id: row.team_id,
    proxy_team_id: row.proxy_team_id,
    team_alias: row.team_alias,
    organization_id: row.organization_id,
    proxy_organization_id: row.proxy_organization_id,
    suspended: row.suspended,
    models: everyModel(row),
    max_budget: row.max_budget,
    credits_allocated: row.credits_allocated,
    credit_limit: row.credit_limit,
    virtual_key,
  };
}

/** What identifies a registration. */
export type RegisteredTeam = Pick<UpstreamTeam, 'team_id' | 'proxy_team_id' | 'organization_id'>;

/** LiteLLM reads an empty list as "every model"; its name for "no model" is this. */
const noModels = ['no-default-models'];

/** What `/team/info` has of the money of a team. */
interface TeamInfo {
  team_info?: { spend?: number | null; max_budget?: number | null } | null;
}

/**
 * The budget of a team, `spec 8.3` and decision 95: what was chosen, or the worth of its credits, and at least twice what it has spent, because failed
 * and free jobs spend too and the credits are what bounds. `isSpent`: LiteLLM has just refused a request for it; its `spend` is a
 * minute late, so that the budget itself is doubled.
 */
export function budgetUsd(team: UpstreamTeam, usdPerCredit: string, info?: unknown, isSpent = false): number | null {
  if (team.max_budget !== null) return Number(team.max_budget);
  // Multiplied exactly, then rounded to the nearest JSON number.
  const worth = Number(Big(usdPerCredit).times(team.credits_allocated).toFixed());
  if (team.credit_limit === null || worth <= 0) return null;
  const { spend, max_budget } = (info as TeamInfo | undefined)?.team_info ?? {};
  return Math.max(worth, 2 * (spend ?? 0), isSpent ? 2 * (max_budget ?? 0) : 0);
}

const marker = 'job-gateway';

/** Identifies a team at the upstream as one of this gateway, and which one. */
const toMetadata = (team: UpstreamTeam) => ({
  registered_by: marker,
  team_id: team.team_id,
  organization_id: team.organization_id,
  ...(team.proxy_organization_id !== null && { proxy_organization_id: team.proxy_organization_id }),
});

/** Whether the response of `/team/info` is the registration of this team and not of another. */
export function isRegistrationOf(team: RegisteredTeam, info: unknown): boolean {
  const { team_info } = (info ?? {}) as { team_info?: { metadata?: Record<string, unknown> | null } };
  const { registered_by, team_id, organization_id } = team_info?.metadata ?? {};
  return registered_by === marker && team_id === team.team_id && organization_id === team.organization_id;
}

/** The body of `/team/update`: everything that may have changed, `null` to clear. */
export const teamUpdate = (team: UpstreamTeam, max_budget: number | null) => ({
  team_id: team.proxy_team_id,
  team_alias: team.team_alias,
  models: team.models.length > 0 ? team.models : noModels,
  max_budget,
  metadata: toMetadata(team),
});

/** LiteLLM's `NewTeamRequest`. Without `organization_id`, which LiteLLM would look up among its own organizations. */
export const newTeam = (team: UpstreamTeam, max_budget: number | null) => ({
  ...teamUpdate(team, max_budget),
  blocked: team.suspended,
});

/** LiteLLM's `GenerateKeyRequest`. Without an alias: LiteLLM refuses one that exists, so the request could not be repeated. */
export const newKey = (team: UpstreamTeam) => ({
  key: team.virtual_key,
  team_id: team.proxy_team_id,
  metadata: toMetadata(team),
});

/** The body of `/key/update` for a key with the limits of its team and no others. LiteLLM may give new keys limits by default. */
export const unlimitedKey = (team: UpstreamTeam) => ({
  key: team.virtual_key,
  team_id: team.proxy_team_id,
  models: [],
  max_budget: null,
  duration: '-1',
});
