import { z } from 'zod'
import { defineEvent } from './event.js'

/** An event for workers, never for clients: they read again which accounts have devices for pushes. */
export const pushDevicesChanged = defineEvent('_push_devices_changed', {
  doc: 'An account has added a device for notifications. No client gets this event.',
  fields: z.object({}),
  render: () => null,
})
