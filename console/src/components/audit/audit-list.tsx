import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AdminUser, AuditEntry } from '../../api/types.ts';
import { usersQuery } from '../../api/users.ts';
import { ofLastDays } from '../../url/time-range.ts';
import { Missing } from '../ui/money.tsx';
import type { Column } from '../ui/table/column.ts';
import { DataTable, type DataTableProps } from '../ui/table/data-table.tsx';
import { Age, Time } from '../ui/time.tsx';
import { AuditSentence } from './audit-sentence.tsx';

const columnsWith = (users: ReadonlyMap<string, AdminUser>): Column<AuditEntry>[] => [
  { id: 'age', header: 'Age', width: 72, isAlways: true, cell: ({ created_at }) => <Age of={created_at} /> },
  { id: 'at', header: 'Time', width: 150, from: 720, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'what',
    header: 'What was done',
    isAlways: true,
    cell: (entry) => <AuditSentence entry={entry} users={users} />,
  },
  {
    id: 'address',
    header: 'Address',
    width: 140,
    from: 720,
    cell: ({ ip_address }) => (ip_address ? <span className="mono">{ip_address}</span> : <Missing why="unknown" />),
  },
  {
    id: 'job',
    header: 'More',
    width: 120,
    from: 1024,
    cell: ({ resource_type, resource_id }) =>
      resource_id ? (
        <Link to="/audit" search={{ kind: resource_type, resource: resource_id, ...ofLastDays(90) }}>
          About the same
        </Link>
      ) : (
        <Missing />
      ),
  },
];

/** The accounts by their id, for the names in sentences. */
export function useUsers(): ReadonlyMap<string, AdminUser> {
  const { data } = useQuery(usersQuery);
  return useMemo(() => new Map(data?.map((user) => [user.user_id, user])), [data]);
}

type Table = Pick<DataTableProps<AuditEntry>, 'rows' | 'total' | 'state' | 'more'>;

interface AuditListProps {
  id: string;
  table: Table;
  empty: ReactNode;
  isFlat?: boolean;
  openId?: string;
  onPeek?: (entry: AuditEntry) => void;
}

/** Entries of the audit log as sentences. */
export function AuditList({ table, ...rest }: AuditListProps) {
  const users = useUsers();
  const columns = useMemo(() => columnsWith(users), [users]);
  return <DataTable label="Audit log" {...rest} {...table} columns={columns} rowId={({ audit_id }) => audit_id} />;
}
