import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ledgerCheckQuery } from '../../api/ledger.ts';
import type { LedgerCheck } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { Count } from '../../components/ui/count.tsx';
import { Dialog, DialogActions } from '../../components/ui/dialog.tsx';
import { ProblemNote } from '../../components/ui/problem-note.tsx';
import { StatusMark } from '../../components/ui/status.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatCount } from '../../format/number.ts';
import styles from './ledger.module.css';

/** Whether every balance is the sum of its ledger rows, and when that was checked. */
export function LedgerCheckNote() {
  const [isOpen, setOpen] = useState(false);
  const check = useQuery(ledgerCheckQuery);
  const { data } = check;
  return (
    <>
      <button type="button" className={styles.check} onClick={() => setOpen(true)}>
        {check.error ? (
          <>
            <StatusMark of="unknown" /> The ledger could not be checked
          </>
        ) : !data ? (
          <>
            <StatusMark of="queued" /> Checking the ledger …
          </>
        ) : data.consistent ? (
          <>
            <StatusMark of="completed" /> Ledger equals balances, checked <Time at={data.checked_at} />
          </>
        ) : (
          <>
            <StatusMark of="failed" /> {formatCount(data.mismatches.length, 'balance')} differ from the ledger
          </>
        )}
      </button>
      {isOpen && (
        <Dialog title="Ledger and balances" onClose={() => setOpen(false)}>
          {check.error && <ProblemNote error={check.error} />}
          {data && <CheckResult check={data} />}
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button look="primary" disabled={check.isFetching} onClick={() => void check.refetch()}>
              {check.isFetching ? 'Checking …' : 'Check again'}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

type Mismatch = LedgerCheck['mismatches'][number];

const columns: Column<Mismatch>[] = [
  {
    id: 'team',
    header: 'Team',
    cell: ({ team_id }) => (
      <Link to="/teams/$teamId" params={{ teamId: team_id }}>
        {team_id}
      </Link>
    ),
  },
  { id: 'balance', header: 'Balance', align: 'end', cell: ({ balance }) => <Count of={balance} /> },
  { id: 'ledger', header: 'Ledger', align: 'end', cell: ({ ledger }) => <Count of={ledger} /> },
];

const CheckResult = ({ check: { checked_at, accounts, consistent, mismatches } }: { check: LedgerCheck }) => (
  <>
    <p aria-live="polite">
      {consistent
        ? `The balance of each of ${formatCount(accounts, 'account')} is the sum of its ledger rows.`
        : `Of ${formatCount(accounts, 'account')}, these have another balance than their ledger comes to:`}
    </p>
    {!consistent && (
      <DataTable
        id="ledger-mismatches"
        label="Accounts that differ"
        isFlat
        columns={columns}
        rows={mismatches}
        rowId={({ team_id }) => team_id}
        empty={null}
      />
    )}
    <p className="muted">
      Read in one snapshot at <Time at={checked_at} />.
    </p>
  </>
);
