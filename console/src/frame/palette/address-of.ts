import type { SearchHit } from '../../api/types.ts';

const part = encodeURIComponent;

/** The page on which a hit is shown; undefined for what has none. */
export function addressOf({ type, id, job_id, team_id }: SearchHit): string | undefined {
  switch (type) {
    case 'job':
      return `/jobs/${part(id)}`;
    case 'call':
    case 'transaction':
    case 'delivery':
      return job_id ? `/jobs/${part(job_id)}?item=${part(id)}` : team_id ? `/teams/${part(team_id)}` : undefined;
    default:
      return undefined;
  }
}
