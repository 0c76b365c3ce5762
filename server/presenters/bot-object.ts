import type { RealmBotObject } from '../../shared/resources/realm-bot.js'
import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { apiEmail } from './addresses.js'
import { avatarUrl } from './avatars.js'

/** The addresses of this server. */
export interface ServerAddresses {
  readonly publicUrl: string
  readonly realmHost: string
}

/** The names of the channels to which the bot writes, and whose messages it receives, where nothing else is said. */
export const defaultChannels = ({ channels }: Pick<Directory, 'channels'>, bot: UserRow) => ({
  default_sending_stream: channels.get(bot.default_sending_stream_id ?? -1)?.name ?? null,
  default_events_register_stream: channels.get(bot.default_events_register_stream_id ?? -1)?.name ?? null,
})

export const servicesOf = ({ service }: UserRow): RealmBotObject['services'] => (service ? [service] : [])

/** The fields of a bot for viewers who may configure it. */
export function botObject(
  directory: Directory,
  bot: UserRow,
  { publicUrl, realmHost }: ServerAddresses,
): RealmBotObject {
  return {
    user_id: bot.id,
    default_all_public_streams: bot.default_all_public_streams,
    ...defaultChannels(directory, bot),
    services: servicesOf(bot),
    avatar_url: avatarUrl(bot, bot.delivery_email, publicUrl),
    bot_type: bot.bot_type,
    email: apiEmail(bot, realmHost),
    full_name: bot.full_name,
    is_active: bot.is_active,
    owner_id: bot.bot_owner_id,
  }
}
