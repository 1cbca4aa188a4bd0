/** How to run one component: what the supervisor of `npm start` and the set-up of the tests both follow. */
export type Launch = {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The account to run as, where it is not our own: PostgreSQL refuses root. */
  user?: { uid: number; gid: number };
  /** What asks it to end in good order; SIGTERM unless said otherwise. */
  stopSignal?: NodeJS.Signals;
  /** Runs before every start, the first and those after a death: clears what a dead predecessor left. */
  prepare?: () => Promise<void>;
  ready: () => Promise<boolean>;
};
