export function MePage() {
  return <h1>Account</h1>;
}
