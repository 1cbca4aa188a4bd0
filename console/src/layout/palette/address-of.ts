import type { SearchHit } from '../../api/types.ts';

const part = encodeURIComponent;

/** The page on which a hit is shown; undefined for what has none. */
export function addressOf({ type, id, label, job_id, team_id }: SearchHit): string | undefined {
  switch (type) {
    case 'job':
      return `/jobs/${part(id)}`;
    case 'call':
    case 'transaction':
    case 'delivery':
      return job_id ? `/jobs/${part(job_id)}?item=${part(id)}` : team_id ? `/teams/${part(team_id)}` : undefined;
    case 'admin_user':
      return `/users?q=${part(label)}&open=${part(id)}`;
    case 'model_alias':
      return `/models?tab=aliases&q=${part(id)}`;
    case 'model_group':
      return `/models?q=${part(id)}`;
    case 'organization':
      return `/organizations/${part(id)}`;
    case 'team':
      return `/teams/${part(id)}`;
    case 'webhook':
      return `/webhooks/${part(id)}`;
    default:
      return undefined;
  }
}
