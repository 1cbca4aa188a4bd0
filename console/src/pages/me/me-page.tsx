export function MePage() {
  return <p>Account</p>;
}
