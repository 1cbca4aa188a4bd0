import { Bookmark } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { JobListSearch } from '../../../../components/jobs/job-search.ts';
import { Button } from '../../../../components/ui/button.tsx';
import type { RangeSearch } from '../../../../url/time-range.ts';
import { useViews } from './use-views.ts';

const ViewsDialog = lazy(() => import('./views-dialog.tsx').then(({ ViewsDialog }) => ({ default: ViewsDialog })));

/** The name of the view that is shown, or what leads to all of them. */
export function ViewsButton({ list }: { list: JobListSearch & RangeSearch }) {
  const [isOpen, setOpen] = useState(false);
  const { current } = useViews(list);
  return (
    <>
      <Button icon={Bookmark} onClick={() => setOpen(true)}>
        {current ? `View: ${current.name}` : 'Views'}
      </Button>
      <Suspense>{isOpen && <ViewsDialog list={list} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
