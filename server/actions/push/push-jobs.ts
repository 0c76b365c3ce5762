import type { Ctx } from '../../ctx.js'
import type { After } from '../../job-types/job-type.js'
import { type PushPayload, push, pushAgain } from '../../job-types/push.js'
import { isQuiet } from '../../policies/quiet.js'
import { userSetting } from '../../policies/settings.js'
import type { Tx } from '../../store/driver/db.js'
import { type PushDevice, pushDevicesOf } from '../../store/push/devices.js'
import { notePushed } from '../../store/push/pushed-messages.js'
import { gather } from '../gather.js'

/** A user whose settings ask for a push of a message. */
interface Candidate {
  readonly userId: number
  readonly messageId: number
  /** The user looks at no client. */
  readonly isIdle: boolean
}

// A run sends to its devices at the same time.
const devicesPerJob = 64

/**
 * Adds the jobs that push messages to the devices of these users, to the transaction that decided so: no statement for users without
 * devices, at most two for all others. A user who looks at a client gets a silent push, or none, as its settings say.
 */
export async function pushJobs(ctx: Ctx, tx: Tx, after: After, candidates: readonly Candidate[]): Promise<void> {
  if (!ctx.config.webPush) return
  const wanting = candidates.filter(one => ctx.memory.pushAccounts.mayHaveDevices(one.userId) && isDue(ctx, one))
  if (wanting.length === 0) return
  const devices = await pushDevicesOf(tx, [...new Set(wanting.map(({ userId }) => userId))])
  const byUser = new Map(gather(devices, device => device.user_id))
  const reached = wanting.filter(({ userId }) => byUser.has(userId))
  if (reached.length === 0) return
  await notePushed(tx, reached)
  const alike = gather(reached, ({ messageId, isIdle }) => `${messageId} ${isIdle}`)
  for (const [, [first, ...others]] of alike) {
    if (!first) continue
    const { messageId: message, isIdle } = first
    const all = [first, ...others].flatMap(({ userId }) => byUser.get(userId) ?? [])
    addPushes(ctx, after, { kind: 'message', message, isSilent: !isIdle }, all)
  }
}

function isDue({ directory, clock }: Ctx, { userId, isIdle }: Candidate): boolean {
  const user = directory.users.get(userId)
  if (!user || isQuiet(user, clock.now())) return false
  return isIdle || userSetting(user, 'enable_online_push_notifications')
}

/** Adds the jobs of a push to devices. One that fails or is slow could delay those that share its run. */
export function addPushes(
  { clock }: Pick<Ctx, 'clock'>,
  after: After,
  about: Omit<PushPayload & { kind: 'message' }, 'devices'> | Omit<PushPayload & { kind: 'remove' }, 'devices'>,
  devices: readonly PushDevice[],
): void {
  const delays = ({ failing_since, slow_until }: PushDevice) =>
    failing_since !== null || (slow_until !== null && slow_until.getTime() > clock.now())
  for (const [isSlow, alike] of gather(devices, delays)) {
    const ids = alike.map(device => device.id)
    for (let at = 0; at < ids.length; at += devicesPerJob) {
      after(isSlow ? pushAgain : push, { ...about, devices: ids.slice(at, at + devicesPerJob) })
    }
  }
}
