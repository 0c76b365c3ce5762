import { z } from 'zod'
import { type Device, newDevice } from '../resources/device.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

type State = ClientState & { devices?: Record<number, Device> }

const fields = z.object({ device_id: z.int() })

export const deviceAdd = defineEvent('device/add', {
  doc: "One of the receiver's clients registered its device.",
  fields,
  apply(state: State, event) {
    if (state.devices) state.devices[event.device_id] = { ...newDevice }
  },
})

export const deviceRemove = defineEvent('device/remove', {
  doc: "A device of one of the receiver's clients was removed.",
  fields,
  apply(state: State, event) {
    delete state.devices?.[event.device_id]
  },
})
