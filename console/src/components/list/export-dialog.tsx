import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { apiUrl } from '../../api/base.ts';
import { queryText } from '../../api/request.ts';
import { useZone } from '../../app/preferences.ts';
import { countOf } from '../../format/number.ts';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../dialog.tsx';
import { FormProblem } from '../field.tsx';
import type { ExportButtonProps } from './list-actions.tsx';

export function ExportDialog(props: ExportButtonProps & { onClose: () => void }) {
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
          : `The file has ${typeof rows === 'number' ? `${countOf(rows, 'row')}: ` : ''}all ${what} that match the filters.`}
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
