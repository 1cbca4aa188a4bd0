import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { NoteBox } from '../../components/ui/note-box.tsx';

export const NotFoundPage = () => (
  <NoteBox icon={SearchX} title="There is no such page" isPage>
    <p className="muted">The address may be incomplete, or of another version of the console.</p>
    <p>
      <Link to="/">Back to the start</Link>
    </p>
  </NoteBox>
);
