import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorsQuery } from '../../api/errors.ts';
import { ErrorGroups, errorTotals } from '../../components/errors/error-groups.tsx';
import { JobDays } from '../../components/jobs/job-days.tsx';
import { Loading, Section } from '../../components/ui/detail-page.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import type { RangeSearch } from '../../url/time-range.ts';

/** What failed of one model, or of all: each cause leads to the calls and jobs that it hit. */
export function ErrorsOfModels({ range, model }: { range: RangeSearch; model: string | undefined }) {
  const { data, error, refetch } = useQuery(errorsQuery(range, { error_model: model }));
  return (
    <Section
      title={model ? `Errors of ${model}` : 'Errors'}
      aside={
        <span className="muted">
          {data && <JobDays {...data} />}
          {model && (
            <>
              {' · '}
              <Link to="/models" search={{ tab: 'health' }}>
                All models
              </Link>
            </>
          )}
        </span>
      }
    >
      {error && !data && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the errors" />}
      {data && (
        <>
          <p className="muted">{errorTotals(data)}</p>
          <ErrorGroups errors={data} filters={{}} />
        </>
      )}
    </Section>
  );
}
