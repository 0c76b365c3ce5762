import { ApiError, badRequest } from '../../../shared/errors.js'
import { pushDevicesChanged } from '../../../shared/events/push-devices-changed.js'
import { limits } from '../../../shared/limits.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx, WorkerCtx } from '../../ctx.js'
import { pushAgain } from '../../job-types/push.js'
import { countAttempt } from '../../limits/sign-in-attempts.js'
import { lockUser } from '../../store/personal/own-row.js'
import * as store from '../../store/push/devices.js'

interface GivenDevice {
  readonly endpoint: string
  readonly p256dh: Uint8Array
  readonly auth: Uint8Array
  readonly name: string
}

/** @throws {ApiError} PUSH_SERVICE_NOT_CONFIGURED where the operator has turned pushes off */
export function requirePush({ config }: Ctx): void {
  if (!config.webPush) throw new ApiError('PUSH_SERVICE_NOT_CONFIGURED', 'This server sends no notifications by push.')
}

/** Stores a device, which receives notifications of the account from now on. @returns its id @throws {ApiError} BAD_REQUEST */
export async function addDevice(ctx: Ctx, { user, sessionId }: Actor, given: GivenDevice): Promise<number> {
  const most = budgets.pushDevices.most
  return ctx.write(async (tx, emit) => {
    // The count and the device are of one moment.
    await lockUser(tx, user.id)
    const id = await store.storeDevice(tx, { ...given, user_id: user.id, session_id: sessionId ?? null })
    if ((await store.countDevices(tx, user.id)) > most) throw badRequest(`There may be at most ${most} devices.`)
    emit(pushDevicesChanged, {}, [user.id])
    return id
  }, ctx.trace)
}

/** @throws {ApiError} BAD_REQUEST, the same for a missing device and for another user's */
export async function removeDevice(ctx: Ctx, { user }: Actor, id: number): Promise<void> {
  if (!(await ctx.write(tx => store.deleteDevice(tx, user.id, id)))) throw noDevice()
}

/** Sends a notification to one device, or to all of the account. @returns how many devices @throws {ApiError} BAD_REQUEST, RATE_LIMIT_HIT */
export async function testDevices(ctx: WorkerCtx, { user }: Actor, id?: number): Promise<number> {
  const own = (await store.devicesOf(ctx.sql, user.id)).map(device => device.id)
  const devices = id === undefined ? own : own.filter(one => one === id)
  if (id !== undefined && devices.length === 0) throw noDevice()
  if (devices.length === 0 || !ctx.config.webPush) return devices.length
  await countAttempt(ctx, 'push-test', String(user.id), limits.push_tests)
  await ctx.write(async (_tx, _emit, { after }) => after(pushAgain, { kind: 'test', devices }))
  return devices.length
}

const noDevice = () => badRequest('No such device.')
