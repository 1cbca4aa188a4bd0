import type { ReactNode } from 'react';
import styles from './detail-page.module.css';

interface DetailPageProps {
  /** What kind of thing it is, and its state. */
  kind: ReactNode;
  title: ReactNode;
  /** Its id, where the title is another one. */
  id?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page about one thing: its name and what can be done with it, then its figures and parts. */
export const DetailPage = ({ kind, title, id, actions, children }: DetailPageProps) => (
  <article className={styles.page}>
    <header className={styles.head}>
      <div className={styles.title}>
        <p className={styles.kind}>{kind}</p>
        <h1>{title}</h1>
        {id && <p className={styles.id}>{id}</p>}
      </div>
      <div className={styles.actions} data-page-actions>
        {actions}
      </div>
    </header>
    {children}
  </article>
);

/** A part of a page with its heading. */
export const Section = ({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <header className={styles.sectionHead}>
      <h2>{title}</h2>
      {aside && (
        <div className={styles.actions} data-page-actions>
          {aside}
        </div>
      )}
    </header>
    {children}
  </section>
);

/** Puts the parts of a tab below each other. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={styles.stack}>{children}</div>;

/** Puts parts beside each other where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => <div className={styles.columns}>{children}</div>;

/** A sentence in place of rows, in a part of a page. */
export const None = ({ children }: { children: ReactNode }) => <p className={styles.none}>{children}</p>;

export const Loading = ({ what }: { what: string }) => <p className={styles.loading}>Loading {what} …</p>;
