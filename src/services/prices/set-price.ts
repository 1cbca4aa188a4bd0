import type { z } from 'zod';
import type { PriceOfJobType } from '../../contracts/prices.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { type PriceKey, type PriceRow, setPrice as set } from '../../db/prices/price-rows.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** Replaces the row of a job type, or makes it. It holds for jobs that are created from now on. `spec 21.9` */
export async function setPrice(
  context: ServiceContext,
  key: PriceKey,
  price: z.output<typeof PriceOfJobType>,
): Promise<PriceRow> {
  const { deps, newId } = context;
  const { team_id, job_type } = key;
  const row = {
    credits: price.credits ?? null,
    billing_policy: price.billing_policy ?? null,
    budget: price.budget ?? null,
  };
  const entry = auditEntry(newId('audit'), context, {
    action: 'updated_price',
    resource_type: 'job_type',
    resource_id: job_type,
    details: { team_id, ...row },
  });
  const written = await set(deps.database, key, row, entry);
  if (!written) throw refuse('team_not_found', team_id ?? '');
  if (team_id !== null) deps.changes.publish('teams', { team_id });
  return written;
}
