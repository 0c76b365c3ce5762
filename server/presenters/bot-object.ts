import type { RealmBotObject } from '../../shared/resources/realm-bot.js'
import type { Directory } from '../store/directory.js'
import type { UserRow } from '../store/users.js'

/** The fields of a bot for viewers who may configure it. */
export function botObject(directory: Directory, bot: UserRow): RealmBotObject {
  return {
    user_id: bot.id,
    default_all_public_streams: bot.default_all_public_streams,
    default_events_register_stream: directory.channels.get(bot.default_events_register_stream_id ?? -1)?.name ?? null,
    default_sending_stream: null,
    services: [],
  }
}
