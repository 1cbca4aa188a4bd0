/** How to run one component, for the supervisor of `npm start` and for the set-up of the tests. */
export type Launch = {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The account to run as, if not our own: PostgreSQL refuses root. */
  user?: { uid: number; gid: number };
  /** The signal that ends it in good order; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** Runs before every start, the first and those after a death: clears what a dead predecessor left. */
  prepare?: () => Promise<void>;
  ready: () => Promise<boolean>;
  /** It lives, and nothing but a new start will help it. */
  isStuck?: () => Promise<boolean>;
};
