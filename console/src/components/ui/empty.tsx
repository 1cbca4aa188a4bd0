import { Link } from '@tanstack/react-router';
import { Lock, Rows3, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { NoteBox } from './note-box.tsx';

/** There is nothing, whatever the filters: how to make the first one. */
export const NothingYet = ({ what, children }: { what: string; children?: ReactNode }) => (
  <NoteBox icon={Rows3} title={`No ${what} yet`}>
    {children}
  </NoteBox>
);

/** The filters leave nothing: which of them to drop. */
export const NothingMatches = ({ what, children }: { what: string; children?: ReactNode }) => (
  <NoteBox icon={SearchX} title={`No ${what} match`}>
    {children}
  </NoteBox>
);

/** A page that the session may not see: who can. */
export const NotAllowed = ({ what, who }: { what: string; who: string }) => (
  <NoteBox icon={Lock} title={`You cannot see ${what}`} isPage>
    <p className="muted">{who} can.</p>
    <p>
      <Link to="/">Back to the start</Link>
    </p>
  </NoteBox>
);
