import { useState } from 'react';
import { useSession } from '../../../../api/session.ts';
import type { JobListSearch } from '../../../../components/jobs/job-search.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { Dialog, DialogActions } from '../../../../components/ui/dialog.tsx';
import { TextField } from '../../../../components/ui/field.tsx';
import type { RangeSearch } from '../../../../url/time-range.ts';
import { SavedViews } from './saved-view-list.tsx';
import { maxNameLength, withView } from './saved-views.ts';
import { SharedViews } from './shared-views.tsx';
import { useViews } from './use-views.ts';
import { ViewLink } from './view-link.tsx';
import styles from './views.module.css';

interface ViewsDialogProps {
  list: JobListSearch & RangeSearch;
  onClose: () => void;
}

/** Lists of jobs under a name: those that everybody has, and those that were saved in this browser. */
export function ViewsDialog({ list, onClose }: ViewsDialogProps) {
  const isAdmin = useSession().kind === 'admin';
  const { saved, builtIn, url, current, change } = useViews(list);
  return (
    <Dialog title="Views" onClose={onClose}>
      <ul className={styles.views} aria-label="Views that everybody has">
        {builtIn.map((view) => (
          <li key={view.name}>
            <ViewLink view={view} isCurrent={view === current} onOpen={onClose} />
          </li>
        ))}
      </ul>
      {isAdmin && <SharedViews url={url} onOpen={onClose} />}
      <h3 className={styles.heading}>Saved in this browser</h3>
      <SavedViews saved={saved} current={current} onChange={change} onOpen={onClose} />
      <SaveView names={saved.map(({ name }) => name)} onSave={(name) => change(withView(saved, { name, url }))} />
    </Dialog>
  );
}

function SaveView({ names, onSave }: { names: readonly string[]; onSave: (name: string) => void }) {
  const [text, setText] = useState('');
  const name = text.trim();
  const isThere = names.includes(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name === '') return;
        onSave(name);
        setText('');
      }}
    >
      <TextField
        label="Name for what is shown now"
        hint={isThere ? 'There is a view of this name: it is replaced' : 'Its filters, its order and its time range'}
        maxLength={maxNameLength}
        value={text}
        onChange={setText}
      />
      <DialogActions>
        <Button type="submit" look="primary" disabled={name === ''}>
          {isThere ? 'Replace the view' : 'Save as a view'}
        </Button>
      </DialogActions>
    </form>
  );
}
