import { Fragment, useState } from 'react';
import { Dialog } from '../components/ui/dialog.tsx';
import { shortcutGroups } from '../shortcuts/known-shortcuts.ts';
import { activeShortcuts } from '../shortcuts/use-shortcuts.ts';
import styles from './shortcut-list.module.css';

/** The shortcuts of the page from which it was opened. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const [groups] = useState(() => shortcutGroups(activeShortcuts()));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {groups.map(({ group, keys }) => (
        <Fragment key={group}>
          <h3 className={styles.group}>{group}</h3>
          <dl className={styles.keys}>
            {keys.map(({ shown, does }) => (
              <Fragment key={does}>
                <dt>
                  {shown.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </Fragment>
            ))}
          </dl>
        </Fragment>
      ))}
    </Dialog>
  );
}
