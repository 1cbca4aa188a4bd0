import { setTimeout as pause } from 'node:timers/promises';
import { hashVirtualKey } from '../../auth/virtual-key-format.ts';
import { findCurrentSealedKey } from '../../db/keys/find-sealed-key.ts';
import { findTeamByKey } from '../../db/keys/find-team-by-key.ts';
import { findTeam, type TeamRow } from '../../db/teams/find-team.ts';
import { testAccount } from '../../domain/playground.ts';
import { Refusal, type RefusalCode, refuse } from '../../errors.ts';
import type { TeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { createOrganization } from '../organizations/create-organization.ts';
import { teamCaller } from '../team-caller.ts';
import { createTeam } from '../teams/create-team.ts';

const { teamId, organizationId, name } = testAccount;
/** A team is made within this time. */
const makingMs = 3_000;

/** The test account; undefined before its first use. A team with its id that the playground has not made is not it. */
export async function findTestAccount({ deps }: Pick<ServiceContext, 'deps'>): Promise<TeamRow | undefined> {
  const team = await findTeam(deps.database, teamId);
  return team?.is_test ? team : undefined;
}

/** The test account, which the first use makes: its limits are settings of the team, which an admin may change. `spec 32.1` */
export async function requireTestAccount(context: ServiceContext): Promise<TeamRow> {
  return (await findTestAccount(context)) ?? makeTestAccount(context);
}

async function makeTestAccount(context: ServiceContext): Promise<TeamRow> {
  await unlessItIs('organization_exists', createOrganization(context, { organization_id: organizationId, name }));
  const made = await unlessItIs(
    'team_exists',
    createTeam(context, {
      team_id: teamId,
      organization_id: organizationId,
      team_alias: name,
      is_test: true,
      model_groups: [],
      credits_allocated: testAccount.credits,
      // Without credits there are no further runs.
      low_balance_policy: 'block',
      // What an operator tries out earns nothing.
      usd_per_credit: 0,
      rpm_limit: testAccount.callsPerMinute,
      job_budget_defaults: { max_cost_usd: testAccount.maxCostUsd, max_tokens: testAccount.maxTokens },
    }),
  );
  const team = made?.team ?? (await awaitTestAccount(context));
  if (!team?.is_test) throw refuse('team_exists', teamId);
  return team;
}

/** Another request that makes the team has claimed its id, and registers the team upstream before it is in the record. */
async function awaitTestAccount({ deps }: ServiceContext): Promise<TeamRow | undefined> {
  const until = Date.now() + makingMs;
  for (;;) {
    const team = await findTeam(deps.database, teamId);
    if (team || Date.now() > until) return team;
    await pause(100);
  }
}

/** Undefined where another request has made it already. */
const unlessItIs = <T>(code: RefusalCode, making: Promise<T>): Promise<T | undefined> =>
  making.catch((error: unknown) => {
    if (error instanceof Refusal && error.code === code) return undefined;
    throw error;
  });

/** The test account as the caller of a call, by its current key: the call is admitted as with the key itself. */
export async function testCaller({ deps }: ServiceContext): Promise<TeamCaller> {
  const { database, secrets } = deps;
  const sealed = await findCurrentSealedKey(database, teamId);
  const hashes = sealed && hashVirtualKey(secrets, secrets.open(sealed, teamId));
  const team = hashes && (await findTeamByKey(database, hashes));
  if (!team) throw refuse('team_has_no_key', teamId);
  if (team.suspended) throw refuse('team_suspended', teamId);
  return teamCaller(hashes, team);
}
