import { createHmac } from 'node:crypto'
import { placeKey } from '../../shared/resources/place.js'
import type { WorkerCtx } from '../ctx.js'
import type { PushPayload } from '../job-types/push.js'
import { mayAccessUser } from '../lookups/known-users.js'
import { mayReadMessage } from '../policies/reading.js'
import { messageNotification, pushedPlace, serverFields, testNotification } from '../presenters/push-notification.js'
import { fitPush } from '../push/fit.js'
import { messageText } from '../push/message-text.js'
import type { Push } from '../push/push-sender.js'
import { seenMessages } from '../store/messages/message-rows.js'
import { type PushDevice, pushDevices, pushDevicesOf } from '../store/push/devices.js'
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
  const all = payload.devices
    ? await pushDevices(ctx.sql, payload.devices)
    : payload.kind === 'remove'
      ? await pushDevicesOf(ctx.sql, [payload.user])
      : []
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
  const [message, unread] = await Promise.all([
    pushedMessage(ctx.sql, id),
    stillPushed(
      ctx.sql,
      id,
      devices.map(device => device.user_id),
    ),
  ])
  if (!message) return []
  const content = messageText(message.rendered_content)
  const letters = await Promise.all(
    devices.map(async device => {
      const { user_id: userId } = device
      // Whether it may be read was checked when it was decided; an hour later that may be otherwise.
      if (!unread.has(userId) || (attempt > 0 && !(await mayStillRead(ctx, userId, id)))) return undefined
      const reader = { userId, isSilent, knowsSender: await knows(ctx, userId, message.sender_id) }
      const build = (text: string) => messageNotification(ctx, message, reader, text)
      return { device, push: (isShort: boolean) => messagePush(ctx, message, userId, fitPush(content, build, isShort)) }
    }),
  )
  return letters.filter(letter => letter !== undefined)
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

async function mayStillRead({ directory, sql }: WorkerCtx, userId: number, messageId: number): Promise<boolean> {
  const [row] = await seenMessages(sql, userId, [messageId])
  const user = directory.users.get(userId)
  return row !== undefined && user !== undefined && mayReadMessage(directory, user, row)
}

async function knows({ directory, sql }: WorkerCtx, readerId: number, senderId: number): Promise<boolean> {
  const [reader, sender] = [directory.users.get(readerId), directory.users.get(senderId)]
  return !reader || !sender || mayAccessUser(sql, directory, reader, sender)
}
