import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { AdminUser } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { Status } from '../../components/ui/status.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { Time } from '../../components/ui/time.tsx';
import { ofLastDays } from '../../url/time-range.ts';

interface UserColumnsOptions {
  ownId: string | undefined;
  mayEdit: (role: AdminUser['role']) => boolean;
  onEdit: (user: AdminUser) => void;
}

export const userColumns = ({ ownId, mayEdit, onEdit }: UserColumnsOptions): Column<AdminUser>[] => [
  {
    id: 'status',
    header: 'Status',
    width: 104,
    from: 720,
    cell: ({ is_active }) => <Status of={is_active ? 'active' : 'inactive'} />,
  },
  {
    id: 'name',
    header: 'Name',
    cell: ({ user_id, display_name }) => (
      <>
        {display_name} {user_id === ownId && <span className="muted">(you)</span>}
      </>
    ),
  },
  { id: 'email', header: 'E-mail', from: 720, cell: ({ email }) => email },
  { id: 'role', header: 'Role', width: 80, cell: ({ role }) => role },
  {
    id: 'login',
    header: 'Last sign-in',
    width: 150,
    from: 720,
    cell: ({ last_login }) => <Time at={last_login} missing="never" />,
  },
  { id: 'created', header: 'Created', width: 150, from: 1024, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'audit',
    header: 'Audit',
    width: 110,
    from: 1024,
    cell: ({ user_id }) => (
      <Link to="/audit" search={{ user: user_id, ...ofLastDays(90) }}>
        What they did
      </Link>
    ),
  },
  {
    id: 'edit',
    header: 'Change',
    width: 96,
    align: 'end',
    cell: (user) => (
      <Button
        look="quiet"
        icon={Pencil}
        unavailable={!mayEdit(user.role) && 'Only an owner may change this account'}
        onClick={() => onEdit(user)}
      >
        Edit
      </Button>
    ),
  },
];
