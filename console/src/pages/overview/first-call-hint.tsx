import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { getJobs } from '../../api/jobs.ts';
import { NoteBox } from '../../components/ui/note-box.tsx';
import { Permission } from '../../components/ui/permission.tsx';

/** Leads to the page of the first call, while there is no job of any time. */
export const FirstCallHint = () => (
  <Permission needs="teams:write">
    <Hint />
  </Permission>
);

function Hint() {
  const { data } = useQuery({
    queryKey: ['overview', 'any-job'],
    queryFn: ({ signal }) => getJobs({}, '', signal, 1),
  });
  if (!data || data.jobs.length > 0) return null;
  return (
    <NoteBox icon={Rocket} title="No call was made yet">
      <p>
        <Link to="/first-call">Make the first call</Link>
      </p>
    </NoteBox>
  );
}
