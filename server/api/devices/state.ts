import { z } from 'zod'
import { device, newDevice } from '../../../shared/resources/device.js'
import { devicesOf } from '../../store/personal/devices.js'
import type { StatePiece } from '../state-piece.js'

/** The caller's devices by id. */
export const devicePiece: StatePiece = {
  fetchType: 'device',
  fields: { devices: z.record(z.string(), device).describe('By device id.') },
  selects: [devicesOf],
  async read({ actor, rows }) {
    const own = actor ? rows.of(devicesOf) : []
    return { devices: Object.fromEntries(own.map(({ id }) => [id, newDevice])) }
  },
}
