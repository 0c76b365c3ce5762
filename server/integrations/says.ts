import type { z } from 'zod'
import { badRequest } from '../../shared/errors.js'
import type { Delivery, IncomingMessage } from './integration.js'

/** What becomes of a delivery of one event; undefined: nothing is said. @throws {ApiError} BAD_REQUEST */
export type Says = (delivery: Delivery) => IncomingMessage | undefined

/** Says something of a payload of this form. */
export const says =
  <Payload>(
    schema: z.ZodType<Payload>,
    say: (payload: Payload, params: Delivery['params']) => IncomingMessage | undefined,
  ): Says =>
  delivery => {
    const { success, data, error } = schema.safeParse(delivery.json())
    if (!success) throw badRequest(`${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    return say(data, delivery.params)
  }
