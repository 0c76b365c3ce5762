import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users.js'
import { subscribe } from '../channels/subscribe.js'

/** Subscribes a new user to the organization's default channels. */
export async function joinDefaultChannels(ctx: Ctx, user: UserRow): Promise<void> {
  const channels = [...ctx.directory.channels.values()].filter(channel => channel.is_default && !channel.is_archived)
  if (channels.length === 0) return
  await subscribe(
    ctx,
    { user, client: 'internal' },
    {
      channels: channels.map(({ name, description }) => ({ name, description, color: null })),
      principals: [],
      authorizationErrorsFatal: false,
      settings: {
        invite_only: false,
        is_web_public: false,
        is_default_stream: false,
        default_push_notifications: false,
        message_retention_days: null,
        groups: {},
      },
    },
  )
}
