import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { participantsOf, topicOf } from '../../actions/messages/recipients.js'
import { type TypingOp, typeToChannel, typeToPeople } from '../../actions/messages/typing.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { isSubscribedTo, readableChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import { notBoth, required } from '../../params/conditions.js'
import { cutText, json, list, shortId, word } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { mayPost } from '../../policies/channel-permissions.js'
import { userSetting } from '../../policies/settings.js'
import type { UserRow } from '../../store/users/users.js'
import { route } from '../route.js'

export const setTyping = route({
  operation: 'set_typing',
  method: 'POST',
  path: '/typing',
  doc: 'Reports that you started or stopped typing a message. The event is ephemeral: only clients that are connected now get it.',
  allow: anyAccount,
  params: z.object({
    type: word('direct', 'stream', 'channel').default('direct').describe('The kind of recipient.'),
    op: word('start', 'stop').describe('Whether you started or stopped.'),
    to: json(list(z.int(), budgets.recipients.most)).optional().describe('For direct messages: user ids.'),
    stream_id: shortId().optional().describe('For channels.'),
    topic: cutText().optional().describe('For channels.'),
    subject: cutText().optional().describe('Older name of `topic`.'),
  }),
  requires: [
    notBoth('topic', 'subject'),
    { when: { type: ['direct'] }, anyOf: ['to'], refusal: "Missing 'to' argument" },
    {
      when: { type: ['direct'] },
      holds: { to: z.array(z.int()).min(1).describe('a list of one user or more') },
      refusal: "Empty 'to' list",
    },
    { when: { type: ['stream', 'channel'] }, anyOf: ['stream_id'], refusal: 'Missing stream_id' },
    { when: { type: ['stream', 'channel'] }, anyOf: ['topic', 'subject'], refusal: 'Missing topic' },
  ],
  returns: z.object({}),
  errors: ['BAD_REQUEST', 'REQUEST_CONFUSING_VAR'],
  async handle({ ctx, actor, params }) {
    await ctx.directory.fresh()
    const sender = currentUser(ctx.directory, actor.user)
    if (params.type === 'direct') {
      await toPeople(ctx, sender, params.op, required(params.to))
    } else {
      const topic = required(params.topic ?? params.subject)
      await toChannel(ctx, actor, sender, { op: params.op, streamId: required(params.stream_id), topic })
    }
    return {}
  },
})

async function toPeople(ctx: Ctx, sender: UserRow, op: TypingOp, to: number[]): Promise<void> {
  requireOn(userSetting(sender, 'send_private_typing_notifications'), 'direct messages')
  await typeToPeople(ctx, sender, op, await participantsOf(ctx, ctx.sql, sender, to))
}

async function toChannel(
  ctx: Ctx,
  actor: Actor,
  sender: UserRow,
  { op, streamId, topic }: { readonly op: TypingOp; readonly streamId: number; readonly topic: string },
): Promise<void> {
  requireOn(userSetting(sender, 'send_stream_typing_notifications'), 'channel messages')
  const { channel, isSubscribed: subscribed } = await readableChannel(ctx, actor, streamId)
  const { bot_owner_id: ownerId } = sender
  const ownerSubscribed = ownerId !== null && (await isSubscribedTo(ctx, ownerId, streamId))
  const refusal = mayPost(ctx.directory, sender, channel, { subscribed, ownerSubscribed })
  if (refusal !== null) throw badRequest(refusal)
  await typeToChannel(ctx, sender, { op, channelId: streamId, topic: await topicOf(ctx, streamId, topic) })
}

function requireOn(isOn: boolean, kind: string): void {
  if (!isOn) throw badRequest(`User has disabled typing notifications for ${kind}`)
}
