import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/ui/button.tsx';
import { Dialog, DialogActions } from '../components/ui/dialog.tsx';
import { TextField } from '../components/ui/field.tsx';
import { inputToIso, isoToInput } from '../format/zoned-input.ts';
import { useZone } from '../preferences/preferences.ts';

interface RangeDialogProps {
  from?: string;
  to?: string;
  onClose: () => void;
}

/** A fixed range, entered in the chosen zone. */
export function RangeDialog({ from, to, onClose }: RangeDialogProps) {
  const zone = useZone();
  const navigate = useNavigate();
  const [start, setStart] = useState(from ? isoToInput(from, zone) : '');
  const [end, setEnd] = useState(to ? isoToInput(to, zone) : '');
  const isReversed = start !== '' && end !== '' && start >= end;
  const apply = () => {
    const fixed = { from: start && inputToIso(start, zone), to: end && inputToIso(end, zone) };
    void navigate({
      to: '.',
      search: (before) => ({ ...before, range: undefined, from: fixed.from || undefined, to: fixed.to || undefined }),
    });
    onClose();
  };
  return (
    <Dialog title="Time range" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReversed) apply();
        }}
      >
        <TextField label="From" type="datetime-local" value={start} onChange={setStart} hint={`In the zone ${zone}`} />
        <TextField
          label="To"
          type="datetime-local"
          value={end}
          onChange={setEnd}
          hint="Empty: up to now"
          problem={isReversed ? 'The end is before the start' : undefined}
        />
        <DialogActions>
          <Button onClick={onClose}>Keep as it is</Button>
          <Button type="submit" look="primary" disabled={isReversed}>
            Apply
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
