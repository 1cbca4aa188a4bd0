import type { RefillPeriod } from '../../../domain/refill.ts';
import { InvalidRequest } from '../../../errors.ts';

interface RefillSettings {
  auto_refill: boolean;
  refill_amount: number | null;
  refill_period: RefillPeriod | null;
}

/** A refill that is on needs an amount and a period. `spec 6.6` */
export function requireRefillComplete(settings: RefillSettings): void {
  if (!settings.auto_refill) return;
  const absent = (['refill_amount', 'refill_period'] as const).filter((field) => settings[field] === null);
  if (absent.length === 0) return;
  const msg = 'Field required when auto_refill is true';
  throw new InvalidRequest(absent.map((field) => ({ loc: ['body', field], msg, type: 'missing' })));
}
