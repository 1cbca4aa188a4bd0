import { Fragment } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { keyList } from '../keys/list.ts';
import styles from './key-sheet.module.css';

export const KeySheet = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    {keyList.map(({ group, keys }) => (
      <Fragment key={group}>
        <h3 className={styles.group}>{group}</h3>
        <dl className={styles.keys}>
          {keys.map(({ keys, does }) => (
            <Fragment key={does}>
              <dt>
                {keys.map((key) => (
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
