import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { marginsPath, marginsQuery } from '../../api/usage.ts';
import { linkedRange } from '../../app/answered-range.ts';
import { momentsOf } from '../../app/time-range.ts';
import { Loading, None, Section } from '../../components/detail-page.tsx';
import { AddFilter, FilterChips } from '../../components/list/filter-controls.tsx';
import { ExportButton } from '../../components/list/list-actions.tsx';
import { PageFor } from '../../components/permission.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Select } from '../../components/select.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { UtcDays } from '../../components/utc-days.tsx';
import { formatNumber } from '../../format/number.ts';
import { marginColumns } from './margin-columns.tsx';
import { MarginFigures } from './margin-figures.tsx';
import styles from './margins.module.css';
import { type MarginsSearch, marginFilters } from './margins-search.ts';

const route = getRouteApi('/frame/margins');

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
  const { data, error, refetch, isPlaceholderData } = useQuery(marginsQuery({ range, from, to }, selection));
  const file = () => ({ ...selection, ...momentsOf({ range, from, to }) });
  const apply = (change: MarginsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const filters = { team, organization };
  const filter = { filters: marginFilters, search: filters, onChange: apply };

  return (
    <article className={styles.page}>
      <h1 className="visually-hidden">Margins</h1>
      <search className={styles.controls}>
        <Select label="Rows" value={by} options={groupings} onChange={(next) => apply({ by: next })} />
        <AddFilter {...filter} />
        <ExportButton what="margins" path={marginsPath} query={file} total={data?.rows_total} />
        {data && (
          <span className="muted">
            Jobs by the day of their creation, <UtcDays {...data} />
          </span>
        )}
      </search>
      <FilterChips {...filter} />
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="margins" />}
      {data && !error && (
        <div className={styles.figures} aria-busy={isPlaceholderData}>
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
        </div>
      )}
    </article>
  );
}
