import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { Permission } from './permission.tsx';

interface AuditLinkProps {
  kind: string;
  id: string;
  /** Where there is one beside each of many things. */
  isIcon?: boolean;
}

/** To what was done to a thing, for whom may read the audit log. */
export const AuditLink = ({ kind, id, isIcon = false }: AuditLinkProps) => (
  <Permission needs="audit:read">
    <Link
      to="/audit"
      search={{ kind, resource: id, range: '90d', from: undefined, to: undefined }}
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
