import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { apiUrl } from '../../api/base.ts';
import { countJobs, type JobFilters } from '../../api/jobs.ts';
import { queryText } from '../../api/request.ts';
import { useZone } from '../../app/preferences.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { FormProblem } from '../../components/field.tsx';
import { countOf } from '../../format/number.ts';

/** The list as a CSV file. It says first how many rows that is. */
export function ExportButton({ filters }: { filters: () => JobFilters }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Download} aria-label="Export as CSV" title="Export as CSV" onClick={() => setOpen(true)} />
      {isOpen && <ExportDialog filters={filters()} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ filters, onClose }: { filters: JobFilters; onClose: () => void }) {
  const zone = useZone();
  const count = useQuery({ queryKey: ['jobs', 'count', filters], queryFn: () => countJobs(filters), gcTime: 0 });
  const href = `${apiUrl('/api/jobs')}${queryText({ ...filters, format: 'csv', tz: zone })}`;
  return (
    <Dialog title="Export jobs as CSV" onClose={onClose}>
      <p aria-live="polite">
        {count.data === undefined
          ? 'Counting …'
          : `The file has ${countOf(count.data, 'row')}: all jobs that match the filters.`}
      </p>
      <p className="muted">Times are in the zone {zone}, with their offset. Amounts are exact.</p>
      <FormProblem error={count.error} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          icon={Download}
          disabled={!count.data}
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
