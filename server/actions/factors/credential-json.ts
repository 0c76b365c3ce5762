import { z } from 'zod'

// What browsers say of a credential, with base64url in place of bytes. What the server does not read is left out.

const base64url = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(most)
const head = {
  id: base64url(2000),
  rawId: base64url(2000),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
}

/** Of `navigator.credentials.create`. */
export const attestation = z.object({
  ...head,
  response: z.object({
    clientDataJSON: base64url(10_000),
    attestationObject: base64url(50_000),
    transports: z.array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])).optional(),
  }),
})

/** Of `navigator.credentials.get`. */
export const assertion = z.object({
  ...head,
  response: z.object({
    clientDataJSON: base64url(10_000),
    authenticatorData: base64url(10_000),
    signature: base64url(10_000),
    userHandle: base64url(200).optional(),
  }),
})
