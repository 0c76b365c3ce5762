import { badRequest } from '../../../shared/errors.js'
import { deviceAdd, deviceRemove } from '../../../shared/events/device.js'
import type { Actor } from '../../auth/actor.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { deleteDevice, insertDevice, type NewDevice, newDevice } from '../../store/personal/devices.js'
import { isAlone, isUnchanged, openOwn } from '../../store/personal/own-row.js'
import { writeOwn } from '../write-own.js'

/** Returns the new device's id and emits an event to the user. @throws {ApiError} BAD_REQUEST when the user has too many devices */
export async function registerDevice(ctx: Ctx, actor: Actor): Promise<{ id: number }> {
  const done = await writeOwn<{ id: number }>(ctx, actor, async (sql, user, emit) => {
    const opened = await openOwn<NewDevice>(sql, user.id, newDevice(sql))
    if (opened.count >= budgets.devices.most) {
      throw badRequest(`There may be at most ${budgets.devices.most} devices.`)
    }
    emit(deviceAdd, { device_id: opened.id }, [user.id])
    return within => within`${isAlone(within, user, opened)}, ${insertDevice(within, opened.id)}`
  })
  if (!done) throw new Error('no id of a device came back')
  return done
}

/** @throws {ApiError} BAD_REQUEST, the same for a missing device and for another user's. */
export async function removeDevice(ctx: Ctx, actor: Actor, device_id: number): Promise<void> {
  const done = await writeOwn(ctx, actor, async (_, user, emit) => {
    emit(deviceRemove, { device_id }, [user.id])
    return within => within`${isUnchanged(within, user)}, ${deleteDevice(within, device_id)}`
  })
  if (!done) throw badRequest('Device does not exist.')
}
