/** Every error code of the API, with its HTTP status and the extra fields of its body. */
export const errorCodes = {
  BAD_REQUEST: { status: 400, fields: [] },
  REQUEST_VARIABLE_MISSING: { status: 400, fields: ['var_name'] },
  REQUEST_VARIABLE_INVALID: { status: 400, fields: ['var_name', 'bad_value'] },
  REQUEST_CONFUSING_VAR: { status: 400, fields: ['var_name1', 'var_name2'] },
  INVALID_JSON: { status: 400, fields: [] },
  UNAUTHORIZED: { status: 401, fields: [] },
  INVALID_API_KEY: { status: 401, fields: [] },
  USER_DEACTIVATED: { status: 401, fields: [] },
  REALM_DEACTIVATED: { status: 401, fields: [] },
  AUTHENTICATION_FAILED: { status: 401, fields: [] },
  PASSWORD_AUTH_DISABLED: { status: 401, fields: [] },
  SECOND_FACTOR_REQUIRED: { status: 401, fields: [] },
  UNAUTHORIZED_PRINCIPAL: { status: 400, fields: [] },
  PERMISSION_DENIED: { status: 400, fields: [] },
  CSRF_FAILED: { status: 403, fields: [] },
  ORIGIN_NOT_ALLOWED: { status: 403, fields: [] },
  NOT_FOUND: { status: 404, fields: [] },
  METHOD_NOT_ALLOWED: { status: 405, fields: ['allowed_methods'] },
  REQUEST_TIMEOUT: { status: 408, fields: [] },
  REQUEST_TOO_LARGE: { status: 413, fields: [] },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, fields: [] },
  MISSING_HTTP_EVENT_HEADER: { status: 400, fields: ['header'] },
  RATE_LIMIT_HIT: { status: 429, fields: ['retry-after'] },
  BAD_EVENT_QUEUE_ID: { status: 400, fields: ['queue_id'] },
  BAD_NARROW: { status: 400, fields: ['desc'] },
  STREAM_DOES_NOT_EXIST: { status: 400, fields: ['stream', 'stream_id'] },
  CHANNEL_ALREADY_EXISTS: { status: 409, fields: ['channel_name'] },
  IDEMPOTENCY_KEY_REUSED: { status: 422, fields: [] },
  IDEMPOTENT_ANSWER_NOT_STORED: { status: 409, fields: [] },
  CANNOT_DEACTIVATE_LAST_USER: { status: 400, fields: ['is_last_owner', 'entity'] },
  CANNOT_DEACTIVATE_GROUP_IN_USE: { status: 400, fields: ['objections'] },
  SYSTEM_GROUP_REQUIRED: { status: 400, fields: ['setting_name'] },
  EXPECTATION_MISMATCH: { status: 400, fields: ['field_name'] },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    status: 400,
    fields: ['first_message_id_allowed_to_move', 'total_messages_in_topic', 'total_messages_allowed_to_move'],
  },
  MESSAGE_NOT_GROWING: { status: 400, fields: ['reason'] },
  WRONG_POSITION: { status: 400, fields: ['expected_position'] },
  BAD_IMAGE: { status: 400, fields: [] },
  REALM_UPLOAD_QUOTA: { status: 400, fields: [] },
  REACTION_ALREADY_EXISTS: { status: 400, fields: [] },
  REACTION_DOES_NOT_EXIST: { status: 400, fields: [] },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: { status: 400, fields: [] },
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: { status: 400, fields: [] },
  INVITATION_FAILED: {
    status: 400,
    fields: ['errors', 'sent_invitations', 'license_limit_reached', 'daily_limit_reached'],
  },
  PUSH_SERVICE_NOT_CONFIGURED: { status: 400, fields: [] },
  NO_ACTIVE_PUSH_DEVICE: { status: 400, fields: [] },
  INVALID_PUSH_DEVICE_TOKEN: { status: 400, fields: [] },
  SERVER_NOT_READY: { status: 503, fields: [] },
  INTERNAL_ERROR: { status: 500, fields: [] },
} as const satisfies Record<string, { status: number; fields: readonly string[] }>

export type ErrorCode = keyof typeof errorCodes

/** An error for the caller: the answer is `{result: 'error', code, msg, ...fields}` with the code's HTTP status. */
export class ApiError extends Error {
  readonly status: number

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** The code's extra fields, and further ones of the operation. */
    readonly fields: Readonly<Record<string, unknown>> = {},
    /** Only if the operation answers with another status than the code's (docs/protocol/conventions.md#error-codes). */
    status?: number,
  ) {
    super(message)
    this.status = status ?? errorCodes[code].status
  }

  /** The body of the answer, over HTTP and over the socket. */
  body(): Record<string, unknown> {
    return { result: 'error', msg: this.message, code: this.code, ...this.fields }
  }
}

/** The most frequent error. */
export const badRequest = (message: string, fields?: Record<string, unknown>): ApiError =>
  new ApiError('BAD_REQUEST', message, fields)
