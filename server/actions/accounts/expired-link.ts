import { ApiError } from '../../../shared/errors.js'

/** The one answer for the key of a mailed link that is unknown, malformed, used, expired or revoked. */
export const expiredLink = (): ApiError => new ApiError('BAD_REQUEST', 'The link has expired or was used.', {}, 404)
