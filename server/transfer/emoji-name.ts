/** The name that a custom emoji has here, which is the same for each spelling of it at the source; '' if nothing is left of it. */
export const emojiNameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^0-9a-z_-]+/g, '_')
    .slice(0, 100)
    .replace(/[_-]+$/, '')
