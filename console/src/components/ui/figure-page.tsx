import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './detail-page.tsx';
import styles from './figure-page.module.css';
import { ProblemNote } from './problem-note.tsx';

interface FigurePageProps<Answer> {
  title: string;
  /** What is chosen: which figures, in which groups, and further filters. */
  controls: ReactNode;
  chips: ReactNode;
  query: UseQueryResult<Answer>;
  children: (answer: Answer) => ReactNode;
}

/** A page of figures that are chosen above them. While others are read, those of before are shown faintly. */
export function FigurePage<Answer>({ title, controls, chips, query, children }: FigurePageProps<Answer>) {
  const { data, error, refetch, isPlaceholderData } = query;
  return (
    <article className={styles.page}>
      <h1 className="visually-hidden">{title}</h1>
      <search className={styles.controls}>{controls}</search>
      {chips}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the figures" />}
      {data && !error && (
        <div className={styles.figures} aria-busy={isPlaceholderData}>
          {children(data)}
        </div>
      )}
    </article>
  );
}
