export function TeamPage() {
  return <p>Team</p>;
}
