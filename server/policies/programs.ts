// Client programs that show users what they send: a message from one of them is marked read for its sender
// (docs/protocol/conventions.md#interactive-programs).
const interactiveSuffixes = ['android', 'ios', 'desktop', 'mobile', 'electron', 'terminal', 'flutter']
const interactiveNames = ['website', 'ios', 'android', 'snipe']

/** Whether the client program is a user interface. `brand`: the prefix of such programs' names. */
export function isInteractive(client: string, brand: string): boolean {
  const name = client.toLowerCase()
  if (interactiveNames.includes(name) || name.includes('desktop app')) return true
  return name.startsWith(brand) && interactiveSuffixes.includes(name.slice(brand.length).replace(/^[-_]/, ''))
}
