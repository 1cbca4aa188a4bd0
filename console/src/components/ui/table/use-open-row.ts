import { useNavigate, useSearch } from '@tanstack/react-router';

/** The row that is open beside its list, in the URL of the page. */
export function useOpenRow() {
  const { open } = useSearch({ from: '/layout' });
  const navigate = useNavigate();
  const setOpen = (id: string | undefined): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, open: id }), replace: true });
  return { open, close: () => setOpen(undefined), toggle: (id: string) => setOpen(id === open ? undefined : id) };
}
