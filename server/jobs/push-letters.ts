import { createHmac } from 'node:crypto'
import { placeKey } from '../../shared/resources/place.js'
import { stillNotified } from '../actions/notify/still-notified.js'
import type { WorkerCtx } from '../ctx.js'
import type { PushPayload } from '../job-types/push.js'
import { viewersWhoKnow } from '../lookups/known-users.js'
import { seesAllUsers } from '../policies/users.js'
import { messageNotification, pushedPlace, serverFields, testNotification } from '../presenters/push-notification.js'
import { fitPush } from '../push/fit.js'
import { messageText } from '../push/message-text.js'
import type { Push } from '../push/push-sender.js'
import { type PushDevice, pushDevices } from '../store/push/devices.js'
import { type PushedMessage, pushedMessage, stillPushed } from '../store/push/pushed-messages.js'

/** A push to one device. */
export interface Letter {
  readonly device: PushDevice
  /** @param isShort for a push service that has refused the usual length */
  push(isShort: boolean): Push
}

const daySeconds = 86_400
const testSeconds = 60

/** The pushes of a job; none to a device that was removed, or whose account needs it no more. */
export async function lettersOf(ctx: WorkerCtx, payload: PushPayload): Promise<readonly Letter[]> {
  await ctx.directory.fresh()
  const all = await pushDevices(ctx.sql, payload.devices)
  const devices = all.filter(({ user_id }) => ctx.directory.users.get(user_id)?.is_active)
  if (payload.kind === 'message') return aboutMessage(ctx, payload, devices)
  return devices
    .filter(({ user_id }) => payload.kind !== 'remove' || user_id === payload.user)
    .map(device => plainLetter(ctx, payload, device))
}

function plainLetter(ctx: WorkerCtx, payload: PushPayload, device: PushDevice): Letter {
  const isRemoval = payload.kind === 'remove'
  const object = isRemoval
    ? { type: 'remove', ...serverFields(ctx, device.user_id), message_ids: payload.messages }
    : testNotification(ctx, device.user_id)
  const push = {
    text: Buffer.from(JSON.stringify(object)),
    ttl: isRemoval ? daySeconds : testSeconds,
    urgency: isRemoval ? 'normal' : 'high',
  } as const
  return { device, push: () => push }
}

async function aboutMessage(
  ctx: WorkerCtx,
  { message: id, isSilent, attempt = 0 }: PushPayload & { kind: 'message' },
  devices: readonly PushDevice[],
): Promise<readonly Letter[]> {
  const userIds = [...new Set(devices.map(device => device.user_id))]
  const [message, unread] = await Promise.all([pushedMessage(ctx.sql, id), stillPushed(ctx.sql, id, userIds)])
  if (!message) return []
  // Who is notified was decided just before the first attempt; an edit reaches users who did not receive the message.
  const isChecked = attempt > 0 || message.is_edited
  const wanting = isChecked ? await stillNotified(ctx, id, message.is_edited, [...unread]) : unread
  const content = messageText(message.rendered_content)
  const knowing = await readersWhoKnow(ctx, userIds, message.sender_id)
  return devices
    .filter(({ user_id }) => wanting.has(user_id))
    .map(device => {
      const { user_id: userId } = device
      const reader = { userId, isSilent, knowsSender: knowing.has(userId), isLimited: isLimited(ctx, userId) }
      const build = (text: string) => messageNotification(ctx, message, reader, text)
      return { device, push: (isShort: boolean) => messagePush(ctx, message, userId, fitPush(content, build, isShort)) }
    })
}

const messagePush = (
  { directory: { organization } }: WorkerCtx,
  message: PushedMessage,
  userId: number,
  text: Uint8Array,
): Push => ({
  text,
  // The push service sees it, and must not learn which conversations are the same.
  topic: createHmac('sha256', organization.secret)
    .update(`push topic ${userId} ${placeKey(pushedPlace(message, userId))}`)
    .digest('base64url')
    .slice(0, 32),
  ttl: daySeconds,
  urgency: 'high',
})

/** Ids of those users who may see the sender. */
async function readersWhoKnow(
  { directory, sql }: WorkerCtx,
  userIds: readonly number[],
  senderId: number,
): Promise<ReadonlySet<number>> {
  const readers = userIds.flatMap(id => directory.users.get(id) ?? [])
  const sender = directory.users.get(senderId)
  return sender ? viewersWhoKnow(sql, directory, readers, sender) : new Set()
}

function isLimited({ directory }: WorkerCtx, userId: number): boolean {
  const reader = directory.users.get(userId)
  return reader !== undefined && !seesAllUsers(directory, reader)
}
