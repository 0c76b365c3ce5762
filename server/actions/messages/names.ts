import type { Ctx } from '../../ctx.js'
import { groupNamed } from '../../lookups/find-group.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users.js'
import { extraEmojiPicture } from '../../text/emoji.js'
import type { Names } from '../../text/names.js'

type Place = Pick<Ctx, 'directory' | 'config'>

// Channel references as server/text/channel-links.ts reads them: `#**channel**`, `#**channel>topic**`.
const channelReference = /#\*\*([^*>\n]+)/g

/** What an author may refer to. */
export interface Reach {
  /** Private channels to which the author is subscribed: a link to another one would reveal that a channel of that name exists. */
  readonly ownChannels: ReadonlySet<number>
  /** The users that the author may see; null: all. */
  readonly known: ReadonlySet<number> | null
}

/** The names that a message can refer to. */
export function namesFor(
  { directory, config: { wireBrand } }: Place,
  author: UserRow | null,
  { ownChannels, known }: Reach,
): Names {
  const isKnown = (user: UserRow): boolean => user.is_active && (known === null || known.has(user.id))
  return {
    userById(id) {
      const user = directory.users.get(id)
      return user && isKnown(user) ? { user_id: user.id, full_name: user.full_name } : undefined
    },
    usersByName: name =>
      directory
        .usersNamed(name)
        .filter(isKnown)
        .map(user => ({ user_id: user.id, full_name: user.full_name })),
    groupByName(name) {
      const group = groupNamed(directory, name)
      return group && !group.deactivated ? { id: group.id, name: group.name } : undefined
    },
    channelByName(name) {
      const channel = directory.channelNamed(name)
      if (!channel || (channel.invite_only && !ownChannels.has(channel.id))) return undefined
      return { stream_id: channel.id, name: channel.name }
    },
    customEmoji: name => (name === wireBrand ? { id: name, source_url: extraEmojiPicture(name) } : undefined),
    translatesEmoticons: author !== null && userSetting(author, 'translate_emoticons'),
    codeLanguage: realmSetting(directory, 'default_code_block_language'),
    linkifiers: directory.linkifiers.ready,
  }
}

/** Private channels that a text names: whether they become links depends on the author. */
export function privateChannelsNamed({ directory }: Place, content: string): number[] {
  const ids = new Set<number>()
  for (const [, name = ''] of content.matchAll(channelReference)) {
    const channel = directory.channelNamed(name)
    if (channel?.invite_only) ids.add(channel.id)
  }
  return [...ids]
}
