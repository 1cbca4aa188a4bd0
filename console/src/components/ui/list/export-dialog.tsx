import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { apiUrl } from '../../../api/base.ts';
import { type Query, queryText } from '../../../api/request.ts';
import { formatCount } from '../../../format/number.ts';
import { useZone } from '../../../preferences/preferences.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { FormProblem } from '../field.tsx';

export interface ExportProps {
  /** What its rows are: `transactions`. */
  what: string;
  path: string;
  query: () => Query;
  /** How many rows the list has, where that is known. */
  total?: number | null;
  /** Requests the number of rows when the dialog opens. */
  count?: (query: Query) => Promise<number>;
}

export function ExportDialog(props: ExportProps & { onClose: () => void }) {
  const { what, path, query, total, count, onClose } = props;
  const zone = useZone();
  // What is counted is what is downloaded: a range up to now has other moments a minute later.
  const [filters] = useState(query);
  const counted = useQuery({
    queryKey: ['count', path, filters],
    queryFn: () => count!(filters),
    enabled: count !== undefined && typeof total !== 'number',
    gcTime: 0,
  });
  const rows = total ?? counted.data;
  const href = `${apiUrl(path)}${queryText({ ...filters, format: 'csv', tz: zone })}`;
  return (
    <Dialog title={`Export ${what} as CSV`} onClose={onClose}>
      <p aria-live="polite">
        {counted.isLoading
          ? 'Counting …'
          : `The file has ${typeof rows === 'number' ? `${formatCount(rows, 'row')}: ` : ''}all ${what} that match the filters.`}
      </p>
      <p className="muted">Times are in the zone {zone}, with their offset. Amounts are exact.</p>
      <FormProblem error={counted.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          icon={Download}
          disabled={rows === 0 || counted.isLoading}
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
