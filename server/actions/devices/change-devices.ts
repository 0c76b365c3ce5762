import { badRequest } from '../../../shared/errors.js'
import { deviceAdd, deviceRemove } from '../../../shared/events/device.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { countDevices, deleteDevice, insertDevice } from '../../store/personal/devices.js'

/** Returns the new device's id and emits an event to the user. @throws {ApiError} BAD_REQUEST when the user has too many devices */
export function registerDevice(ctx: Ctx, userId: number): Promise<number> {
  return ctx.write(async (tx, emit) => {
    if ((await countDevices(tx, userId)) >= budgets.devices.most) {
      throw badRequest(`There may be at most ${budgets.devices.most} devices.`)
    }
    const device_id = await insertDevice(tx, userId)
    emit(deviceAdd, { device_id }, [userId])
    return device_id
  })
}

/** @throws {ApiError} BAD_REQUEST, the same for a missing device and for another user's. */
export function removeDevice(ctx: Ctx, userId: number, device_id: number): Promise<void> {
  return ctx.write(async (tx, emit) => {
    if (!(await deleteDevice(tx, userId, device_id))) throw badRequest('Device does not exist.')
    emit(deviceRemove, { device_id }, [userId])
  })
}
