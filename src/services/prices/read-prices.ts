import { findPrice, listPrices as list, type PriceKey, type PriceRow } from '../../db/prices/price-rows.ts';
import type { KeysetPage } from '../../db/sql/read-keyset-page.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

export type { PriceRow };

/** The row that holds for the team, or with null the row for all teams. */
export async function getPrice(context: ServiceContext, key: PriceKey): Promise<PriceRow> {
  if (key.team_id !== null) await requireOwnTeam(context, key.team_id);
  const row = await findPrice(context.deps.database, key);
  if (!row) throw refuse('price_not_found', key.job_type);
  return row;
}

/** A page of the rows that hold for the team, or with null of those for all teams. */
export async function listPrices(context: ServiceContext, team_id: string | null, page: KeysetPage) {
  if (team_id !== null) await requireOwnTeam(context, team_id);
  return list(context.deps.database, team_id, page);
}
