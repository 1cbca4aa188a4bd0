import { Link } from '@tanstack/react-router';
import { Permission } from './permission.tsx';

/** To what was done to a thing, for whom may read the audit log. */
export const AuditLink = ({ kind, id }: { kind: string; id: string }) => (
  <Permission needs="audit:read">
    <Link to="/audit" search={{ kind, resource: id, range: '90d', from: undefined, to: undefined }}>
      In the audit log
    </Link>
  </Permission>
);
