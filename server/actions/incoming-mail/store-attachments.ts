import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'
import { truncate } from '../../text/content.js'
import type { ReadAttachment } from '../../text/mail/read-mail.js'
import { plainMarkdown } from '../../text/quote.js'
import { storeBytes } from '../files/store-upload.js'

const most = 20
// Links beyond it would leave too little of the message.
const mostCharacters = 5_000

/**
 * Stores the attachments of a mail as files of the sender. Returns their links, as the end of a message; a file that is refused, for example because it is too
 * large, is named with the reason.
 * @throws {StorageFailure} and other failures that a later attempt may not meet
 */
export async function storeAttachments(
  ctx: Ctx,
  sender: UserRow,
  attachments: readonly ReadAttachment[],
): Promise<string> {
  const lines: string[] = []
  let characters = 0
  for (const one of attachments.slice(0, most)) {
    if (characters > mostCharacters) break
    const line = await lineOf(ctx, sender, one)
    characters += line.length
    lines.push(line)
  }
  const left = attachments.length - lines.length
  if (left > 0) lines.push(`(${left} more files were left out.)`)
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`
}

async function lineOf(ctx: Ctx, user: UserRow, { name, type, bytes }: ReadAttachment): Promise<string> {
  try {
    const stored = await storeBytes(ctx, { user, client: 'Internal' }, { name, type, bytes })
    return `[${stored.name.replace(/[[\]\\`*]/g, '_')}](/user_uploads/${stored.path_id})`
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return `${plainMarkdown(truncate(name, 100, '…') || 'attachment')}: ${error.message}`
  }
}
