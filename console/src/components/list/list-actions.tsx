import { Download, RotateCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Query } from '../../api/request.ts';
import { Button } from '../button.tsx';

const ExportDialog = lazy(() => import('./export-dialog.tsx').then(({ ExportDialog }) => ({ default: ExportDialog })));

/** Reads the list again. It does not do so by itself, so that no row moves. */
export const RefreshButton = ({ list }: { list: { refresh: () => void; isRefreshing: boolean } }) => (
  <Button
    icon={RotateCw}
    aria-label="Read the list again"
    title="Read the list again"
    aria-disabled={list.isRefreshing}
    onClick={list.isRefreshing ? undefined : list.refresh}
  />
);

export interface ExportButtonProps {
  /** What its rows are: `transactions`. */
  what: string;
  path: string;
  query: () => Query;
  /** How many rows the list has, where that is known. */
  total?: number | null;
  /** Requests the number of rows when the dialog opens. */
  count?: (query: Query) => Promise<number>;
}

/** The list as a CSV file. The dialog first shows how many rows that is. */
export function ExportButton(props: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Download} aria-label="Export as CSV" title="Export as CSV" onClick={() => setOpen(true)} />
      <Suspense>{isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
