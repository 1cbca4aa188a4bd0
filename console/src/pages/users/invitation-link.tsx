import { Copy } from 'lucide-react';
import { wholeUrl } from '../../api/base.ts';
import type { InvitationWithLink } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { CopyBlock } from '../../components/ui/copy-block.tsx';
import { Dialog, DialogActions } from '../../components/ui/dialog.tsx';
import { copyText } from '../../components/ui/id.tsx';
import { Time } from '../../components/ui/time.tsx';
import { addToast } from '../../components/ui/toast-queue.ts';

interface InvitationLinkProps {
  invitation: InvitationWithLink;
  onClose: () => void;
}

/** The link of an invitation that was just made. It is forgotten when the dialog closes. */
export function InvitationLink({ invitation: { email, path, expires_at }, onClose }: InvitationLinkProps) {
  const link = wholeUrl(path);
  return (
    <Dialog title={`Invitation of ${email}`} isForced isWide onClose={onClose}>
      <p>
        Send this link to {email}. It works once, until <Time at={expires_at} />, and this page shows it only now.
      </p>
      <CopyBlock text={link} label="Copy the link" />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="primary"
          icon={Copy}
          onClick={() => {
            void copyText(link);
            addToast('Copied');
            onClose();
          }}
        >
          Copy and close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
