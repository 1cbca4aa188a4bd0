import type { Database } from '../../db/connection/database.ts';
import { findDueRefill, makeRefill, skipRefill } from '../../db/credits/refills.ts';
import { nextRefillAt } from '../../domain/refill.ts';

/**
 * Makes every refill of a team that is due by `now`, each with a row of the ledger, the oldest first (`spec 6.6`), until none is
 * left or the balance would be out of range. Returns how many were made here: another process may make others at the same time.
 */
export async function refillTeam(database: Database, teamId: string, now: Date): Promise<number> {
  let refills = 0;
  let tried: Date | undefined;
  for (;;) {
    // The date is read again each time: another process may advance it too, and the next refill is then still due.
    const due = await findDueRefill(database, teamId, now);
    if (!due || due.next_refill_at.getTime() === tried?.getTime()) return refills;
    tried = due.next_refill_at;
    const next = nextRefillAt(due.refill_anchor_at, due.refill_period, tried);
    const period = { team_id: teamId, due_at: tried, next_due_at: next };
    if (await skipRefill(database, period)) continue;
    if (await makeRefill(database, period)) refills += 1;
  }
}
