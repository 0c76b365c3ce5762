import type { Ctx } from '../../ctx.js'
import { groupNamed } from '../../lookups/find-group.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users.js'
import { cleanName } from '../../text/clean-name.js'
import { extraEmojiPicture } from '../../text/emoji.js'
import type { Names } from '../../text/names.js'

/** What the names of an organization come from. */
export type Place = Pick<Ctx, 'directory' | 'config' | 'publicUrl'>

// Channel references as server/text/channel-links.ts reads them: `#**channel**`, `#**channel>topic**`.
const channelReference = /#\*\*([^*>\n]+)/g

const systemGroupNames: Readonly<Record<string, string>> = {
  'role:owners': 'Owners',
  'role:administrators': 'Administrators',
  'role:moderators': 'Moderators',
  'role:fullmembers': 'Full members',
  'role:members': 'Members',
  'role:everyone': 'Everyone',
  'role:internet': 'Everyone on the internet',
  'role:nobody': 'Nobody',
}

/** What an author may refer to. */
export interface Reach {
  /** Private channels to which the author is subscribed: a link to another one would reveal that a channel of that name exists. */
  readonly ownChannels: ReadonlySet<number>
  /** The users that the author may see; null: all. */
  readonly known: ReadonlySet<number> | null
}

/** The names that a message can refer to. */
export function namesFor(
  { directory, publicUrl, config: { wireBrand } }: Place,
  author: UserRow | null,
  { ownChannels, known }: Reach,
): Names {
  const isKnown = (user: UserRow): boolean => known === null || known.has(user.id)
  const named = ({ id, full_name, is_active }: UserRow) => ({ user_id: id, full_name, is_active })
  return {
    origin: new URL(publicUrl).origin,
    userById(id) {
      const user = directory.users.get(id)
      return user && isKnown(user) ? named(user) : undefined
    },
    usersByName: name => directory.usersNamed(name).filter(isKnown).map(named),
    groupByName(name) {
      const group = groupNamed(directory, name)
      if (!group) return undefined
      const display_name = group.is_system_group ? (systemGroupNames[group.name] ?? group.name) : group.name
      return { id: group.id, display_name, is_active: !group.deactivated }
    },
    channelByName(name) {
      const channel = directory.channelNamed(name)
      if (!channel || ![name, cleanName(name)].includes(channel.name)) return undefined
      if (channel.invite_only && !ownChannels.has(channel.id)) return undefined
      return { stream_id: channel.id, name: channel.name }
    },
    customEmoji: name => (name === wireBrand ? { id: name, source_url: extraEmojiPicture(name) } : undefined),
    newestInTopic: () => undefined,
    emptyTopicName: realmSetting(directory, 'empty_topic_display_name'),
    translatesEmoticons: author !== null && userSetting(author, 'translate_emoticons'),
    codeLanguage: realmSetting(directory, 'default_code_block_language'),
    linkifiers: directory.linkifiers.ready,
  }
}

/** Private channels that a text names: whether they become links depends on the author. */
export function privateChannelsNamed({ directory }: Pick<Place, 'directory'>, content: string): number[] {
  const ids = new Set<number>()
  for (const [, name = ''] of content.matchAll(channelReference)) {
    const channel = directory.channelNamed(name)
    if (channel?.invite_only) ids.add(channel.id)
  }
  return [...ids]
}
