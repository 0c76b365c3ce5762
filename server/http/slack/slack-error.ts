import type { ErrorCode } from '../../../shared/errors.js'

/** An error with one of Slack's own names, which its programs look at. */
export class SlackError extends Error {
  override readonly name = 'SlackError'

  constructor(
    readonly error: string,
    /** What is wrong, for people. */
    readonly details: readonly string[] = [],
  ) {
    super(error)
  }
}

/** Slack's names of refusals, where a method has no other. */
export const errorNames: Partial<Record<ErrorCode, string>> = {
  REQUEST_VARIABLE_MISSING: 'invalid_arguments',
  REQUEST_VARIABLE_INVALID: 'invalid_arguments',
  BAD_REQUEST: 'invalid_arguments',
  INVALID_JSON: 'invalid_json',
  UNSUPPORTED_MEDIA_TYPE: 'invalid_post_type',
  REQUEST_TIMEOUT: 'request_timeout',
  REQUEST_TOO_LARGE: 'request_too_large',
  UNAUTHORIZED: 'invalid_auth',
  INVALID_API_KEY: 'invalid_auth',
  USER_DEACTIVATED: 'account_inactive',
  REALM_DEACTIVATED: 'account_inactive',
  RATE_LIMIT_HIT: 'ratelimited',
  STREAM_DOES_NOT_EXIST: 'channel_not_found',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'restricted_action',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 'restricted_action',
  SERVER_NOT_READY: 'service_unavailable',
  INTERNAL_ERROR: 'internal_error',
}
