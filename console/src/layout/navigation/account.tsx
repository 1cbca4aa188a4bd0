import { useNavigate } from '@tanstack/react-router';
import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { queryClient } from '../../api/query-client.ts';
import { nameOf, signOut, useSession } from '../../api/session.ts';
import { Button } from '../../components/ui/button.tsx';
import { changePreferences, usePreferences } from '../../preferences/preferences.ts';
import styles from './sidebar.module.css';

const themes = {
  system: { icon: Monitor, label: 'Theme: as the system', next: 'light' },
  light: { icon: Sun, label: 'Theme: light', next: 'dark' },
  dark: { icon: Moon, label: 'Theme: dark', next: 'system' },
} as const;

/** Who is signed in, the theme, and the way out. */
export function Account() {
  const session = useSession();
  const navigate = useNavigate();
  const { theme } = usePreferences();
  const { icon, label, next } = themes[theme];
  const leave = async () => {
    await signOut().catch(() => undefined);
    queryClient.clear();
    await navigate({ to: '/login' });
  };
  return (
    <div className={styles.account}>
      <p className={styles.who}>
        <strong>{nameOf(session)}</strong>
        <span className="muted">{session.role ?? session.kind}</span>
      </p>
      <div className={styles.buttons}>
        <Button
          look="quiet"
          icon={icon}
          aria-label={label}
          title={label}
          onClick={() => changePreferences({ theme: next })}
        />
        {/* The view of a team is left by its bar. */}
        {!session.viewer && (
          <Button look="quiet" icon={LogOut} aria-label="Sign out" title="Sign out" onClick={() => void leave()} />
        )}
      </div>
    </div>
  );
}
