import { Link } from '@tanstack/react-router';
import type { Ledger, LedgerTransaction, TeamWithKey } from '../../../api/types.ts';
import { transactionColumns } from '../../../components/ledger/transaction-columns.tsx';
import { Columns, None, Section, Stack } from '../../../components/ui/detail-page.tsx';
import { Facts } from '../../../components/ui/facts.tsx';
import { ChangedRows } from '../../../components/ui/list/list-page.tsx';
import { ofTeamIn } from '../../../components/ui/list/use-following.ts';
import { useList } from '../../../components/ui/list/use-list.ts';
import { DataTable } from '../../../components/ui/table/data-table.tsx';
import { Time } from '../../../components/ui/time.tsx';
import { formatNumber } from '../../../format/number.ts';
import { sinceDayOf } from '../../../url/time-range.ts';
import { budgetModes } from '../budget-modes.ts';

const shown = 20;
const rowId = ({ transaction_id }: LedgerTransaction): string => transaction_id;

/** How the team is charged, what was booked in all, and the newest rows of its ledger. */
export function CreditsTab({ team }: { team: TeamWithKey }) {
  const { team_id, credits } = team;
  const list = useList(
    {
      path: '/api/transactions',
      key: ['of', team_id],
      query: () => ({ team_id }),
      rowsOf: ({ transactions }: Ledger) => transactions,
      counts: true,
    },
    { rowId, isAbout: ({ teams = [] }) => ofTeamIn(teams, team_id) },
  );
  const { table, first } = list;
  const sums = first?.whole.sum_credits;
  const sum = (value: number | undefined) => (value === undefined ? '…' : formatNumber(value));
  return (
    <Stack>
      <Columns>
        <Section
          title="Billing"
          aside={
            <Link to="/prices" search={{ team: team_id }}>
              Prices by job type
            </Link>
          }
        >
          <Facts
            facts={[
              ['A job costs', budgetModes[team.budget_mode]],
              ['Budget', credits.credit_limit === null ? 'unlimited' : 'fixed: never below 0'],
              [
                'Without credits',
                team.low_balance_policy === 'block' ? 'no job can be created' : 'jobs run and are not charged',
              ],
              [
                'Refill',
                credits.auto_refill
                  ? `${formatNumber(team.refill_amount ?? 0)} credits, ${team.refill_period ?? ''}`
                  : 'none',
              ],
              ['Next refill', team.next_refill_at && <Time key="next" at={team.next_refill_at} />],
              ['Last refill', team.last_refill_at && <Time key="last" at={team.last_refill_at} />],
            ]}
          />
        </Section>
        <Section
          title="Totals"
          aside={
            <Link to="/statement" search={{ team: team_id }}>
              Statement of a month
            </Link>
          }
        >
          <Facts
            facts={[
              ['Allocations', sum(sums?.allocation)],
              ['Adjustments', sum(sums?.adjustment)],
              ['Deductions', sum(sums?.deduction)],
              ['Refunds', sum(sums?.refund)],
            ]}
          />
        </Section>
      </Columns>
      <Section
        title="Newest ledger rows"
        aside={
          <Link to="/ledger" search={{ team: team_id, ...sinceDayOf(team.created_at) }}>
            Full ledger of this team
          </Link>
        }
      >
        <ChangedRows list={list} />
        <DataTable
          id="team-ledger"
          label="Newest ledger rows of the team"
          isFlat
          columns={transactionColumns(false)}
          rows={table.rows.slice(0, shown)}
          state={table.state}
          rowId={rowId}
          empty={<None>The ledger of the team is empty.</None>}
        />
      </Section>
    </Stack>
  );
}
