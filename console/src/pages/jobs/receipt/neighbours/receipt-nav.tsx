import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowDown, ArrowLeft, ArrowUp } from 'lucide-react';
import type { JobListSearch } from '../../../../components/jobs/job-search.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { useZone } from '../../../../preferences/preferences.ts';
import { useShortcuts } from '../../../../shortcuts/use-shortcuts.ts';
import type { RangeSearch } from '../../../../url/time-range.ts';
import { describeList } from '../../describe-list.ts';
import type { JobPosition } from './find-neighbour.ts';
import styles from './receipt-nav.module.css';
import { useNeighbour } from './use-neighbour.ts';

interface ReceiptNavProps {
  /** The job of the receipt; undefined until it is read. */
  job: JobPosition | undefined;
  list: JobListSearch & RangeSearch;
}

/** Leads back to the list (`u`), and to the job before (`p`) and after (`n`) in it. The list is in the URL of the receipt. */
export function ReceiptNav({ job, list }: ReceiptNavProps) {
  const navigate = useNavigate();
  const open = (jobId: string) => void navigate({ to: '/jobs/$jobId', params: { jobId }, search: list });
  const previous = useNeighbour(job, list, 'previous', open);
  const next = useNeighbour(job, list, 'next', open);
  useShortcuts({
    p: previous.go,
    n: next.go,
    u: () => void navigate({ to: '/jobs', search: list }),
  });
  const steps = [
    { name: 'Previous', key: 'p', icon: ArrowUp, step: previous, end: 'This is the first job of the list' },
    { name: 'Next', key: 'n', icon: ArrowDown, step: next, end: 'This is the last job of the list' },
  ];
  return (
    <nav className={styles.nav} aria-label="Through the list">
      <Link to="/jobs" search={list} className={styles.back}>
        <ArrowLeft size={14} aria-hidden /> Back to the list
      </Link>
      <span className={styles.list}>{describeList(list, useZone())}</span>
      {/* Not disabled while the next receipt is read: a button that is disabled loses the focus. */}
      {steps.map(({ name, key, icon, step, end }) => (
        <Button
          key={name}
          look="quiet"
          icon={icon}
          aria-disabled={step.isEnd || !step.isReady}
          title={step.isEnd ? end : `${name} job of the list (${key})`}
          onClick={step.go}
        >
          {name}
        </Button>
      ))}
    </nav>
  );
}
