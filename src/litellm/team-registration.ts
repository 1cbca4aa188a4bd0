import type { Config } from '../config.ts';
import { refuse } from '../errors.ts';
import type { Log } from '../log.ts';
import { createManagementClient, type ManagementClient, ManagementFailure } from './management-client.ts';
import {
  isRegistrationOf,
  newKey,
  newTeam,
  type RegisteredTeam,
  teamUpdate,
  type UpstreamTeam,
} from './registration-requests.ts';

/**
 * Our teams as the upstream knows them (`spec 8.3`). Every method takes the team as it is to be and refuses with
 * `upstream_registration_failed` when the upstream does not follow, after some seconds at the latest; none changes our own
 * data. Never called inside a transaction, whose locks would wait for the upstream: making a team is guarded by a claim, and
 * changes are carried over one at a time for each team (`src/registration`).
 */
export interface TeamRegistration {
  /** Registers the team and its key, or neither. Replaces what an earlier try that crashed left behind. */
  register(team: UpstreamTeam): Promise<void>;
  /** Removes a registration, for a caller whose own transaction failed after it. Never refuses; false: it is still there. */
  retract(team: RegisteredTeam): Promise<boolean>;
  /** Updates alias, models and budget. A team that the upstream does not have is registered. */
  update(team: UpstreamTeam): Promise<void>;
  /** Blocks or unblocks the team, by `team.suspended`. */
  setSuspended(team: UpstreamTeam): Promise<void>;
  /** Adds `team.virtual_key`; the team's other keys stay. */
  addKey(team: UpstreamTeam): Promise<void>;
  /** Ends a key of the team after `graceSeconds`, by the upstream's own clock. A key that the upstream does not have has ended. */
  endKey(team: RegisteredTeam, key: string, graceSeconds: number): Promise<void>;
  close(): Promise<void>;
}

type Settings = Pick<
  Config,
  'UPSTREAM_BASE_URL' | 'UPSTREAM_MASTER_KEY' | 'UPSTREAM_TEAM_KEYS' | 'UPSTREAM_USD_PER_CREDIT'
>;

/** With `UPSTREAM_TEAM_KEYS=off` there is nothing to register: any OpenAI-compatible server serves. */
export function createTeamRegistration(config: Settings, log: Log): TeamRegistration {
  if (config.UPSTREAM_TEAM_KEYS === 'off') return withoutRegistration;
  const client = createManagementClient(config.UPSTREAM_BASE_URL, config.UPSTREAM_MASTER_KEY);
  const litellm = registerWith(client, config.UPSTREAM_USD_PER_CREDIT);

  const orRefuse = async (team: RegisteredTeam, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, team_id: team.team_id }, 'the upstream did not follow a change of a team');
      throw refuse('upstream_registration_failed');
    }
  };

  return {
    register: (team) => orRefuse(team, () => litellm.register(team)),
    async retract(team) {
      try {
        await litellm.remove(team);
        return true;
      } catch (error) {
        log.warn({ err: error, team_id: team.team_id }, 'a half-made team is still upstream');
        return false;
      }
    },
    update: (team) => orRefuse(team, () => litellm.update(team)),
    setSuspended: (team) => orRefuse(team, () => litellm.setSuspended(team)),
    addKey: (team) => orRefuse(team, () => litellm.addKey(team)),
    endKey: (team, key, graceSeconds) => orRefuse(team, () => litellm.endKey(key, graceSeconds)),
    close: () => client.close(),
  };
}

const nothing = async () => undefined;

const withoutRegistration: TeamRegistration = {
  register: nothing,
  retract: async () => true,
  update: nothing,
  setSuspended: nothing,
  addKey: nothing,
  endKey: nothing,
  close: nothing,
};

const isMissing = (error: unknown): boolean => error instanceof ManagementFailure && error.status === 404;

function registerWith({ post, get }: ManagementClient, usdPerCredit: string) {
  const isOurs = async (team: RegisteredTeam): Promise<boolean> => {
    try {
      return isRegistrationOf(team, await get('/team/info', { team_id: team.proxy_team_id }));
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  };

  const deleteTeam = (team: RegisteredTeam): Promise<unknown> =>
    post('/team/delete', { team_ids: [team.proxy_team_id] });

  /** Removes the team with its keys. False: there is none of that id, or it is not this team's registration and stays. */
  const remove = async (team: RegisteredTeam): Promise<boolean> => {
    if (!(await isOurs(team))) return false;
    await deleteTeam(team);
    return true;
  };

  /** Before the error of `work`, undoes what came of it. An undoing that fails is left to the next try. */
  const orUndo = (work: Promise<unknown>, undo: () => Promise<unknown>): Promise<unknown> =>
    work.catch(async (error: unknown) => {
      await undo().catch(() => undefined);
      throw error;
    });

  const makeTeam = async (team: UpstreamTeam): Promise<void> => {
    const made = (await post('/team/new', newTeam(team, usdPerCredit))) as { team_id?: unknown } | null;
    if ((made?.team_id ?? team.proxy_team_id) !== team.proxy_team_id)
      throw new Error('/team/new made another team than was asked for');
  };

  const replaceTeam = async (team: UpstreamTeam): Promise<void> =>
    makeTeam(team).catch(async (error: unknown) => {
      if (!(error instanceof ManagementFailure && error.status === 400 && (await remove(team)))) throw error;
      await makeTeam(team);
    });

  /** An answer of `/team/new` says whose the team is; without one the upstream is asked before anything is deleted. */
  const register = async (team: UpstreamTeam): Promise<void> => {
    await orUndo(replaceTeam(team), () => remove(team));
    await orUndo(post('/key/generate', newKey(team)), () => deleteTeam(team));
  };

  /** Registers a team that the upstream has lost, or never had while registration was off. */
  const orRegister = (team: UpstreamTeam, work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      if (isMissing(error)) return register(team);
      throw error;
    });

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
    update: (team: UpstreamTeam) => orRegister(team, post('/team/update', teamUpdate(team, usdPerCredit))),
    setSuspended: (team: UpstreamTeam) =>
      orRegister(team, post(team.suspended ? '/team/block' : '/team/unblock', { team_id: team.proxy_team_id })),
    endKey,
    addKey: async (team: UpstreamTeam) => ((await isOurs(team)) ? post('/key/generate', newKey(team)) : register(team)),
  };
}
