import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { Problem } from '../../api/problem.ts';
import { NoteBox } from './note-box.tsx';
import { ProblemNote } from './problem-note.tsx';

/** Stands for a page of figures that could not be read. */
export const FiguresProblem = ({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) => (
  <>
    <h1 className="visually-hidden">{title}</h1>
    <ProblemNote error={error} onRetry={onRetry} />
  </>
);

interface PageProblemProps {
  error: Error;
  onRetry: () => void;
  /** What the page is about: `job`. */
  noun: string;
  id: string;
  list: '/jobs' | '/teams' | '/organizations' | '/webhooks';
}

/** Stands for a page about one thing that could not be read. Where the thing does not exist it links to the list instead of a retry. */
export function PageProblem({ error, onRetry, noun, id, list }: PageProblemProps) {
  if (!(error instanceof Problem && error.isNotFound))
    return (
      <>
        <h1 className="visually-hidden">The {noun} could not be read</h1>
        <ProblemNote error={error} onRetry={onRetry} />
      </>
    );
  return (
    <NoteBox icon={SearchX} title={`There is no such ${noun}`} isPage>
      <p className="muted">
        None that you may see has the id <span className="mono">{id}</span>.
      </p>
      <p>
        <Link to={list}>All {noun}s</Link>
      </p>
    </NoteBox>
  );
}
