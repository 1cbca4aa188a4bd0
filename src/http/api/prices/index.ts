import { deletePrice } from './delete-price.ts';
import { deletePriceOfTeam } from './delete-price-of-team.ts';
import { getPrice } from './get-price.ts';
import { getPriceOfTeam } from './get-price-of-team.ts';
import { listPrices } from './list-prices.ts';
import { listPricesOfTeam } from './list-prices-of-team.ts';
import { setPrice } from './set-price.ts';
import { setPriceOfTeam } from './set-price-of-team.ts';

export const priceRoutes = [
  listPrices,
  getPrice,
  setPrice,
  deletePrice,
  listPricesOfTeam,
  getPriceOfTeam,
  setPriceOfTeam,
  deletePriceOfTeam,
];
