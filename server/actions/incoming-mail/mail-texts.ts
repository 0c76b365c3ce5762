import type { IncomingMail } from '../../job-types/incoming-mail.js'
import type { MailReply } from '../../store/incoming-mail/mail-addresses.js'
import { cleanName } from '../../text/clean-name.js'
import { truncate } from '../../text/content.js'
import { emailPattern } from '../accounts/account-details.js'

const withoutSubject = 'Email with no subject'

/** Where a reply goes. */
export const placeOf = ({ channel_id, topic, people }: MailReply): IncomingMail['to'] =>
  channel_id === null ? { people: [...people] } : { channel: channel_id, topic }

/** The topic that a subject names. */
export function topicOf(subject: string): string {
  const topic = cleanName(subject)
  return topic === '' || topic === '(no topic)' ? withoutSubject : topic
}

/** Says who wrote a mail. Its name has no characters of Markdown, so that it mentions no one. */
export function senderLine({ name, address }: { readonly name: string; readonly address: string }): string {
  const plainName = name.replace(/[^\p{L}\p{M}\p{N} .,'()-]/gu, '').trim()
  const plainAddress = emailPattern.test(address) && address.length <= 254 ? address : ''
  return `**From:** ${[truncate(plainName, 100, '…'), plainAddress && `<${plainAddress}>`].filter(Boolean).join(' ') || 'unknown'}\n`
}
