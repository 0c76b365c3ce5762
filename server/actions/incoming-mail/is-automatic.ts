import type { Directory } from '../../memory/directory.js'
import type { ReadMail } from '../../text/mail/read-mail.js'

// A mail that passes from server to server without end has more (RFC 5321, 6.3: at least 100 may be allowed).
const mostHops = 100

/**
 * Whether a mail must not become a message, because a program wrote it. Such a mail in a conversation would be a notice of absence that answers a notification. A
 * channel also takes what programs report, but neither automatic answers nor mails of this server, which would come back without end.
 */
export function isAutomatic(
  mail: Pick<ReadMail, 'headers' | 'hops' | 'messageId'>,
  purpose: 'reply' | 'channel',
  own: { readonly organization: Pick<Directory['organization'], 'uuid'>; readonly host: string },
): boolean {
  const { headers } = mail
  const submitted = /^[\w-]+/.exec(headers['auto-submitted'].trim().toLowerCase())?.[0] ?? ''
  const isOwn = mail.messageId.includes(own.organization.uuid) || headers['list-id'].includes(`${own.host}>`)
  const answers = submitted === 'auto-replied' || headers['x-autoreply'] !== '' || headers['x-autorespond'] !== ''
  if (isOwn || answers || mail.hops > mostHops) return true
  const isOfList = /^(?:bulk|junk|list)$/i.test(headers.precedence.trim()) || headers['list-id'] !== ''
  return purpose === 'reply' && ((submitted !== '' && submitted !== 'no') || isOfList)
}
