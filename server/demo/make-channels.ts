import { subscribe } from '../actions/channels/subscribe.js'
import type { Ctx } from '../ctx.js'
import { channels } from './channels.js'
import type { People } from './make-accounts.js'

// The name of the sending program: that of this server.
const client = 'Parley'

/** The owner creates the channels and subscribes all accounts; existing subscriptions stay. */
export async function makeChannels(ctx: Ctx, people: People): Promise<void> {
  const user = people.get('owner')
  if (!user) throw new Error('the demonstration has no owner')
  for (const { name, description, kind, isDefault, members } of channels) {
    await subscribe(
      ctx,
      { user, client },
      {
        channels: [{ name, description, color: null }],
        principals: members.flatMap(member => people.get(member)?.id ?? []),
        authorizationErrorsFatal: true,
        settings: {
          invite_only: kind === 'private',
          is_web_public: kind === 'web-public',
          is_default_stream: isDefault ?? false,
          history_public_to_subscribers: true,
          message_retention_days: null,
          groups: {},
        },
      },
    )
  }
}
