/** How a message refers to what the archive names by ids: each as Markdown. */
export interface SlackNames {
  /** `label`: the name at that time; '' without one. */
  user(id: string, label: string): string
  channel(id: string, label: string): string
  /** A group of users, which is a text here. */
  group(id: string, label: string): string
  /** The character of an emoji, or `:name:` of a custom one. */
  emoji(name: string): string
  /** The address that the message has here: permalinks lead to the new place. */
  address(url: string): string
  /** A mention of all subscribers. */
  all: string
}

export function broadcastText(range: string, { all }: SlackNames): string {
  return range === 'channel' || range === 'everyone' ? all : `@${range}`
}

/** A link, as short as it may be. */
export function linkText(names: SlackNames, url: string, label: string): string {
  const address = names.address(url)
  const text = label.replaceAll('\n', ' ').trim()
  if (text === '' || text === url) return address
  // Brackets would end the label.
  return `[${text.replace(/[[\]]/g, mark => (mark === '[' ? '(' : ')'))}](${address})`
}
