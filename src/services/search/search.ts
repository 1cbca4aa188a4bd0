import { search as findHits, type Hit } from '../../db/search/search.ts';
import { visibleTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

/** What begins with, or is named by, the text: a team finds its own only. `spec 19.30` */
export const search = ({ deps, caller }: ServiceContext, q: string): Promise<Hit[]> =>
  findHits(deps.database, { q, teamId: visibleTeam(caller) ?? null });
