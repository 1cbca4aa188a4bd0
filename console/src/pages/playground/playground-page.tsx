import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { callRequestQuery } from '../../api/jobs.ts';
import { useMay, useSession } from '../../api/session.ts';
import { DetailPage, Loading } from '../../components/ui/detail-page.tsx';
import { NotAllowed } from '../../components/ui/empty.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { emptyDraft, type Opened, toDraft } from './draft.ts';
import { Playground } from './playground.tsx';

const route = getRouteApi('/layout/playground');

/** Tries out a prompt by a call that is made and paid as any other. */
export function PlaygroundPage() {
  const may = useMay('playground:run');
  const isTeam = useSession().kind === 'team';
  if (!may && !isTeam) return <NotAllowed what="the playground" who="An owner, an admin or a team" />;
  return (
    <DetailPage kind="Each run is a job with a receipt" title="Playground">
      <Begun />
    </DetailPage>
  );
}

/** Empty, or with the messages of the call in the URL. */
function Begun() {
  const { job, call } = route.useSearch();
  const isOpened = job !== undefined && call !== undefined;
  const { data, error, refetch } = useQuery({ ...callRequestQuery(job ?? '', call ?? ''), enabled: isOpened });
  if (!isOpened) return <Playground begin={empty} />;
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="the messages of the call" />;
  const opened = toDraft(data);
  return (
    <>
      {!opened && (
        <p className="muted">The request of the call is not stored, or is too long: it cannot be opened here.</p>
      )}
      {opened && opened.leftOut.length > 0 && (
        <p className="muted">Not taken from the call: {opened.leftOut.join(', ')}.</p>
      )}
      <Playground key={call} begin={opened ?? empty} />
    </>
  );
}

const empty: Opened = { draft: emptyDraft, leftOut: [] };
