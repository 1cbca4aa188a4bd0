import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { endPreviousKeys } from '../../../../api/keys.ts';
import { useMay } from '../../../../api/session.ts';
import type { FirstKey, TeamKeyList, TeamWithKey } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { None, Section } from '../../../../components/ui/detail-page.tsx';
import { Missing } from '../../../../components/ui/money.tsx';
import { Status } from '../../../../components/ui/status.tsx';
import type { Column } from '../../../../components/ui/table/column.ts';
import { DataTable } from '../../../../components/ui/table/data-table.tsx';
import { Time } from '../../../../components/ui/time.tsx';
import { useRefreshAll } from '../../../../components/ui/use-refresh-all.ts';

const ConfirmDialog = lazy(() =>
  import('../../../../components/ui/confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

const columns: Column<FirstKey>[] = [
  {
    id: 'key',
    header: 'Key',
    isAlways: true,
    cell: ({ key_hint }) =>
      key_hint === null ? <Missing why="MASTER_KEY does not open it" /> : <span className="mono">{key_hint}</span>,
  },
  {
    id: 'state',
    header: 'Status',
    width: 96,
    isAlways: true,
    cell: ({ expires_at }) => <Status of={expires_at === null ? 'active' : 'previous'} />,
  },
  {
    id: 'end',
    header: 'Ends',
    isAlways: true,
    cell: ({ expires_at }) => <Time at={expires_at} missing="it does not end" />,
  },
  {
    id: 'used',
    header: 'Last used',
    isAlways: true,
    cell: ({ last_used_at }) => <Time at={last_used_at} missing="not used yet" />,
  },
  { id: 'created', header: 'Created', from: 1024, cell: ({ created_at }) => <Time at={created_at} /> },
];

interface FirstKeysProps {
  team: TeamWithKey;
  keys: UseQueryResult<TeamKeyList>;
}

/** The first key of a team, and those before it that serve on after a rotation, which can be ended here. */
export function FirstKeys({ team: { team_id }, keys }: FirstKeysProps) {
  const mayWrite = useMay('teams:write');
  const refresh = useRefreshAll();
  const [isEnding, setIsEnding] = useState(false);
  const rows = keys.data?.first_keys ?? [];
  const previous = rows.filter(({ expires_at }) => expires_at !== null);
  return (
    <Section
      title="First key"
      aside={
        mayWrite &&
        previous.length > 0 && (
          <Button onClick={() => setIsEnding(true)}>
            {previous.length === 1 ? 'End the previous key now' : `End ${previous.length} previous keys now`}
          </Button>
        )
      }
    >
      <DataTable
        id="first-keys"
        label="First key of the team, and those before it that serve on"
        isFlat
        columns={columns}
        rows={rows}
        state={keys}
        rowId={({ created_at }) => created_at}
        empty={<None>The team has no key.</None>}
      />
      <Suspense>
        {isEnding && (
          <ConfirmDialog
            title={`End the previous keys of ${team_id}?`}
            action="End them now"
            isDangerous
            effects={[
              { what: 'Requests with them', before: 'answered', after: 'refused (401) at once' },
              { what: 'Their sessions here', before: 'valid', after: 'ended' },
              { what: 'The current key', before: 'answered', after: 'answered' },
            ]}
            run={(_, idempotencyKey) => endPreviousKeys(team_id, idempotencyKey)}
            done="Ended the previous keys"
            onClose={() => setIsEnding(false)}
            onDone={refresh}
          />
        )}
      </Suspense>
    </Section>
  );
}
