import { search as findHits, type Hit } from '../../db/search/search.ts';
import { readPastedId } from '../../domain/formats/pasted-id.ts';
import { uuidRange } from '../../domain/formats/uuid-range.ts';
import { visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { idFrom } from '../derive-id.ts';

/** What a request creates under these names is found by the id of the request. */
const namesOfCreated = ['job', 'call', 'transaction', 'webhook', 'delivery'];

/** What begins with, or is named by, the text, as it was pasted: a team finds its own only. `spec 19.30` */
export function search({ deps, caller }: ServiceContext, pasted: string): Promise<Hit[]> {
  const { text, uuids, beginning } = readPastedId(pasted);
  if (text === '') return Promise.resolve([]);
  const ids = uuids.flatMap((id) => [id, ...namesOfCreated.map(idFrom(id))]);
  const range = beginning === undefined ? undefined : uuidRange(beginning);
  const ranges = [...ids.map((id) => ({ from: id, to: id })), ...(range ? [range] : [])];
  return findHits(deps.database, { q: text, ranges, ids, teamId: visibleTeam(caller) ?? null });
}
