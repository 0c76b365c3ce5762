const asGiven = (message: string): string => message

/** Why a request failed, by the code of the error. English keeps the words of the server and of the client package. */
export const refusal = {
  NOT_CONNECTED: asGiven,
  CONNECTION_LOST: asGiven,
  TIMEOUT: asGiven,
  CLOSED: asGiven,
  BAD_REQUEST: asGiven,
  AUTHENTICATION_FAILED: asGiven,
  CHANNEL_ALREADY_EXISTS: asGiven,
  CANNOT_DEACTIVATE_GROUP_IN_USE: asGiven,
  BAD_IMAGE: asGiven,
  EXPECTATION_MISMATCH: asGiven,
  INTERNAL_ERROR: asGiven,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: asGiven,
  PASSWORD_AUTH_DISABLED: asGiven,
  PERMISSION_DENIED: asGiven,
  RATE_LIMIT_HIT: asGiven,
  REALM_DEACTIVATED: asGiven,
  REALM_UPLOAD_QUOTA: asGiven,
  REQUEST_TOO_LARGE: asGiven,
  SECOND_FACTOR_REQUIRED: asGiven,
  SERVER_NOT_READY: asGiven,
  STREAM_DOES_NOT_EXIST: asGiven,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: asGiven,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: asGiven,
  USER_DEACTIVATED: asGiven,
}
