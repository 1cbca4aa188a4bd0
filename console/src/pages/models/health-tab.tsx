import { useQuery } from '@tanstack/react-query';
import { modelHealthQuery } from '../../api/models.ts';
import { CountedUpTo, NoCalls } from '../../components/calls/no-calls.tsx';
import { Section, Stack } from '../../components/ui/detail-page.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { Time } from '../../components/ui/time.tsx';
import type { RangeSearch } from '../../url/time-range.ts';
import { ErrorsOfModels } from './errors-of-models.tsx';
import { groupHealthColumns, modelHealthColumns } from './health-columns.tsx';

/** How the models have done in the time range. */
export function HealthTab({ range, model }: { range: RangeSearch; model: string | undefined }) {
  const { data, error, isPending, refetch } = useQuery(modelHealthQuery(range));
  if (error && !data) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  const state = { isPending, error: null, refetch: () => void refetch() };
  return (
    <Stack>
      <p className="muted">
        Calls that ended in the range, by the hour of their end
        {data && (
          <>
            : <Time at={data.from} /> to <Time at={data.to} />, <CountedUpTo {...data} />
          </>
        )}
        . A model that fails and is replaced by another has an error, although the call succeeds.
      </p>
      <ErrorsOfModels range={range} model={model} />
      <Section title="Models: requests">
        <DataTable
          id="model-health"
          label="Health of each model"
          isFlat
          columns={modelHealthColumns}
          rows={data?.models ?? []}
          state={state}
          rowId={({ model }) => model}
          empty={data && <NoCalls {...data} />}
        />
      </Section>
      <Section title="Model groups: calls">
        <DataTable
          id="group-health"
          label="Health of each model group"
          isFlat
          columns={groupHealthColumns}
          rows={data?.groups ?? []}
          state={state}
          rowId={({ model_group }) => model_group ?? ''}
          empty={data && <NoCalls {...data} />}
        />
      </Section>
    </Stack>
  );
}
