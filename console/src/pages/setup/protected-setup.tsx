import { wholeUrl } from '../../api/base.ts';
import styles from '../../components/sessions/sign-in.module.css';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { curlLine } from '../../format/curl.ts';

const ownerLine = (): string =>
  curlLine({
    url: wholeUrl('/api/admin-users/setup'),
    keyName: 'MASTER_KEY',
    body: { email: 'YOU@EXAMPLE.COM', display_name: 'YOUR NAME', password: 'A PASSWORD' },
  });

/** The platform key is not typed into a browser: who has it creates the owner from a shell. */
export const SetupByKey = () => (
  <div className={styles.steps}>
    <p>
      There is no owner yet. Because of the setting <code>SETUP=master-key</code>, only who has the platform key can
      create it: run this in a shell where <code>MASTER_KEY</code> is that of the service, with your own e-mail, name
      and password.
    </p>
    <CopyBlock text={ownerLine()} label="Copy the curl line" />
    <p>
      {/* A new load of the page: the old one has read that there is no owner. */}
      Then <a href="login">sign in</a> with this e-mail and password. Do not enter the platform key in a browser.
    </p>
  </div>
);

/** Who manages the installation with the platform key alone needs no owner. */
export const SetupIsOff = () => (
  <p>
    There is no owner, and the setting <code>SETUP=off</code> lets nobody create one: this installation is managed with
    the platform key. To use the console as an admin, its operator sets <code>SETUP=master-key</code> in the environment
    of the api, starts it again, and loads this page.
  </p>
);
