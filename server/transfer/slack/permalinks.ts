import type { Loose } from '../loose.js'

const permalink = /https:\/\/[\w.-]{1,100}\.slack\.com\/archives\/(\w{1,30})\/p(\d{10})(\d{6})/

/** The key of the message to which an address leads. */
export function keyOfPermalink(address: string): string | undefined {
  const [, place, seconds, fraction] = permalink.exec(address) ?? []
  return place === undefined ? undefined : `${place} ${seconds}.${fraction}`
}

// More links are left as they are.
const most = 50

/** Keys of the messages to which a message has links. */
export function messagesIn({ text, blocks, attachments }: Loose): string[] {
  const whole = JSON.stringify([text, blocks, attachments])
  if (!whole.includes('.slack.com/archives/')) return []
  const found = [...whole.matchAll(new RegExp(permalink, 'g'))].slice(0, most)
  return [...new Set(found.flatMap(([address]) => keyOfPermalink(address) ?? []))]
}
