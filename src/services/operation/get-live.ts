import { newCallUse, newTokenUse } from '../../calls/token-budget.ts';
import { type LiveTeamRow, readLive } from '../../db/figures/read-live.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

/** What the team has of its limits of a minute; nothing is taken. */
const newLimitUses = ({ config }: ServiceDeps, team: LiveTeamRow) => [
  newCallUse(config, { teamId: team.team_id, settings: team }),
  newTokenUse(config, { teamId: team.team_id, settings: team }, 0),
];

async function withLimits(deps: ServiceDeps, teams: LiveTeamRow[]) {
  const uses = teams.flatMap((team) => newLimitUses(deps, team));
  const used = await deps.rateLimits.used(uses);
  return teams.map(({ rpm_limit: _, tpm_limit: __, ...team }, index) => ({
    ...team,
    rpm_used: used?.[2 * index] ?? null,
    rpm_limit: uses[2 * index]!.limit,
    tpm_used: used?.[2 * index + 1] ?? null,
    tpm_limit: uses[2 * index + 1]!.limit,
  }));
}

async function readNow(deps: ServiceDeps) {
  const { tokens_last_minute, teams, ...figures } = await readLive(deps.database);
  return {
    ...figures,
    tokens_per_second: Math.round((tokens_last_minute / 60) * 10) / 10,
    teams: await withLimits(deps, teams),
  };
}

/** What runs now: open jobs, running and waiting calls by team with the limits of the current minute, and the workers. */
export const getLive = ({ deps }: ServiceContext) => deps.figures('live', () => readNow(deps));
