import type { Ctx } from '../../ctx.js'
import { isExternalAddress } from '../../external/external-hosts.js'
import { signedAddress } from '../../external/signed-address.js'
import { groupNamed } from '../../lookups/find-group.js'
import { realmSetting, userSetting } from '../../policies/settings.js'
import { customEmojiObject } from '../../presenters/custom-emoji.js'
import type { UserRow } from '../../store/users/users.js'
import { cleanName } from '../../text/clean-name.js'
import { extraEmojiPicture } from '../../text/emoji.js'
import { type Names, onlyOne } from '../../text/names.js'
import type { UploadedFile } from '../../text/uploaded-files.js'
import type { ChannelReferences } from './channel-references.js'

/** What the names of an organization come from. */
export type Place = Pick<Ctx, 'directory' | 'config' | 'publicUrl' | 'external'>

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
interface Reach {
  readonly channels: ChannelReferences
  /** Uploaded files that the author may read, by their paths. */
  readonly files: ReadonlyMap<string, UploadedFile>
  /** The users that the author may see; null: all. */
  readonly known: ReadonlySet<number> | null
}

const isOfOtherHost = (url: string, origin: string): boolean => isExternalAddress(url) && new URL(url).origin !== origin

/** The names that a message can refer to. */
export function namesFor(
  { directory, publicUrl, external, config: { wireBrand } }: Place,
  author: UserRow | null,
  { channels, files, known }: Reach,
): Names {
  const isKnown = (user: UserRow): boolean => known === null || known.has(user.id)
  const named = ({ id, full_name, is_active }: UserRow) => ({ user_id: id, full_name, is_active })
  const { origin } = new URL(publicUrl)
  return {
    origin,
    userById(id) {
      const user = directory.users.get(id)
      return user && isKnown(user) ? named(user) : undefined
    },
    userByName(name) {
      const user = onlyOne(directory.usersNamed(name).filter(isKnown))
      return user && named(user)
    },
    groupByName(name) {
      const group = groupNamed(directory, name)
      if (!group) return undefined
      const display_name = group.is_system_group ? (systemGroupNames[group.name] ?? group.name) : group.name
      return { id: group.id, display_name, is_active: !group.deactivated }
    },
    channelByName(name) {
      const channel = directory.channelNamed(name)
      if (!channel || ![name, cleanName(name)].includes(channel.name)) return undefined
      if (!channels.isReadable(channel)) return undefined
      return { stream_id: channel.id, name: channel.name }
    },
    customEmoji(name) {
      const custom = directory.customEmoji.active(name)
      if (custom) return customEmojiObject(custom)
      return name === wireBrand ? { id: name, source_url: extraEmojiPicture(name) } : undefined
    },
    uploadedFile: path => files.get(path),
    external: url =>
      external && isOfOtherHost(url, origin) ? signedAddress(directory.organization.secret, url) : undefined,
    website: () => undefined,
    showsPreviews: realmSetting(directory, 'inline_image_preview'),
    // Bots post many links, and know themselves what is behind them.
    showsWebsites: external !== null && author?.is_bot === false && realmSetting(directory, 'inline_url_embed_preview'),
    newestInTopic: channels.newestInTopic,
    emptyTopicName: realmSetting(directory, 'empty_topic_display_name'),
    translatesEmoticons: author !== null && userSetting(author, 'translate_emoticons'),
    codeLanguage: realmSetting(directory, 'default_code_block_language'),
    linkifiers: directory.linkifiers.ready,
  }
}
