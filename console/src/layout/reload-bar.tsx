import { Button } from '../components/ui/button.tsx';
import { useNewVersion } from '../live/live.ts';
import styles from './reload-bar.module.css';

/** Shows that the service has a new version. The page never reloads by itself: a form may be open. */
export function ReloadBar() {
  const version = useNewVersion();
  if (!version) return null;
  return (
    <div className={styles.bar} role="status">
      <p>
        The service is now version {version}; this page is of {__VERSION__}.
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </div>
  );
}
