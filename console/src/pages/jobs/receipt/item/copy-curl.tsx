import { SquareTerminal } from 'lucide-react';
import { wholeUrl } from '../../../../api/base.ts';
import { useSession } from '../../../../api/session.ts';
import type { CallWithPayload } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { copyText } from '../../../../components/ui/id.tsx';
import { addToast } from '../../../../components/ui/toast-queue.ts';
import { curlLine } from '../../../../format/curl.ts';

const copy = (line: string, does: string) => {
  void copyText(line);
  addToast(`Copied a curl line that ${does}`);
};

/** A request that reads what is shown, with the name of a variable in place of the key. */
export function CopyCurl({ path, does }: { path: string; does: string }) {
  const keyName = useSession().kind === 'team' ? 'VIRTUAL_KEY' : 'API_KEY';
  return (
    <Button
      icon={SquareTerminal}
      aria-label="Copy as curl"
      title={`Copy a curl line that ${does}`}
      onClick={() => copy(curlLine({ url: wholeUrl(path), keyName }), does)}
    />
  );
}

/** Makes the call again as a job of its own, which is charged. It needs the key of a team. */
export const CopyRepetition = ({ call }: { call: CallWithPayload }) => (
  <Button icon={SquareTerminal} onClick={() => copy(toRepetition(call), 'makes this call again, as a job of its own')}>
    Copy as curl that makes the call again
  </Button>
);

const toRepetition = ({ requested_model, request }: CallWithPayload): string =>
  curlLine({
    url: wholeUrl('/v1/chat/completions'),
    keyName: 'VIRTUAL_KEY',
    body: { model: requested_model, ...(request as object) },
  });
