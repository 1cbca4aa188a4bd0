import { useQuery } from '@tanstack/react-query';
import { systemQuery } from '../../api/system.ts';
import { Columns, DetailPage, Loading, Section } from '../../components/ui/detail-page.tsx';
import { FiguresProblem } from '../../components/ui/page-problem.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { Age } from '../../components/ui/time.tsx';
import { WorkerTable } from '../../components/workers/worker-table.tsx';
import { BacklogFigures } from './backlog-figures.tsx';
import { DependencyTable } from './dependency-table.tsx';
import { MaintenanceTables } from './maintenance-tables.tsx';
import { RetentionFacts } from './retention-facts.tsx';
import { SystemLinks } from './system-links.tsx';

export const SystemPage = () => (
  <PageFor needs="system:read" what="the system">
    <SystemNow />
  </PageFor>
);

/** The state of the service: dependencies, workers, maintenance and retention. */
function SystemNow() {
  const { data, error, refetch } = useQuery(systemQuery);
  if (!data && error) return <FiguresProblem title="System" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="figures" />;
  return (
    <DetailPage
      kind={
        <span>
          Version <span className="mono">{data.version}</span>, started <Age of={data.started_at} /> ago
        </span>
      }
      title="System"
      actions={<SystemLinks links={data.links} />}
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      <BacklogFigures backlog={data.backlog} />
      <Columns>
        <Section title="Dependencies, as this api sees them">
          <DependencyTable dependencies={data.dependencies} />
          <p className="muted">Model providers: by the requests of the last two hours.</p>
        </Section>
        <Section title="Retention">
          <RetentionFacts retention={data.retention} />
        </Section>
      </Columns>
      <Section title="Workers of the last hour">
        <WorkerTable workers={data.workers} />
      </Section>
      <MaintenanceTables maintenance={data.maintenance} />
    </DetailPage>
  );
}
