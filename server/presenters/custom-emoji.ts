import type { CustomEmoji, CustomEmojiMap } from '../../shared/resources/custom-emoji.js'
import type { Directory } from '../memory/directory.js'
import type { CustomEmojiRow } from '../store/organization/custom-emoji.js'

/** Path below `/user_avatars/` of the still picture of an animated emoji. */
export const stillPath = (path: string): string => path.replace(/([^/]+)\.[a-z]+$/, 'still/$1.png')

/** An emoji on the wire. */
export const customEmojiObject = ({
  id,
  name,
  author_id,
  path,
  is_animated,
  deactivated,
}: CustomEmojiRow): CustomEmoji => ({
  id: String(id),
  name,
  source_url: `/user_avatars/${path}`,
  still_url: is_animated ? `/user_avatars/${stillPath(path)}` : null,
  deactivated,
  author_id,
})

/** `realm_emoji`: all emoji by id. */
export const customEmojiMapOf = ({ customEmoji }: Directory): CustomEmojiMap =>
  Object.fromEntries(customEmoji.all().map(row => [row.id, customEmojiObject(row)]))
