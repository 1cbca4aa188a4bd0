import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { ofLastDays } from '../../url/time-range.ts';
import { Permission } from '../ui/permission.tsx';

interface AuditLinkProps {
  kind: string;
  id: string;
  /** Shows only an icon, for a list with one link in each row. */
  isIcon?: boolean;
}

/** Links to the audit entries about a thing, for readers who may see them. */
export const AuditLink = ({ kind, id, isIcon = false }: AuditLinkProps) => (
  <Permission needs="audit:read">
    <Link
      to="/audit"
      search={{ kind, resource: id, ...ofLastDays(90) }}
      title={isIcon ? 'In the audit log' : undefined}
    >
      {isIcon ? (
        <>
          <ScrollText size={14} className="muted" aria-hidden />
          <span className="visually-hidden">{id} in the audit log</span>
        </>
      ) : (
        'In the audit log'
      )}
    </Link>
  </Permission>
);
