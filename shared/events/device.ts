import { newDevice } from '../resources/device.js'
import { defineEvent } from './event.js'

interface DevicePayload {
  device_id: number
}

export const deviceAdd = defineEvent<DevicePayload>('device/add', {
  doc: "One of the receiver's clients registered its device.",
  apply(state, event) {
    const devices = state.devices as Record<number, unknown> | undefined
    if (devices) devices[event.device_id as number] = { ...newDevice }
  },
})

export const deviceRemove = defineEvent<DevicePayload>('device/remove', {
  doc: "A device of one of the receiver's clients was removed.",
  apply(state, event) {
    const devices = state.devices as Record<number, unknown> | undefined
    if (devices) delete devices[event.device_id as number]
  },
})
