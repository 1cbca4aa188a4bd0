import { useNavigate } from '@tanstack/react-router';
import { LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { nameOf, signOut, useSession } from '../api/session.ts';
import { changePreferences, usePreferences } from '../app/preferences.ts';
import { queryClient } from '../app/query-client.ts';
import { Menu, MenuItem } from '../components/menu.tsx';
import styles from './account-menu.module.css';

const themes = [
  { theme: 'system', label: 'Theme of the system', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const;

/** Who is signed in, the theme, and the way out. */
export function AccountMenu() {
  const session = useSession();
  const navigate = useNavigate();
  const { theme } = usePreferences();
  const leave = async () => {
    await signOut().catch(() => undefined);
    queryClient.clear();
    await navigate({ to: '/login' });
  };
  const trigger = (
    <button type="button" className={styles.trigger} title="Account and theme">
      <UserRound size={16} aria-hidden />
      <span className={styles.who}>
        <span className={styles.name}>{nameOf(session)}</span>
        <span className="muted">{session.role ?? session.kind}</span>
      </span>
    </button>
  );
  return (
    <Menu trigger={trigger}>
      {themes
        .filter((one) => one.theme !== theme)
        .map(({ theme, label, icon }) => (
          <MenuItem key={theme} icon={icon} onClick={() => changePreferences({ theme })}>
            {label}
          </MenuItem>
        ))}
      <MenuItem icon={UserRound} onClick={() => void navigate({ to: '/me' })}>
        Your account
      </MenuItem>
      <MenuItem icon={LogOut} onClick={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
