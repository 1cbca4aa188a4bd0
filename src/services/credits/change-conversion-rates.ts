import type { z } from 'zod';
import type { ConversionRatesUpdate } from '../../contracts/credits.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { setConversionRates, type TeamRates } from '../../db/credits/set-conversion-rates.ts';
import { decimalText } from '../../domain/formats/exact-decimal.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** An omitted rate is not changed; null selects the default of the system. `spec 6.15` */
export async function changeConversionRates(
  context: ServiceContext,
  team_id: string,
  update: z.output<typeof ConversionRatesUpdate>,
): Promise<TeamRates> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, {
    action: 'updated_conversion_rates',
    resource_type: 'team',
    resource_id: team_id,
    details: update,
  });
  const rates = {
    tokens_per_credit: update.tokens_per_credit,
    credits_per_dollar: decimalText(update.credits_per_dollar),
  };
  const changed = await setConversionRates(deps.database, team_id, rates, entry);
  if (!changed) throw refuse('team_not_found', team_id);
  deps.changes.publish('teams', { team_id });
  return changed;
}
