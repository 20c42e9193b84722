export function NewServer() {
  return null;
}
