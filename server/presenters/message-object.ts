import type { DmParticipant, NeutralMessage, Reaction, TopicLink } from '../../shared/resources/message.js'
import type { Submessage } from '../../shared/resources/submessage.js'
import type { Ctx } from '../ctx.js'
import { realmSetting } from '../policies/settings.js'
import type { ChannelRow } from '../store/channels/channels.js'
import type { MessageRow } from '../store/messages/messages.js'
import type { UserRow } from '../store/users/users.js'
import { apiEmail, dummyEmail, unknownName } from './addresses.js'
import { avatarUrl, unknownAvatar } from './avatars.js'

type Place = Pick<Ctx, 'directory' | 'publicUrl' | 'realmHost'>

/** The place of a message: a channel, or a conversation with all participants, the sender included. */
export type MessagePlace = { readonly channel: ChannelRow } | { readonly userIds: readonly number[] }

interface MessageParts {
  readonly place: MessagePlace
  readonly topicLinks: TopicLink[]
  readonly reactions: Reaction[]
  readonly submessages: Submessage[]
  /** Whether the reader may know a user; others appear as placeholders. */
  knows(userId: number): boolean
  /** The reader has no account. */
  readonly forSpectator?: boolean
}

/** The message in the form that answers and events share, for readers who may know the same users. */
export function neutralMessage(
  ctx: Place,
  row: Omit<MessageRow, 'wildcard_mentions' | 'read_by_sender'>,
  parts: MessageParts,
): NeutralMessage {
  const inChannel = 'channel' in parts.place
  const name = realmSetting(ctx.directory, 'empty_topic_display_name')
  return {
    id: row.id,
    type: inChannel ? 'stream' : 'private',
    sender_id: row.sender_id,
    ...senderFields(ctx, row.sender_id, parts.knows(row.sender_id), parts.forSpectator),
    sender_realm_str: '',
    // Opaque to clients: even for channels, odd for conversations, so the two never collide.
    recipient_id: row.channel_id !== null ? row.channel_id * 2 : (row.conversation_id ?? 0) * 2 + 1,
    ...('channel' in parts.place
      ? { stream_id: parts.place.channel.id, display_recipient: parts.place.channel.name }
      : { display_recipient: parts.place.userIds.map(id => participant(ctx, id, parts.knows(id))) }),
    content: row.content,
    rendered_content: row.rendered_content,
    subject: row.topic,
    topic_links: parts.topicLinks,
    timestamp: Math.floor(row.date_sent.getTime() / 1000),
    client: row.client,
    is_me_message: row.is_me_message,
    reactions: parts.reactions,
    submessages: parts.submessages,
    ...(inChannel && row.topic === '' && { empty_topic_display_name: name }),
  }
}

/** The sender's fields of a message; a sender that the reader may not see becomes a placeholder. */
export function senderFields(
  ctx: Place,
  userId: number,
  known: boolean,
  forSpectator = false,
): Pick<NeutralMessage, 'sender_full_name' | 'sender_email' | 'avatar_url' | 'is_gravatar'> {
  const user = ctx.directory.users.get(userId)
  if (!user || !known) {
    return {
      sender_full_name: unknownName,
      sender_email: dummyEmail(userId, ctx.realmHost),
      avatar_url: unknownAvatar(ctx.publicUrl),
      is_gravatar: false,
    }
  }
  const email = apiEmail(user, ctx.realmHost, forSpectator)
  return {
    sender_full_name: user.full_name,
    sender_email: email,
    avatar_url: avatarUrl(user, email, ctx.publicUrl),
    is_gravatar: mayComputeAvatar(user, email),
  }
}

/** Only if all viewers may see the address from which the avatar is computed. */
const mayComputeAvatar = (user: UserRow, email: string): boolean =>
  user.avatar_source !== 'U' && email === user.delivery_email

function participant(ctx: Place, userId: number, known: boolean): DmParticipant {
  const user = known ? ctx.directory.users.get(userId) : undefined
  return {
    id: userId,
    email: user ? apiEmail(user, ctx.realmHost) : dummyEmail(userId, ctx.realmHost),
    full_name: user?.full_name ?? unknownName,
    is_mirror_dummy: false,
  }
}
