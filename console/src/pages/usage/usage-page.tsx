import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import type { UsageSeries } from '../../api/types.ts';
import { seriesPath, usageSeriesQuery } from '../../api/usage.ts';
import { CountedUpTo } from '../../components/calls/no-calls.tsx';
import { colouredGroups } from '../../components/ui/charts/group-colors.ts';
import { Section } from '../../components/ui/detail-page.tsx';
import { FigurePage } from '../../components/ui/figure-page.tsx';
import { AddFilter, FilterChips } from '../../components/ui/list/filter-controls.tsx';
import { ExportButton } from '../../components/ui/list/list-actions.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { Select } from '../../components/ui/select.tsx';
import { Time } from '../../components/ui/time.tsx';
import { UtcDays } from '../../components/ui/utc-days.tsx';
import { formatNumber } from '../../format/number.ts';
import { useFollow } from '../../live/use-figures.ts';
import { useZone } from '../../preferences/preferences.ts';
import { toMoments } from '../../url/time-range.ts';
import { GroupTable } from './group-table.tsx';
import { PointTable } from './point-table.tsx';
import { SeriesBars } from './series-bars.tsx';
import { SumOfSeries } from './sum-of-series.tsx';
import {
  bucketLabels,
  bucketsFor,
  comparisonFor,
  comparisonLabels,
  comparisons,
  groupingLabels,
  groupingsFor,
  metricLabels,
  metricsFor,
  toChoice,
} from './usage-choices.ts';
import { usageFilters } from './usage-filters.ts';
import type { UsageSearch } from './usage-search.ts';

const route = getRouteApi('/layout/usage');

export const UsagePage = () => (
  <PageFor needs="usage:read" what="the usage">
    <Usage />
  </PageFor>
);

/** One figure over time, in groups. The tables below are what the chart is drawn from. */
function Usage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/usage' });
  const isTeam = useSession().kind === 'team';
  const zone = useZone();
  const { range, from, to, team, organization } = search;
  const { metric, by, bucket } = toChoice(search, isTeam);
  const compare = search.compare ?? comparisonFor(by);
  const selection = { metric, group_by: by, bucket, team_id: team, organization_id: organization };
  const query = useQuery(
    usageSeriesQuery({ range, from, to }, { ...selection, compare, top: colouredGroups, tz: zone }),
  );
  useFollow('usage');
  const file = () => ({ ...selection, ...toMoments({ range, from, to }) });
  const apply = (change: UsageSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace });
  const filter = { filters: usageFilters, search: { team, organization }, onChange: apply };
  const marked = query.data?.groups.some(({ key }) => key === search.group) ? search.group : undefined;

  return (
    <FigurePage
      title="Usage"
      query={query}
      chips={<FilterChips {...filter} />}
      controls={
        <>
          <Select
            label="Metric"
            value={metric}
            options={toOptions(metricsFor(isTeam), metricLabels)}
            onChange={(next) => apply({ metric: next, group: undefined })}
          />
          <Select
            label="Group by"
            value={by}
            options={toOptions(groupingsFor(metric, isTeam), groupingLabels)}
            onChange={(next) => apply({ by: next, group: undefined })}
          />
          <Select
            label="Interval"
            value={bucket}
            options={toOptions(bucketsFor(metric, by), bucketLabels)}
            onChange={(next) => apply({ bucket: next })}
          />
          <Select
            label="Comparison"
            value={compare}
            options={toOptions(comparisons, comparisonLabels)}
            onChange={(next) => apply({ compare: next })}
          />
          {!isTeam && <AddFilter {...filter} />}
        </>
      }
    >
      {(data) => (
        <>
          <Section title={`${metricLabels[data.metric]}, ${clockOf(data)}`} aside={<Summed series={data} />}>
            <SumOfSeries series={data} />
            <SeriesBars series={data} filters={{ team, organization }} marked={marked} />
          </Section>
          <Section
            title={groupsTitle(data)}
            aside={data.other && <span className="muted">{`top ${data.groups.length} of ${groupCount(data)}`}</span>}
          >
            <GroupTable
              series={data}
              filters={{ team, organization }}
              marked={marked}
              onMark={(key) => apply({ group: key }, true)}
            />
          </Section>
          <Section
            title="Data of the chart"
            aside={<ExportButton what="figures" path={seriesPath} query={file} total={undefined} />}
          >
            <PointTable series={data} />
          </Section>
        </>
      )}
    </FigurePage>
  );
}

const toOptions = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

/** The clock that decides in which bucket something is counted. */
const clockOf = ({ clock, bucket, tz }: UsageSeries): string =>
  ({
    job_created: `by the UTC ${bucket} in which the job was created`,
    ledger: `by the UTC ${bucket} of the row in the ledger`,
    call_finished: `by the ${bucket} in which the call ended, ${tz}`,
  })[clock];

const groupsTitle = ({ group_by }: UsageSeries): string =>
  group_by === 'none' ? 'Whole range' : `Whole range, ${groupingLabels[group_by]}`;

const groupCount = ({ groups, other }: UsageSeries): string => formatNumber(groups.length + (other?.count ?? 0));

/** What was summed: calls by whole hours, everything else by whole days of UTC. */
const Summed = ({ series: { clock, from, to, complete_until } }: { series: UsageSeries }) => (
  <span className="muted">
    {clock === 'call_finished' ? (
      <>
        <Time at={from} /> to <Time at={to} />, <CountedUpTo complete_until={complete_until} />
      </>
    ) : (
      <UtcDays from={from} to={to} />
    )}
  </span>
);
