import { z } from 'zod'

const mib = 1024 * 1024
// A local part has at most 64 octets (RFC 5321, 4.5.3.1.1): a token, the option of channel addresses and some letters have to fit.
const mostAround = 14
const place = '%s'

const integer = (min: number, max: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .default(String(byDefault))
    .transform(Number)
    .refine(n => n >= min && n <= max, `must be from ${min} to ${max}`)

/** Settings of the mail that the server receives (docs/incoming-mail.md). */
export const incomingMailSettings = {
  INCOMING_MAIL_ADDRESS: z
    .string()
    .toLowerCase()
    .refine(
      text => /^[a-z0-9._+-]*%s[a-z0-9._+-]*@[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(text),
      'must be an address with one %s before the @, such as in+%s@chat.example.com',
    )
    .refine(
      text => text.indexOf('@') - place.length <= mostAround,
      `may have at most ${mostAround} characters beside the %s before the @`,
    )
    .optional(),
  INCOMING_MAIL_HOST: z.string().optional(),
  INCOMING_MAIL_PORT: integer(0, 65535, 2525),
  INCOMING_MAIL_MAX_MIB: integer(1, 100, 25),
}

type Settings = z.infer<z.ZodObject<typeof incomingMailSettings>>

/** Where the server receives mail. Undefined: it receives none. `host`: where it listens if the settings do not say. */
export function incomingMailOf(settings: Settings, host: string) {
  const { INCOMING_MAIL_ADDRESS: pattern } = settings
  if (pattern === undefined) return undefined
  const [before = '', after = ''] = pattern.split(place)
  return {
    /** What stands in each address before and behind its own part, in lower case. */
    before,
    after,
    host: settings.INCOMING_MAIL_HOST ?? host,
    port: settings.INCOMING_MAIL_PORT,
    mostBytes: settings.INCOMING_MAIL_MAX_MIB * mib,
  }
}
