import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { deletePrice, pricesQuery } from '../../api/prices.ts';
import { useMay } from '../../api/session.ts';
import type { Price } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { None } from '../../components/ui/detail-page.tsx';
import { FigurePage } from '../../components/ui/figure-page.tsx';
import { AddFilter, FilterChips } from '../../components/ui/list/filter-controls.tsx';
import { PageFor } from '../../components/ui/permission.tsx';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { useRefreshAll } from '../../components/ui/use-refresh-all.ts';
import { formatNumber } from '../../format/number.ts';
import { priceColumns } from './price-columns.tsx';
import { type PricesSearch, priceFilters } from './prices-search.ts';

const PriceDialog = lazy(() => import('./price-dialog.tsx').then(({ PriceDialog }) => ({ default: PriceDialog })));
const ConfirmDialog = lazy(() =>
  import('../../components/ui/confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

const route = getRouteApi('/layout/prices');

export const PricesPage = () => (
  <PageFor needs="margins:read" what="prices">
    <Prices />
  </PageFor>
);

/** What jobs cost by their type: for all teams, or with a team in the filter the rows that hold for it. */
function Prices() {
  const { team } = route.useSearch();
  const navigate = useNavigate({ from: '/prices' });
  const mayEdit = useMay('teams:write');
  const refresh = useRefreshAll();
  const query = useQuery(pricesQuery(team));
  const [edited, setEdited] = useState<Price | 'new'>();
  const [deleted, setDeleted] = useState<Price>();
  const apply = (change: PricesSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = { filters: priceFilters, search: { team }, onChange: apply };
  const columns = priceColumns({ mayEdit, isOfTeam: team !== undefined, onEdit: setEdited, onDelete: setDeleted });
  return (
    <FigurePage
      title="Prices"
      query={query}
      chips={<FilterChips {...filter} />}
      controls={
        <>
          {mayEdit && (
            <Button look="primary" icon={Plus} onClick={() => setEdited('new')}>
              New price
            </Button>
          )}
          <AddFilter {...filter} />
        </>
      }
    >
      {({ total, job_types }) => (
        <>
          {total > job_types.length && (
            <p className="muted">
              The first {formatNumber(job_types.length)} of {formatNumber(total)}
            </p>
          )}
          <DataTable
            id="prices"
            label="Prices"
            isFlat
            columns={columns}
            rows={job_types}
            rowId={({ job_type }) => job_type}
            empty={<None>No job type has a price: a job costs 1 credit, by the policy of its team.</None>}
          />
          <Suspense>
            {edited && (
              <PriceDialog
                team={team}
                price={edited === 'new' ? undefined : edited}
                onClose={() => setEdited(undefined)}
              />
            )}
            {deleted && (
              <ConfirmDialog
                title={`Delete the price of ${deleted.job_type}?`}
                action="Delete the price"
                isDangerous
                effects={[
                  {
                    what: 'New jobs cost',
                    before: deleted.credits === null ? 'not set here' : `${deleted.credits} credits`,
                    after:
                      team === undefined
                        ? '1 credit, or the price of their team'
                        : 'the price for all teams, or 1 credit',
                  },
                ]}
                run={() => deletePrice(team, deleted.job_type)}
                done={`Deleted the price of ${deleted.job_type}`}
                onClose={() => setDeleted(undefined)}
                onDone={refresh}
              />
            )}
          </Suspense>
        </>
      )}
    </FigurePage>
  );
}
