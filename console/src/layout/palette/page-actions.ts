/** What can be done on the page: the buttons of its parts, by their words. What is not possible now is left out. */
export function pageActions(): { label: string; run: () => void }[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>('main [data-page-actions] button');
  return [...buttons]
    .filter((button) => !button.disabled && button.ariaDisabled !== 'true' && button.checkVisibility())
    .map((button) => ({ label: button.ariaLabel ?? button.textContent.trim(), run: () => button.click() }))
    .filter(({ label }) => label !== '');
}
