// Programs in which a person sees what it sends: what they send is read by its sender
// (docs/protocol/conventions.md#interactive-programs).
const suffixes = ['android', 'ios', 'desktop', 'mobile', 'electron', 'terminal', 'flutter']
const names = ['website', 'ios', 'android', 'snipe']

/** Whether the calling program is a user interface. `brand`: the word that such programs' names begin with. */
export function isInteractive(client: string, brand: string): boolean {
  const name = client.toLowerCase()
  if (names.includes(name) || name.includes('desktop app')) return true
  return name.startsWith(brand) && suffixes.includes(name.slice(brand.length).replace(/^[-_]/, ''))
}
