import { type ListedPrice, readListedPrices } from '../../db/models/read-listed-prices.ts';
import type { ServiceContext } from '../context.ts';

interface UpstreamModels {
  models: ListedPrice[];
  /** Why there is no list, and what helps. Null: there is one. */
  problem: string | null;
  help: string | null;
}

/** The models that the upstream names now, with the prices that it lists. `spec 7.15` */
export async function listUpstreamModels({ deps }: Pick<ServiceContext, 'deps'>): Promise<UpstreamModels> {
  const { database, modelList, upstreamWatch } = deps;
  const [{ models = [], problem }] = await Promise.all([
    upstreamWatch.ask(),
    modelList.mayRead() ? modelList.read() : undefined,
  ]);
  const names = [...new Set(models)].sort((a, b) => (a < b ? -1 : 1));
  const prices = new Map((await readListedPrices(database, names)).map((price) => [price.model, price]));
  const unpriced = { input_price_per_million: null, output_price_per_million: null };
  return {
    models: names.map((model) => prices.get(model) ?? { model, ...unpriced }),
    problem: problem?.problem ?? null,
    help: problem?.help ?? null,
  };
}
