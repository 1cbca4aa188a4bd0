import { Link } from '@tanstack/react-router';
import { shortId } from '../ui/id.tsx';

interface ResourceLinkProps {
  type: string;
  id: string | null;
  /** How it is called, where that is not its id. */
  label?: string;
}

/** What an entry is about, with a link where it has a page. */
export function ResourceLink({ type, id, label }: ResourceLinkProps) {
  if (id === null) return label ? <span>{label}</span> : null;
  const text = label ?? shortId(id);
  switch (type) {
    case 'team':
      return (
        <Link to="/teams/$teamId" params={{ teamId: id }} search={{ tab: 'activity' }}>
          {text}
        </Link>
      );
    case 'organization':
      return (
        <Link to="/organizations/$organizationId" params={{ organizationId: id }}>
          {text}
        </Link>
      );
    case 'job':
      return (
        <Link to="/jobs/$jobId" params={{ jobId: id }} className="mono">
          {text}
        </Link>
      );
    case 'webhook':
      return (
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }} className="mono">
          {text}
        </Link>
      );
    case 'model_group':
      return (
        <Link to="/models" search={{ q: id }}>
          {text}
        </Link>
      );
    case 'model_alias':
      return (
        <Link to="/models" search={{ tab: 'aliases', q: id }}>
          {text}
        </Link>
      );
    case 'model_access_group':
      return (
        <Link to="/models" search={{ tab: 'access', q: id }}>
          {text}
        </Link>
      );
    case 'admin_user':
      return (
        <Link to="/users" search={{ open: id }}>
          {text}
        </Link>
      );
    default:
      return <span title={id}>{text}</span>;
  }
}
