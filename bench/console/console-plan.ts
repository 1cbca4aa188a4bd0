/** How much of the console is measured. */
export interface ConsolePlan {
  jobs: number;
  /** Pages that are read one after the other for each filter. */
  pagesOfFilter: number;
  /** Cold loads of each page. */
  loads: number;
  changes: number;
  /** Rounds of calls with open consoles and without, in turn. */
  rounds: number;
  seconds: number;
  consoles: number;
  /** A running PostgreSQL, whose database is filled by the first run; undefined: one is started and ends with the run. */
  databaseUrl: string | undefined;
  /** The file to which that PostgreSQL writes its log; undefined: its statements are not counted. */
  databaseLog: string | undefined;
}

const full: ConsolePlan = {
  jobs: 1_000_000,
  pagesOfFilter: 20,
  loads: 5,
  changes: 8,
  rounds: 4,
  seconds: 8,
  consoles: 10,
  databaseUrl: undefined,
  databaseLog: undefined,
};

const quick: Partial<ConsolePlan> = { jobs: 20_000, pagesOfFilter: 5, loads: 2, changes: 3, rounds: 1, seconds: 4 };

export const newConsolePlan = (
  isQuick: boolean,
  database: Pick<ConsolePlan, 'databaseUrl' | 'databaseLog'>,
): ConsolePlan => ({ ...full, ...(isQuick && quick), ...database });
