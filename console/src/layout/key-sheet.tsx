import { Fragment, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { activeKeys } from '../keys/keys.ts';
import { keySheet } from '../keys/list.ts';
import styles from './key-sheet.module.css';

/** The keys of the page from which it was opened. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const [groups] = useState(() => keySheet(activeKeys()));
  return (
    <Dialog title="Keys" onClose={onClose}>
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
