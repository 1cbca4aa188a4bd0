import { Pencil, Trash2, Undo2 } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button.tsx';
import { TextField } from '../../../../components/ui/field.tsx';
import { useFocusReturn } from '../../../../components/ui/use-focus-return.ts';
import { maxNameLength, renamed, type SavedView, withoutView, withView } from './saved-views.ts';
import { ViewLink } from './view-link.tsx';
import styles from './views.module.css';

interface SavedViewsProps {
  saved: readonly SavedView[];
  current: SavedView | undefined;
  onChange: (views: SavedView[]) => void;
  onOpen: () => void;
}

/** The saved views: each can be renamed and deleted, and a deleted one can be restored until the dialog is closed. */
export function SavedViews({ saved, current, onChange, onOpen }: SavedViewsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [edited, setEdited] = useState<string>();
  const [deleted, setDeleted] = useState<SavedView>();
  return (
    <>
      {saved.length === 0 && !deleted && <p className="muted">None yet.</p>}
      <ul ref={list} className={styles.views} aria-label="Views that are saved in this browser">
        {saved.map((view) => (
          <li key={view.name} className={styles.row}>
            {edited === view.name ? (
              <Rename
                view={view}
                list={list}
                onRename={(name) => {
                  onChange(renamed(saved, view.name, name));
                  setEdited(undefined);
                }}
              />
            ) : (
              <>
                <ViewLink view={view} isCurrent={view === current} onOpen={onOpen} />
                <Button
                  look="quiet"
                  icon={Pencil}
                  aria-label={`Rename ${view.name}`}
                  title="Rename"
                  onClick={() => setEdited(view.name)}
                />
                <Button
                  look="quiet"
                  icon={Trash2}
                  aria-label={`Delete ${view.name}`}
                  title="Delete"
                  onClick={() => {
                    onChange(withoutView(saved, view.name));
                    setDeleted(view);
                  }}
                />
              </>
            )}
          </li>
        ))}
      </ul>
      {deleted && (
        <Deleted
          key={deleted.name}
          view={deleted}
          list={list}
          onRestore={() => {
            onChange(withView(saved, deleted));
            setDeleted(undefined);
          }}
        />
      )}
    </>
  );
}

interface InListProps {
  view: SavedView;
  list: RefObject<HTMLUListElement | null>;
}

/** Finds the button of this view, to which the focus goes from what disappears. */
const findButton = (list: RefObject<HTMLUListElement | null>, name: string) =>
  list.current?.querySelector<HTMLElement>(`[aria-label="${CSS.escape(`Rename ${name}`)}"]`);

/** The button that restores a view takes the focus from the view that is gone. */
function Deleted({ view, list, onRestore }: InListProps & { onRestore: () => void }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useFocusReturn(sentence, () => findButton(list, view.name));
  return (
    <p ref={sentence} className={styles.deleted} role="status">
      Deleted {view.name}
      <Button look="quiet" icon={Undo2} autoFocus onClick={onRestore}>
        Restore
      </Button>
    </p>
  );
}

function Rename({ view, list, onRename }: InListProps & { onRename: (name: string) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(view.name);
  useFocusReturn(form, () => findButton(list, text.trim()));
  return (
    <form
      ref={form}
      className={styles.rename}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onRename(text.trim());
      }}
    >
      <TextField label="New name" value={text} onChange={setText} maxLength={maxNameLength} autoFocus />
      <Button type="submit" disabled={text.trim() === ''}>
        Rename
      </Button>
    </form>
  );
}
