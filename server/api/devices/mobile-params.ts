import { text } from '../../params/schemas.js'

const mostToken = 4096

/** What the system of a mobile device calls its app here. */
export const deviceToken = () =>
  text(mostToken)
    .refine(value => value !== '', 'Empty or invalid length token')
    .meta({ minLength: 1, maxLength: mostToken })

/** The same of Apple: bytes in base64. */
export const appleToken = () =>
  deviceToken().refine(value => /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0, 'Invalid APNS token')

export const appleApp = () => text(200).refine(value => /^[.A-Za-z0-9-]+$/.test(value), 'Invalid app ID')

/** In the description of operations: these tokens are those of the apps' publisher. */
export const noRelay =
  'Apps of the stores take notifications only from the service of their publisher, which this server has none of (`add_push_device` is for browsers and UnifiedPush).'
