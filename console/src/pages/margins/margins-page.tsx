import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { marginsPath, marginsQuery } from '../../api/usage.ts';
import { JobDays } from '../../components/jobs/job-days.tsx';
import { None, Section } from '../../components/ui/detail-page.tsx';
import { FigurePage } from '../../components/ui/figure-page.tsx';
import { AddFilter, FilterChips } from '../../components/ui/list/filter-controls.tsx';
import { ExportButton } from '../../components/ui/list/list-actions.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { Select } from '../../components/ui/select.tsx';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { UtcDays } from '../../components/ui/utc-days.tsx';
import { formatNumber } from '../../format/number.ts';
import { useFollow } from '../../live/use-figures.ts';
import { linkedRange } from '../../url/answered-range.ts';
import { fittingBucket, toMoments } from '../../url/time-range.ts';
import { marginColumns } from './margin-columns.tsx';
import { MarginCourse } from './margin-course.tsx';
import { MarginFigures } from './margin-figures.tsx';
import { type MarginsSearch, marginFilters } from './margins-search.ts';

const route = getRouteApi('/layout/margins');

export const MarginsPage = () => (
  <PageFor needs="margins:read" what="margins">
    <Margins />
  </PageFor>
);

const groupings = [
  { value: 'job_type', label: 'By job type' },
  { value: 'team_id', label: 'By team' },
  { value: 'organization_id', label: 'By organization' },
] as const;

const buckets = [
  { value: 'day', label: 'by day' },
  { value: 'month', label: 'by month' },
] as const;

const comparisons = [
  { value: 'none', label: 'alone' },
  { value: 'previous', label: 'with the period before' },
] as const;

/** What jobs bring in and what they cost. */
function Margins() {
  const { range, from, to, team, organization, by = 'job_type', compare, ...search } = route.useSearch();
  const bucket = search.bucket ?? fittingBucket({ range, from, to });
  const navigate = useNavigate({ from: '/margins' });
  const selection = { group_by: by, team_id: team, organization_id: organization };
  const course = { bucket, compare: compare ?? 'previous' };
  const query = useQuery(marginsQuery({ range, from, to }, { ...selection, ...course }));
  useFollow('usage');
  const file = () => ({ ...selection, ...toMoments({ range, from, to }) });
  const apply = (change: MarginsSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filters = { team, organization };
  const filter = { filters: marginFilters, search: filters, onChange: apply };

  return (
    <FigurePage
      title="Margins"
      query={query}
      chips={<FilterChips {...filter} />}
      controls={
        <>
          <Select label="Rows" value={by} options={groupings} onChange={(next) => apply({ by: next })} />
          <Select label="Interval" value={bucket} options={buckets} onChange={(next) => apply({ bucket: next })} />
          <Select
            label="Comparison"
            value={compare ?? 'previous'}
            options={comparisons}
            onChange={(next) => apply({ compare: next === 'none' ? next : undefined })}
          />
          <AddFilter {...filter} />
          <ExportButton what="margins" path={marginsPath} query={file} total={query.data?.rows_total} />
          {query.data && (
            <span className="muted">
              <JobDays {...query.data} />
            </span>
          )}
        </>
      }
    >
      {(data) => (
        <>
          <MarginFigures margins={data} jobs={{ ...linkedRange(data), ...filters }} />
          <Section
            title={`Margin, by the UTC ${bucket} in which the job was created`}
            aside={
              data.previous && (
                <span className="muted">
                  before: <UtcDays {...data.previous} />
                </span>
              )
            }
          >
            <MarginCourse margins={data} bucket={bucket} filters={filters} />
          </Section>
          <Section
            title={`${groupings.find(({ value }) => value === data.group_by)?.label}, most expensive first`}
            aside={
              data.rows_total > data.rows.length && (
                <span className="muted">
                  top {formatNumber(data.rows.length)} of {formatNumber(data.rows_total)}
                </span>
              )
            }
          >
            <DataTable
              id="margins"
              label="Margins"
              isFlat
              columns={marginColumns(data, { ...linkedRange(data), ...filters })}
              rows={data.rows}
              rowId={({ key }) => key}
              empty={<None>No job was created in this range.</None>}
            />
          </Section>
        </>
      )}
    </FigurePage>
  );
}
