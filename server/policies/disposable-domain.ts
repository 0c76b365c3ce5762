import { createRequire } from 'node:module'

// Loaded at the first use, in about 40 ms: the list takes 6 MB, and most organizations do not use it.
const load = (): ReadonlySet<string> => createRequire(import.meta.url)('mailchecker').blacklist()

/** Whether mails to a domain, in lower case, go to a service whose mailboxes anyone can read or that forgets them, by a public list. */
export function isDisposableDomain(domain: string): boolean {
  const known = load()
  const labels = domain.split('.')
  return labels.some((_, i) => known.has(labels.slice(i).join('.')))
}
