import type { Config } from '../config.ts';
import { refuse } from '../errors.ts';
import type { Log } from '../log.ts';
import { createManagementClient, type ManagementClient, ManagementFailure } from './management-client.ts';
import {
  budgetUsd,
  isRegistrationOf,
  newKey,
  newTeam,
  type RegisteredTeam,
  teamUpdate,
  type UpstreamTeam,
  unlimitedKey,
} from './registration-requests.ts';

/**
 * The teams and keys at the upstream (`spec 8.3`). Every method gets the team as it should be, and refuses with
 * `upstream_registration_failed` if the upstream fails, within a few seconds; none changes our own data. Not to be called inside
 * a transaction, whose locks would wait for the upstream: a claim guards the creation of a team (`src/db/teams/claim-team.ts`),
 * and changes are sent one at a time for each team (`sync-team.ts`).
 */
export interface TeamRegistration {
  /** Registers the team and its key, or neither. Replaces what an earlier try has left behind. */
  register(team: UpstreamTeam): Promise<void>;
  /** Removes a registration whose team was not created in our own data. Never refuses; false: it is still there. */
  retract(team: RegisteredTeam): Promise<boolean>;
  /** Updates alias, models and budget, and blocks or unblocks the team by `team.suspended`. Registers a team that the upstream does not have. */
  update(team: UpstreamTeam): Promise<void>;
  /**
   * Makes the team and its key what they should be, also if one of them is missing; what a person has blocked there stays blocked.
   * Idempotent, also when two processes do it at once. False without registration.
   */
  restore(team: UpstreamTeam, raisesBudget: boolean): Promise<boolean>;
  /** Adds `team.virtual_key` to the keys of the team. */
  addKey(team: UpstreamTeam): Promise<void>;
  /** Ends a key of the team after `graceSeconds`, by the upstream's clock. Succeeds if the upstream does not have the key. */
  endKey(team: RegisteredTeam, key: string, graceSeconds: number): Promise<void>;
  close(): Promise<void>;
}

type Settings = Pick<
  Config,
  'UPSTREAM_BASE_URL' | 'UPSTREAM_MASTER_KEY' | 'UPSTREAM_TEAM_KEYS' | 'UPSTREAM_USD_PER_CREDIT'
>;

/** With `UPSTREAM_TEAM_KEYS=off` nothing is registered, and any OpenAI-compatible server can be the upstream. */
export function createTeamRegistration(config: Settings, log: Log): TeamRegistration {
  if (config.UPSTREAM_TEAM_KEYS === 'off') return noRegistration;
  const client = createManagementClient(config.UPSTREAM_BASE_URL, config.UPSTREAM_MASTER_KEY);
  const teams = createTeamRequests(client, config.UPSTREAM_USD_PER_CREDIT);

  const refuseOnFailure = async (team: RegisteredTeam, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, team_id: team.team_id }, 'litellm: team change failed');
      throw refuse('upstream_registration_failed', (error as Error).message);
    }
  };

  return {
    register: (team) => refuseOnFailure(team, () => teams.register(team)),
    async retract(team) {
      try {
        await teams.remove(team);
        return true;
      } catch (error) {
        log.warn({ err: error, team_id: team.team_id }, 'litellm: team removal failed');
        return false;
      }
    },
    update: (team) => refuseOnFailure(team, () => teams.update(team)),
    async restore(team, raisesBudget) {
      await refuseOnFailure(team, () => teams.restore(team, raisesBudget));
      return true;
    },
    addKey: (team) => refuseOnFailure(team, () => teams.addKey(team)),
    endKey: (team, key, graceSeconds) => refuseOnFailure(team, () => teams.endKey(key, graceSeconds)),
    close: () => client.close(),
  };
}

const doNothing = async () => undefined;

const noRegistration: TeamRegistration = {
  register: doNothing,
  retract: async () => true,
  update: doNothing,
  restore: async () => false,
  addKey: doNothing,
  endKey: doNothing,
  close: doNothing,
};

const isMissing = (error: unknown): boolean => error instanceof ManagementFailure && error.status === 404;

/** The operations, each made of one or a few management requests. They reject if one of these fails. */
function createTeamRequests({ post, get }: ManagementClient, usdPerCredit: string) {
  /** The response of `/team/info`; undefined if the upstream has no such team. */
  const readTeam = (team: RegisteredTeam): Promise<unknown> =>
    get('/team/info', { team_id: team.proxy_team_id }).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });

  const isRegistered = async (team: RegisteredTeam): Promise<boolean> => isRegistrationOf(team, await readTeam(team));

  const deleteTeam = (team: RegisteredTeam): Promise<unknown> =>
    post('/team/delete', { team_ids: [team.proxy_team_id] });

  /** Deletes the team with its keys. False: no team has this id, or it is not the registration of this team and stays. */
  const remove = async (team: RegisteredTeam): Promise<boolean> => {
    if (!(await isRegistered(team))) return false;
    await deleteTeam(team);
    return true;
  };

  /** Calls `undo` if `work` fails, then rejects with the error of `work`. The next `register` repeats an `undo` that failed. */
  const undoOnFailure = (work: Promise<unknown>, undo: () => Promise<unknown>): Promise<unknown> =>
    work.catch(async (error: unknown) => {
      await undo().catch(() => undefined);
      throw error;
    });

  const createTeam = async (team: UpstreamTeam): Promise<void> => {
    const created = (await post('/team/new', newTeam(team, budgetUsd(team, usdPerCredit)))) as {
      team_id?: unknown;
    } | null;
    if ((created?.team_id ?? team.proxy_team_id) !== team.proxy_team_id)
      throw new Error('/team/new created a team with another id than requested');
  };

  const replaceTeam = async (team: UpstreamTeam): Promise<void> =>
    createTeam(team).catch(async (error: unknown) => {
      if (!(error instanceof ManagementFailure && error.status === 400 && (await remove(team)))) throw error;
      await createTeam(team);
    });

  /** Registers the team. After a success of `/team/new` it is ours and may be deleted; after a failure that is checked before. */
  const register = async (team: UpstreamTeam): Promise<void> => {
    await undoOnFailure(replaceTeam(team), () => remove(team));
    await undoOnFailure(post('/key/generate', newKey(team)), () => deleteTeam(team));
  };

  /** A team that the upstream has lost, or never had because registration was off, is registered. */
  const update = async (team: UpstreamTeam): Promise<void> => {
    const info = await readTeam(team);
    if (info === undefined) return register(team);
    await post('/team/update', { ...teamUpdate(team, budgetUsd(team, usdPerCredit, info)), blocked: team.suspended });
  };

  const restoreTeam = async (team: UpstreamTeam, raisesBudget: boolean): Promise<void> => {
    const info = await readTeam(team);
    if (info === undefined) {
      await createTeam(team).catch(async (error: unknown) => {
        if (!(await isRegistered(team))) throw error;
      });
    } else if (isRegistrationOf(team, info)) {
      await post('/team/update', teamUpdate(team, budgetUsd(team, usdPerCredit, info, raisesBudget)));
    } else throw new Error('the upstream has a team of this id that the gateway has not registered');
  };

  const restore = async (team: UpstreamTeam, raisesBudget: boolean): Promise<void> => {
    await restoreTeam(team, raisesBudget);
    // An existing key is not changed by the first request.
    await post('/key/generate', newKey(team));
    await post('/key/update', unlimitedKey(team));
  };

  const endKey = (key: string, graceSeconds: number): Promise<unknown> =>
    (graceSeconds > 0
      ? post('/key/update', { key, duration: `${graceSeconds}s` })
      : post('/key/delete', { keys: [key] })
    ).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });

  return {
    register,
    remove,
    update,
    restore,
    endKey,
    addKey: async (team: UpstreamTeam) =>
      (await isRegistered(team)) ? post('/key/generate', newKey(team)) : register(team),
  };
}
