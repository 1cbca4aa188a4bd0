import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Share2, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { deleteSharedView, saveSharedView, sharedViewsQuery, updateSharedView } from '../../../../api/views.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { FormProblem, TextField } from '../../../../components/ui/field.tsx';
import { useFocusReturn } from '../../../../components/ui/use-focus-return.ts';
import { maxNameLength, toStoredView } from './saved-views.ts';
import { ViewLink } from './view-link.tsx';
import styles from './views.module.css';

/** The views that every admin of the installation sees. What is shown now can be saved as one, or in place of one. */
export function SharedViews({ url, onOpen }: { url: string; onOpen: () => void }) {
  const cache = useQueryClient();
  const shared = useQuery(sharedViewsQuery);
  const views = (shared.data ?? []).filter(({ path }) => path === '/jobs');
  const [text, setText] = useState('');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const name = text.trim();
  const there = views.find((view) => view.name === name);
  const list = useRef<HTMLUListElement>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: sharedViewsQuery.queryKey });
  const save = useMutation({
    mutationFn: async () => {
      const view = { name, path: '/jobs', query: url };
      await (there ? updateSharedView(there.view_id, view) : saveSharedView(view, key));
      await refresh();
    },
    onSuccess: () => {
      setText('');
      setKey(crypto.randomUUID());
    },
  });
  const remove = useMutation({
    mutationFn: async (id: string) => {
      await deleteSharedView(id);
      await refresh();
    },
  });
  return (
    <>
      <h3 className={styles.heading}>Shared by all admins</h3>
      {shared.data && views.length === 0 && <p className="muted">None yet.</p>}
      <ul ref={list} className={styles.views} aria-label="Views that all admins share">
        {views.map((view) => (
          <li key={view.view_id} className={styles.row}>
            <ViewLink view={toStoredView(view)} isCurrent={view.query === url} onOpen={onOpen} />
            <DeleteView name={view.name} list={list} onDelete={() => remove.mutate(view.view_id)} />
          </li>
        ))}
      </ul>
      <FormProblem error={shared.error ?? remove.error ?? save.error} />
      <form
        className={styles.rename}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') save.mutate();
        }}
      >
        <TextField
          label="Name for all admins"
          hint={
            there ? 'There is a view of this name: it is replaced for everybody' : 'What is shown now, for everybody'
          }
          maxLength={maxNameLength}
          value={text}
          onChange={setText}
        />
        <Button type="submit" icon={Share2} disabled={name === '' || save.isPending}>
          {there ? 'Replace' : 'Share'}
        </Button>
      </form>
    </>
  );
}

interface DeleteViewProps {
  name: string;
  list: React.RefObject<HTMLUListElement | null>;
  onDelete: () => void;
}

/** Asks by a second press: others lose the view too. */
function DeleteView({ name, list, onDelete }: DeleteViewProps) {
  const [isAsked, setAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useFocusReturn(button, () => list.current?.querySelector<HTMLElement>('a'));
  return (
    <Button
      ref={button}
      look={isAsked ? 'danger' : 'quiet'}
      icon={Trash2}
      aria-label={isAsked ? `Delete ${name} for everybody` : `Delete ${name}`}
      title={isAsked ? 'Delete for everybody' : 'Delete'}
      onBlur={() => setAsked(false)}
      onClick={() => (isAsked ? onDelete() : setAsked(true))}
    >
      {isAsked ? 'Delete for everybody' : undefined}
    </Button>
  );
}
