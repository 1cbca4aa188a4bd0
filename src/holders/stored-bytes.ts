import { refuseByBound } from '../errors.ts';

/**
 * What each team stores in a UTC day, in this process: a figure that bounds how fast one team fills the disks, and no account. After
 * a restart it begins again, and each process has its own.
 */
export interface StoredBytes {
  /** Counts them and returns true, if the team may store so many more today. */
  take(teamId: string, bytes: number): boolean;
  /** Counts what is stored whatever the team has stored before. */
  add(teamId: string, bytes: number): void;
  /** Counts them, or throws a 429 until the day ends. */
  require(teamId: string, bytes: number): void;
}

/** What the rows of a job are longer than in any case. */
const uncountedMetadataBytes = 512;
/** The metadata of a job is in PostgreSQL, and up to three times in the histories of Temporal. */
const copiesOfMetadata = 4;

/** What the rows of a job without metadata take, with their indexes. */
export const storageOfJob = 1_024;

/** What the metadata of a job takes. */
export function storageOfMetadata(metadata: object | null | undefined): number {
  const bytes = metadata ? Buffer.byteLength(JSON.stringify(metadata)) : 0;
  return bytes <= uncountedMetadataBytes ? 0 : bytes * copiesOfMetadata;
}

const dayMs = 86_400_000;
const dayOf = (time: number): number => Math.floor(time / dayMs);

/** The time until the next UTC day begins. */
const untilNextDayMs = (now: number): number => (dayOf(now) + 1) * dayMs - now;

export function createStoredBytes(perDay: number, now: () => number = Date.now): StoredBytes {
  let day = 0;
  let stored = new Map<string, number>();

  function storedToday(teamId: string): number {
    const today = dayOf(now());
    if (today !== day) {
      day = today;
      stored = new Map();
    }
    return stored.get(teamId) ?? 0;
  }

  function add(teamId: string, bytes: number): void {
    const before = storedToday(teamId);
    stored.set(teamId, before + bytes);
  }

  function take(teamId: string, bytes: number): boolean {
    if (bytes > 0 && storedToday(teamId) + bytes > perDay) return false;
    add(teamId, bytes);
    return true;
  }

  return {
    add,
    take,
    require(teamId, bytes) {
      if (!take(teamId, bytes)) throw refuseByBound('STORED_BYTES_PER_DAY', perDay, untilNextDayMs(now()));
    },
  };
}
