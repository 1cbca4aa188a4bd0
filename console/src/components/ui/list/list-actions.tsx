import { Download, RotateCw } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../button.tsx';
import type { ExportProps } from './export-dialog.tsx';

const ExportDialog = lazy(() => import('./export-dialog.tsx').then(({ ExportDialog }) => ({ default: ExportDialog })));

/** Reads the list again. It does not do so by itself, so that no row moves. */
export const RefreshButton = ({ list }: { list: { refresh: () => void; isRefreshing: boolean } }) => (
  <Button
    icon={RotateCw}
    aria-label="Refresh the list"
    title="Refresh the list"
    aria-disabled={list.isRefreshing}
    onClick={list.isRefreshing ? undefined : list.refresh}
  />
);

/** The list as a CSV file. The dialog first shows how many rows that is. */
export function ExportButton(props: ExportProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Download} aria-label="Export as CSV" title="Export as CSV" onClick={() => setOpen(true)} />
      <Suspense>{isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
