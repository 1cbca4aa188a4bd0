import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { deleteTeamKey, teamKeysQuery } from '../../../../api/keys.ts';
import { useMay } from '../../../../api/session.ts';
import type { TeamKey, TeamWithKey } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { None, Section } from '../../../../components/ui/detail-page.tsx';

import { PeekTable } from '../../../../components/ui/table/peek-table.tsx';
import { useRefreshAll } from '../../../../components/ui/use-refresh-all.ts';

import { useFollow } from '../../../../live/use-figures.ts';
import { FirstKeys } from './first-keys.tsx';
import { keyColumns } from './key-columns.tsx';
import { isExpired } from './key-draft.ts';
import { keyFacts, keyLinks } from './key-facts.tsx';

const KeyDialog = lazy(() => import('./key-dialog.tsx').then(({ KeyDialog }) => ({ default: KeyDialog })));
const ConfirmDialog = lazy(() =>
  import('../../../../components/ui/confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

/** The keys of a team. Those beside its first one are made, limited and ended here. */
export function KeysTab({ team }: { team: TeamWithKey }) {
  const { team_id } = team;
  const mayWrite = useMay('teams:write');
  const keys = useQuery(teamKeysQuery(team_id));
  useFollow('keys');
  const refresh = useRefreshAll();
  const [edited, setEdited] = useState<TeamKey | 'new'>();
  const [deleted, setDeleted] = useState<TeamKey>();
  return (
    <>
      <FirstKeys team={team} keys={keys} />
      <Section
        title="Further keys"
        aside={
          mayWrite && (
            <Button icon={Plus} onClick={() => setEdited('new')}>
              New key
            </Button>
          )
        }
      >
        <PeekTable
          id="team-keys"
          label="Further keys of the team"
          isFlat
          columns={keyColumns({ mayWrite, onEdit: setEdited, onDelete: setDeleted })}
          rows={keys.data?.keys ?? []}
          state={keys}
          rowId={({ key_id }) => key_id}
          noun="Key"
          factsOf={keyFacts}
          linksOf={keyLinks}
          empty={
            <None>The team has only its first key. A further one has a name, and can have an end and a limit.</None>
          }
        />
        <Suspense>
          {edited && (
            <KeyDialog team={team} of={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
          )}
          {deleted && (
            <ConfirmDialog
              title={`Delete the key ${deleted.name}?`}
              action="Delete the key"
              isDangerous
              effects={[
                {
                  what: 'Requests with it',
                  before: isExpired(deleted) ? 'refused (401)' : 'answered',
                  after: 'refused (401) at once',
                },
                { what: 'Its sessions here', before: isExpired(deleted) ? 'ended' : 'valid', after: 'ended' },
                { what: 'Its open jobs', before: 'open', after: 'go on; any key of the team ends them' },
              ]}
              run={() => deleteTeamKey(team_id, deleted.key_id)}
              done={`Deleted the key ${deleted.name}`}
              onClose={() => setDeleted(undefined)}
              onDone={refresh}
            />
          )}
        </Suspense>
      </Section>
    </>
  );
}
