import { type CallStatus, callStatuses } from './call-state.ts';
import type { JobStatus } from './job-state.ts';

/** `retracted`: the call is not in the record any more, nor is a job that was made for it. */
export const publishedCallStatuses = [...callStatuses, 'retracted'] as const;
type PublishedCallStatus = (typeof publishedCallStatuses)[number];

/** What has changed: ids and states. A list that would be empty is left out. `spec 19.12` */
export interface ChangeSet {
  jobs?: { job_id: string; team_id: string; status: JobStatus }[];
  calls?: { call_id: string; job_id: string; team_id: string; status: PublishedCallStatus }[];
  teams?: { team_id: string }[];
  /** `team_id` null: of the installation. */
  webhooks?: { webhook_id: string; team_id: string | null }[];
}

export const changeKinds = ['jobs', 'calls', 'teams', 'webhooks'] as const;
export type ChangeKind = (typeof changeKinds)[number];

type ItemOf<K extends ChangeKind> = NonNullable<ChangeSet[K]>[number];

const idOf: { [K in ChangeKind]: (item: ItemOf<K>) => string } = {
  jobs: ({ job_id }) => job_id,
  calls: ({ call_id }) => call_id,
  teams: ({ team_id }) => team_id,
  webhooks: ({ webhook_id }) => webhook_id,
};

const first: readonly string[] = ['pending', 'queued'] satisfies (JobStatus | CallStatus)[];
const under: readonly string[] = ['in_progress', 'running'] satisfies (JobStatus | CallStatus)[];

/** How far a job or a call is: not started, started, ended. A team or a webhook is always the same. */
function progressOf(item: object): number {
  if (!('status' in item) || first.includes(String(item.status))) return 0;
  return under.includes(String(item.status)) ? 1 : 2;
}

/**
 * Gathers changes: of several of one thing the latest stays. Messages of processes arrive in any order, so an earlier state of a
 * job or call is dropped after a later one was gathered or was in the last `take`.
 */
export class GatheredChanges {
  private readonly kinds = { jobs: new Map(), calls: new Map(), teams: new Map(), webhooks: new Map() } as {
    [K in ChangeKind]: Map<string, ItemOf<K>>;
  };
  private taken = new Map<string, number>();

  get size(): number {
    return changeKinds.reduce((sum, kind) => sum + this.kinds[kind].size, 0);
  }

  add<K extends ChangeKind>(kind: K, item: ItemOf<K>): void {
    const id = idOf[kind](item);
    const known = this.kinds[kind].get(id);
    const reached = known ? progressOf(known) : (this.taken.get(id) ?? 0);
    if (progressOf(item) >= reached) this.kinds[kind].set(id, item);
  }

  addAll(changes: ChangeSet): void {
    for (const kind of changeKinds) for (const item of changes[kind] ?? []) this.add(kind, item as never);
  }

  /** Returns the gathered changes and removes them. */
  take(): ChangeSet {
    this.taken = new Map();
    const taken = changeKinds.flatMap((kind) => {
      const items = [...this.kinds[kind]];
      this.kinds[kind].clear();
      if (kind === 'jobs' || kind === 'calls') for (const [id, item] of items) this.taken.set(id, progressOf(item));
      return items.length > 0 ? [[kind, items.map(([, item]) => item)]] : [];
    });
    return Object.fromEntries(taken) as ChangeSet;
  }
}

/** The part of the changes that is of these kinds, and of this team; undefined when that is nothing. `teamId` undefined: of all. */
export function selectChanges(
  changes: ChangeSet,
  kinds: readonly ChangeKind[],
  teamId: string | undefined,
): ChangeSet | undefined {
  const selected = kinds.flatMap((kind) => {
    const items = (changes[kind] ?? []).filter(({ team_id }) => teamId === undefined || team_id === teamId);
    return items.length > 0 ? [[kind, items]] : [];
  });
  return selected.length > 0 ? (Object.fromEntries(selected) as ChangeSet) : undefined;
}
