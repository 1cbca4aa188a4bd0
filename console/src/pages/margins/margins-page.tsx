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
import { formatNumber } from '../../format/number.ts';
import { useFollow } from '../../live/use-figures.ts';
import { linkedRange } from '../../url/answered-range.ts';
import { toMoments } from '../../url/time-range.ts';
import { marginColumns } from './margin-columns.tsx';
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

/** What jobs bring in and what they cost. */
function Margins() {
  const { range, from, to, team, organization, by = 'job_type' } = route.useSearch();
  const navigate = useNavigate({ from: '/margins' });
  const selection = { group_by: by, team_id: team, organization_id: organization };
  const query = useQuery(marginsQuery({ range, from, to }, selection));
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
              columns={marginColumns(data.group_by, { ...linkedRange(data), ...filters })}
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
