import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { endView } from '../../api/team-views.ts';
import { Button } from '../../components/ui/button.tsx';
import { Time } from '../../components/ui/time.tsx';
import { leaveView } from './leave-view.ts';
import { usePollingPage } from './use-polling-page.ts';
import styles from './view.module.css';

/** Shows, in a view of a team, that it is one, and the way out of it. */
export function ViewBar() {
  const { viewer, team, expires_at } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  usePollingPage();
  if (!viewer || !team) return null;
  const leave = async () => {
    setLeaving(true);
    await endView(team.team_id).catch(() => undefined);
    leaveView(team.team_id);
  };
  return (
    <section className={styles.bar} aria-label="View of a team">
      <p>
        {viewer.display_name}, you see the console as the team <strong>{team.team_alias ?? team.team_id}</strong> does,
        without its actions, until <Time at={expires_at} />.
      </p>
      <Button icon={LogOut} disabled={isLeaving} onClick={() => void leave()}>
        Leave the view
      </Button>
    </section>
  );
}
