import { Download, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { apiUrl } from '../../api/base.ts';
import { type Query, queryText } from '../../api/request.ts';
import { useZone } from '../../app/preferences.ts';
import { countOf } from '../../format/number.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';

/** Reads the list again. It does not do so by itself, so that no row moves. */
export const RefreshButton = ({ list }: { list: { refresh: () => void; isRefreshing: boolean } }) => (
  <Button
    icon={RotateCw}
    aria-label="Read the list again"
    title="Read the list again"
    disabled={list.isRefreshing}
    onClick={list.refresh}
  />
);

interface ExportButtonProps {
  /** What its rows are: `transactions`. */
  what: string;
  path: string;
  query: () => Query;
  /** How many rows the list has. */
  total: number | null | undefined;
}

/** The list as a CSV file. It says first how many rows that is. */
export function ExportButton(props: ExportButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Download} aria-label="Export as CSV" title="Export as CSV" onClick={() => setOpen(true)} />
      {isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ what, path, query, total, onClose }: ExportButtonProps & { onClose: () => void }) {
  const zone = useZone();
  const href = `${apiUrl(path)}${queryText({ ...query(), format: 'csv', tz: zone })}`;
  return (
    <Dialog title={`Export ${what} as CSV`} onClose={onClose}>
      <p>
        {typeof total === 'number'
          ? `The file has ${countOf(total, 'row')}: all ${what} that match the filters.`
          : `The file has all ${what} that match the filters.`}
      </p>
      <p className="muted">Times are in the zone {zone}, with their offset. Amounts are exact.</p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          icon={Download}
          disabled={total === 0}
          onClick={() => {
            window.location.assign(href);
            onClose();
          }}
        >
          Download
        </Button>
      </DialogActions>
    </Dialog>
  );
}
