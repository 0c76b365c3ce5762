import { z } from 'zod'

/** A device on which a client of the user runs, by its id. The server has no push notifications, so all fields stay null. */
export const device = z.object({
  push_key_id: z.int().nullable(),
  push_token_id: z.string().nullable(),
  pending_push_token_id: z.string().nullable(),
  push_token_last_updated_timestamp: z.int().nullable(),
  push_registration_error_code: z.string().nullable(),
})

export type Device = z.infer<typeof device>

/** The server has no push notifications: a device keeps these initial values. */
export const newDevice: Readonly<Device> = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}
