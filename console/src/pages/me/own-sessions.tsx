import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endSessionById, ownSessionsQuery } from '../../api/me.ts';
import type { OwnSessionList } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { Missing } from '../../components/ui/money.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { Time } from '../../components/ui/time.tsx';
import { addToast } from '../../components/ui/toast-queue.ts';

type OwnSession = OwnSessionList['sessions'][number];

const columns = (end: (id: string) => void): Column<OwnSession>[] => [
  { id: 'created', header: 'Started', width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'ends', header: 'Ends', width: 150, from: 720, cell: ({ expires_at }) => <Time at={expires_at} /> },
  { id: 'address', header: 'Address', width: 140, cell: ({ ip_address }) => ip_address ?? <Missing /> },
  { id: 'kind', header: 'Kind', width: 90, from: 720, cell: ({ kind }) => kind },
  { id: 'agent', header: 'Browser', from: 720, cell: ({ user_agent }) => user_agent ?? <Missing /> },
  {
    id: 'end',
    header: 'Action',
    width: 110,
    align: 'end',
    cell: ({ session_id, is_current }) =>
      is_current ? (
        'this one'
      ) : (
        <Button look="quiet" onClick={() => end(session_id)}>
          End
        </Button>
      ),
  },
];

/** The browsers in which the own account is signed in. */
export function OwnSessions() {
  const cache = useQueryClient();
  const query = useQuery(ownSessionsQuery);
  const mutation = useMutation({
    mutationFn: (id: string | undefined) => (id === undefined ? endOtherSessions() : endSessionById(id)),
    onSuccess: (_, id) => {
      addToast(id === undefined ? 'All other sessions have ended' : 'The session has ended');
      void cache.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
    },
    onError: ({ message }) => addToast(message),
  });
  const sessions = query.data?.sessions ?? [];
  return (
    <>
      <DataTable
        id="own-sessions"
        label="Your sessions"
        isFlat
        columns={columns(mutation.mutate)}
        rows={sessions}
        rowId={({ session_id }) => session_id}
        state={{ isPending: query.isPending, error: query.error, refetch: () => void query.refetch() }}
        empty={null}
      />
      {sessions.length > 1 && (
        <p>
          <Button onClick={() => mutation.mutate(undefined)}>End all others</Button>
        </p>
      )}
    </>
  );
}
