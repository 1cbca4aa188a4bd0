import type { z } from 'zod';
import type { JobTypePrice, PriceList } from '../../../contracts/prices.ts';
import type { listPrices, PriceRow } from '../../../services/prices/read-prices.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';

export const serializePrice = (row: PriceRow): z.input<typeof JobTypePrice> => ({
  job_type: row.job_type,
  scope: row.team_id === null ? 'platform' : 'team',
  credits: row.credits,
  billing_policy: row.billing_policy,
  budget: row.budget,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const serializePrices = (
  query: Parameters<typeof nextCursorIfPaged>[0],
  { counted, rows, next }: Awaited<ReturnType<typeof listPrices>>,
): z.input<typeof PriceList> => ({
  total: counted!.total,
  job_types: rows.map(serializePrice),
  ...nextCursorIfPaged(query, next),
});
