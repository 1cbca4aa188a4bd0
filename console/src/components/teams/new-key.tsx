import { Link } from '@tanstack/react-router';
import { wholeUrl } from '../../api/base.ts';
import { firstJobCurl } from '../../format/first-job-curl.ts';
import { Button } from '../ui/button.tsx';
import { CopyBlock } from '../ui/copy-block.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';

interface NewKeyProps {
  title: string;
  teamId: string;
  virtualKey: string;
  /** A model group that the team may use, for the example. */
  modelGroup?: string;
  onClose: () => void;
  children?: React.ReactNode;
}

/** A key that was just made. It is forgotten when the dialog closes. */
export const NewKey = ({ title, teamId, virtualKey, modelGroup, onClose, children }: NewKeyProps) => (
  <Dialog title={title} onClose={onClose} isForced>
    {children}
    <p>This is its key. Store it now: this page shows it only once.</p>
    <CopyBlock text={virtualKey} label="Copy the key" />
    {modelGroup ? (
      <>
        <p>A first job:</p>
        <CopyBlock
          text={firstJobCurl({ url: wholeUrl('/api/jobs/create-and-call'), teamId, key: virtualKey, modelGroup })}
          label="Copy the curl line"
        />
      </>
    ) : (
      <p className="muted">The team has no model group yet, so that it can make no calls.</p>
    )}
    <DialogActions>
      <Link to="/teams/$teamId" params={{ teamId }} onClick={onClose}>
        Open the team
      </Link>
      <Button look="primary" onClick={onClose}>
        I have stored the key
      </Button>
    </DialogActions>
  </Dialog>
);
