/** The model that the ledger is compared with: the effect of each change of a balance, in plain arithmetic. `spec 6` */

const largest = 2_147_483_647;

export interface Account {
  allocated: number;
  used: number;
  /** Null: unlimited. */
  limit: number | null;
  /** What each job's deduction was, and whether it was refunded. */
  jobs: { credits: number; refunded: boolean }[];
  /** The balance after each row. */
  balances: number[];
}

export type Step =
  | { kind: 'allocate' | 'adjust' | 'deduct'; credits: number }
  | { kind: 'refill' }
  /** Of the job with this number, counted round. */
  | { kind: 'refund'; job: number };

export const refillAmount = 7;

const changed = (account: Account, change: Partial<Account>): Account => {
  const next = { ...account, ...change };
  return { ...next, balances: [...account.balances, next.allocated - next.used] };
};

/** Allocations and refills raise the limit of a fixed budget by as much. */
function raise(account: Account, credits: number): Account {
  const allocated = account.allocated + credits;
  const limit = account.limit === null ? null : Math.min(account.limit + credits, largest);
  return allocated > largest ? account : changed(account, { allocated, limit });
}

/** A fixed budget is not taken below 0. */
function adjust(account: Account, credits: number): Account {
  const allocated = account.allocated + credits;
  const lowest = account.limit === null ? -largest : 0;
  return allocated > largest || allocated - account.used < lowest ? account : changed(account, { allocated });
}

/** A fixed budget pays only what it has, an unlimited one while its figures are within the range of the columns. */
function deduct(account: Account, credits: number): Account {
  const { allocated, used, limit, jobs } = account;
  const lowest = limit === null ? -largest : 0;
  if (used + credits > largest || allocated - used - credits < lowest) return account;
  return changed(account, { used: used + credits, jobs: [...jobs, { credits, refunded: false }] });
}

function refund(account: Account, index: number): Account {
  const { used, jobs } = account;
  const job = jobs[index];
  if (!job || job.refunded) return account;
  return changed(account, { used: used - job.credits, jobs: jobs.with(index, { ...job, refunded: true }) });
}

/** The account after the step; the very same one when the step is refused. */
export function applyStep(account: Account, step: Step): Account {
  switch (step.kind) {
    case 'allocate':
      return raise(account, step.credits);
    case 'refill':
      return raise(account, refillAmount);
    case 'adjust':
      return adjust(account, step.credits);
    case 'deduct':
      return deduct(account, step.credits);
    case 'refund':
      return refund(account, step.job % account.jobs.length);
  }
}
